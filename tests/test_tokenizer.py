"""The vocabulary: nothing is unknown, every piece knows where it stands, and text comes back as it went in."""

import itertools
import random
import unicodedata
from pathlib import Path

import pytest

from model.records import Token
from model.tokenizer import SPACE, Tokenizer, clean, signs_in, unknown_characters
from model.translate import Translator
from tests.conftest import DATA

SPACES = " \t\n\r\u00a0\u2003\u2028\u3000\x0b\x85"
POOLS = (
    "abcdefgé 'nt\u2019",
    SPACES,
    "\u0301\u0308\u0327\u0300\u0323n",
    "你好世界",
    "مرحبا",
    "😀👍🏽\u200d❤\ufe0f👨",
    "\x00\x01\x1b\x1c\x1d\x1e\x1f\x7f\ufeff\ufffd\u200b\u202e",
    "</s><pad><0x41>",
    "0123456789½²",
    "Ⅻﬁ한각\u1100\u1161\u11a8Å",
    "".join(map(chr, range(0x20, 0x250))),
    '«» \u202f"ab.',
)
INVISIBLE = [chr(i) for i in range(0x110000) if unicodedata.category(chr(i)) in ("Cc", "Cf")]
APOSTROPHES = "\u2018\u2019\u201b\u02bc\u02b9\u00b4`\u2032\uff07"
QUOTES = "\u201c\u201d\u201e\u201f\u2033\uff02"
FILES = [*Path(__file__).parents[1].glob("checkpoints/*/*/tokenizer.json"), DATA / "tiny" / "tokenizer.json"]
WORDS = ["don't", "John's", "we'll", "l'eau", "qu'il", "Jean", "the", "water", "12", "chat", "?", ".", "«", "œufs"]


@pytest.fixture(scope="module")
def tokenizer(translator: Translator) -> Tokenizer:
    return translator.tokenizer


@pytest.fixture(
    scope="module",
    params=sorted({path.read_bytes(): path for path in FILES}.values()),
    ids=lambda path: path.parent.name,
)
def any_tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    """The vocabulary of the tests, and each different one that the app comes with."""
    return Tokenizer.load(request.param)


def random_text(rng: random.Random) -> str:
    """Up to a dozen characters of a few scripts, now and then any character that Unicode has."""
    pools = rng.sample(POOLS, rng.randint(1, 4))
    text = ""
    for _ in range(rng.randint(0, 12)):
        code = rng.randrange(0x110000)
        anything = rng.random() < 0.03 and not 0xD800 <= code < 0xE000
        text += chr(code) if anything and chr(code) != SPACE else rng.choice(rng.choice(pools))
    return text


def random_texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    odd = [random_text(rng) for _ in range(count)]
    plain = [" ".join(rng.choices(WORDS, k=rng.randint(1, 6))) for _ in range(count // 4)]
    return odd + plain


def invisible(character: str) -> bool:
    """White space, or what is dropped."""
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cf")


def normal(text: str) -> str:
    """Visible, composed, plain apostrophes and marks, single spaces, none at the ends: written down again, without the
    library."""
    spaced = "".join(" " if c.isspace() else c for c in text if c.isspace() or not invisible(c))
    composed = unicodedata.normalize("NFC", spaced)
    plain = "".join("'" if c in APOSTROPHES else '"' if c in QUOTES else c for c in composed)
    return " ".join(part for part in plain.split(" ") if part)


def rebuilt(text: str, tokens: list[Token]) -> str:
    """The typed text from the pieces' spans, with what nobody sees between them; fails where anything else is left
    out."""
    result, before = "", 0
    for i, token in enumerate(tokens):
        if i and (token.start, token.end) == (tokens[i - 1].start, tokens[i - 1].end):
            continue  # another byte of the same character
        gap = text[before : token.start]
        assert all(map(invisible, gap)), f"{gap!r} of {text!r} belongs to no piece"
        result += gap + text[token.start : token.end]
        before = token.end
    assert all(map(invisible, text[before:])), f"{text[before:]!r} of {text!r} belongs to no piece"
    return result + text[before:]


def words(text: str, tokens: list[Token]) -> list[str]:
    """Each word as the spans of its pieces have it."""
    spans: dict[int, tuple[int, int]] = {}
    for token in tokens:
        spans[token.word] = spans.get(token.word, (token.start, 0))[0], token.end
    return [text[start:end] for start, end in spans.values()]


def test_spans_cover_the_typed_text(tokenizer: Tokenizer) -> None:
    for text, source in itertools.product(random_texts(1, 2000), (False, True)):
        tokens = tokenizer.encode(text, source=source)
        assert tokenizer.ids([text], source=source) == [[token.id for token in tokens]]
        assert rebuilt(text, tokens) == text
        for before, token in itertools.pairwise(tokens):
            assert before.start <= token.start, text
            assert before.end <= token.end, text
            same = (before.start, before.end) == (token.start, token.end)
            assert same or before.end <= token.start, f"{text!r}: {before} reaches into {token}"
        edges = {text[i] for token in tokens if token.start < token.end for i in (token.start, token.end - 1)}
        assert not any(map(invisible, edges)), text
        assert all(0 <= token.start <= token.end <= len(text) for token in tokens)


def test_decoding_gives_the_normalised_text(tokenizer: Tokenizer) -> None:
    for text in random_texts(2, 1000):
        assert tokenizer.decode([token.id for token in tokenizer.encode(text)])[0] == normal(text)


def test_decode_and_encode_agree_on_normalised_text(tokenizer: Tokenizer) -> None:
    seen = 0
    for typed in random_texts(3, 1500):
        text = tokenizer.vocabulary.normalizer.normalize_str(typed)
        tokens = tokenizer.encode(text)
        decoded, again = tokenizer.decode([token.id for token in tokens])
        assert decoded == text
        assert again == tokens
        seen += len(tokens)
    assert seen > 10_000


@pytest.mark.parametrize(
    "text",
    [
        "😀", "👨\u200d👩\u200d👧", "مرحبا بالعالم", "你好，世界", "\ufeffhello", "\U0010ffff", "\ufffd", "ᄀ\u1161",
        "\x00", "a\x00b", "\x1b[31mred", "\x1c", "\u0301", "e\u0301", "\u0301\u0301x",
        "</s>", "<s>", "<pad>", "<0x41>", "<0xFF>", "<unk>", "a</s>b",
    ],
)  # fmt: skip
def test_nothing_is_unknown_and_nothing_typed_is_special(tokenizer: Tokenizer, text: str) -> None:
    tokens = tokenizer.encode(text)
    assert rebuilt(text, tokens) == text
    assert tokenizer.decode([token.id for token in tokens])[0] == normal(text)
    assert not any(token.special for token in tokens)
    assert not {tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id} & {token.id for token in tokens}
    assert tokenizer.ids([text]) == [[token.id for token in tokens]]


def test_typed_byte_names_are_characters(tokenizer: Tokenizer) -> None:
    """<0x41> typed is six characters; it must not come back as the letter A."""
    typed = tokenizer.encode("<0x41>")
    assert id_of(tokenizer, "<0x41>") not in {token.id for token in typed}
    assert "".join(token.label.lstrip("·") for token in typed if token.start < token.end) != "A"


def test_the_space_sign_typed_by_a_person_is_a_space(tokenizer: Tokenizer, translator: Translator) -> None:
    for text in (SPACE, SPACE * 3, f"a{SPACE}b", f"the{SPACE} water", f"{SPACE}x ", f"x{SPACE}"):
        tokens = tokenizer.encode(text)
        assert tokens
        assert rebuilt(text.replace(SPACE, " "), tokens) == text.replace(SPACE, " ")
        translation = translator.translate(text)
        assert translation.source[-1].piece == "</s>"
    assert tokenizer.decode([t.id for t in tokenizer.encode(f"the{SPACE}water")])[0] == "the water"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't", ["do", "n't"]),
        ("They don’t know.", ["They", "do", "n’t", "know", "."]),
        ("John's dog", ["John", "'s", "dog"]),
        ("we'll I'm you've she'd", ["we", "'ll", "I", "'m", "you", "'ve", "she", "'d"]),
        ("l'eau", ["l'", "eau"]),
        ("Qu'est-ce qu'il", ["Qu'", "est", "-", "ce", "qu'", "il"]),
        ("un élève naïf", ["un", "élève", "naïf"]),
        ("un e\u0301le\u0300ve", ["un", "e\u0301le\u0300ve"]),
        ("in 2024, 3%", ["in", "2", "0", "2", "4", ",", "3", "%"]),
        ("dogs' tails", ["dogs", "'", "tails"]),
        ("where ?", ["where", "?"]),
    ],
)
def test_words(tokenizer: Tokenizer, text: str, expected: list[str]) -> None:
    tokens = tokenizer.encode(text)
    assert words(text, tokens) == expected
    numbers = [token.word for token in tokens]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(len(expected)))


def test_labels(tokenizer: Tokenizer) -> None:
    """Token.label: as typed, a middle dot where a word goes on, numbers under bytes, signs for what has no shape."""
    for text in random_texts(4, 500):
        tokens = tokenizer.encode(text)
        for before, token in zip([None, *tokens], tokens, strict=False):
            typed = text[token.start : token.end]
            assert token.label
            assert token.label.isprintable() or not typed.isprintable()
            if not token.piece.startswith("<0x"):
                goes_on = before is not None and before.word == token.word
                assert token.label.startswith("·") == (goes_on or typed.startswith("·"))
                if typed.isalpha():
                    assert token.label == "·" * goes_on + typed


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("😀", ["␣", "😀₁", "😀₂", "😀₃", "😀₄"]),
        ("😀😀", ["␣", "😀₁", "😀₂", "😀₃", "😀₄", "😀₁", "😀₂", "😀₃", "😀₄"]),
        ("\u0144", ["␣", "ń₁", "ń₂"]),
        ("n\u0301", ["␣", "n\u0301₁", "n\u0301₂"]),
        ("\ue000", ["␣", "∅₁", "∅₂", "∅₃"]),
        ("\u1100\u1161", ["␣", "\u1100\u1161₁", "\u1100\u1161₂", "\u1100\u1161₃"]),
    ],
)
def test_labels_of_bytes(tokenizer: Tokenizer, text: str, labels: list[str]) -> None:
    assert [token.label for token in tokenizer.encode(text)] == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [("\x00", ["␀"]), ("\x1f", ["␟"]), ("\x7f", ["∅"]), ("\u200b", ["∅₁", "∅₂", "∅₃"]), (" ", ["␣"])],
)
def test_labels_of_bytes_that_only_a_model_writes(tokenizer: Tokenizer, text: str, labels: list[str]) -> None:
    assert [
        token.label
        for token in tokenizer.decode([*byte_ids(tokenizer, b"a"), *byte_ids(tokenizer, text.encode())])[1][1:]
    ] == labels


def test_decoding_any_ids(tokenizer: Tokenizer) -> None:
    rng = random.Random(5)
    for _ in range(500):
        ids = [rng.randrange(3, len(tokenizer)) for _ in range(rng.randint(0, 10))]
        text, tokens = tokenizer.decode(ids)
        assert [token.id for token in tokens] == ids
        assert all(0 <= token.start <= token.end <= len(text) for token in tokens)
        assert [token.start for token in tokens] == sorted(token.start for token in tokens)
        covered = {i for token in tokens for i in range(token.start, token.end)}
        assert all(text[i] == " " for i in set(range(len(text))) - covered)


def id_of(tokenizer: Tokenizer, piece: str) -> int:
    id = tokenizer.vocabulary.token_to_id(piece)
    assert id is not None
    return id


def byte_ids(tokenizer: Tokenizer, data: bytes) -> list[int]:
    return [id_of(tokenizer, f"<0x{byte:02X}>") for byte in data]


def test_incomplete_bytes_become_a_replacement(tokenizer: Tokenizer) -> None:
    emoji = "😀".encode()
    letter = id_of(tokenizer, "a")
    assert tokenizer.decode(byte_ids(tokenizer, emoji))[0] == "😀"
    assert tokenizer.decode(byte_ids(tokenizer, emoji[:3]))[0] == "\ufffd"
    text, tokens = tokenizer.decode([*byte_ids(tokenizer, emoji[:2]), letter])
    assert text == "\ufffda"
    assert [text[token.start : token.end] for token in tokens] == ["\ufffd", "\ufffd", "a"]
    for data in (b"\xff", b"\x80\x80", b"\xc3\x28", b"\xf0\x9f\xf0\x9f\x98\x80", b"\xed\xa0\x80"):
        text, tokens = tokenizer.decode(byte_ids(tokenizer, data))
        assert text == data.decode("utf-8", "replace")
        assert len(tokens) == len(data)


def test_special_tokens_stand_where_they_are_put(tokenizer: Tokenizer) -> None:
    token = tokenizer.special(tokenizer.eos_id, 7, 3)
    assert (token.piece, token.label, token.start, token.end, token.word) == ("</s>", "</s>", 7, 7, 3)
    assert token.special


def test_candidates_have_a_label(tokenizer: Tokenizer) -> None:
    labels = [tokenizer.label(id) for id in range(len(tokenizer))]
    assert all(label and label.isprintable() for label in labels)
    assert tokenizer.label(tokenizer.encode("water")[-1].id) == "␣water"


def test_what_nobody_sees_is_not_read(any_tokenizer: Tokenizer) -> None:
    """Each invisible character at the start, inside a word and beside a space: the ids of the text without it, and
    every piece where it was typed."""
    assert len(INVISIBLE) > 200
    for c in INVISIBLE:
        put = " " if c.isspace() else ""
        for text, plain in (
            (f"{c}The water.", "The water."),
            (f"The wa{c}ter.", f"The wa{put}ter."),
            (f"The{c} water.", "The water."),
            (f"The {c}water.", "The water."),
            (f"The water.{c}", "The water."),
        ):
            assert clean(text) == plain
            tokens, expected = any_tokenizer.encode(text), any_tokenizer.encode(plain)
            assert [t.id for t in tokens] == [t.id for t in expected] == any_tokenizer.ids([text])[0], ascii(text)
            assert [(t.label, t.word) for t in tokens] == [(t.label, t.word) for t in expected], ascii(text)
            for token, other in zip(tokens, expected, strict=True):
                assert text[token.start : token.end].replace(c, put) == plain[other.start : other.end], ascii(text)


def test_text_is_read_as_it_was_cleaned(any_tokenizer: Tokenizer) -> None:
    for text in random_texts(6, 1000):
        assert clean(text) == normal(text) == clean(clean(text))
        assert any_tokenizer.ids([text]) == any_tokenizer.ids([clean(text)])


@pytest.mark.parametrize(
    ("plain", "variants"),
    [("I couldn't see John's dog.", APOSTROPHES), ('She said "yes" to "them".', QUOTES)],
)
def test_marks_are_read_as_plain_and_shown_as_typed(any_tokenizer: Tokenizer, plain: str, variants: str) -> None:
    expected = any_tokenizer.encode(plain)
    for mark in variants:
        typed = plain.replace("'", mark).replace('"', mark)
        tokens = any_tokenizer.encode(typed)
        assert [(t.id, t.start, t.end, t.word) for t in tokens] == [(t.id, t.start, t.end, t.word) for t in expected]
        assert sum(t.label.count(mark) for t in tokens) == typed.count(mark)


@pytest.mark.parametrize(
    "typed",
    [
        "She said « yes » to them.", "She said «\u00a0yes\u202f» to them.", "She said «yes» to them.",
        "She said »yes« to them.", "She said \ufeff« \u2060yes » to them.",
    ],
)  # fmt: skip
def test_guillemets_are_plain_marks_in_a_source(any_tokenizer: Tokenizer, typed: str) -> None:
    plain = 'She said "yes" to them.'
    tokens, expected = any_tokenizer.encode(typed, source=True), any_tokenizer.encode(plain)
    assert [t.id for t in tokens] == [t.id for t in expected] == any_tokenizer.ids([typed], source=True)[0]
    assert rebuilt(typed, tokens) == typed
    seen = "".join(typed[t.start : t.end] for t in tokens)
    assert seen == typed.replace(" ", "").replace("\u00a0", "").replace("\u202f", "").replace("\ufeff", "").replace(
        "\u2060", ""
    )
    assert sum(t.label.count("«") + t.label.count("»") for t in tokens) == 2


def test_guillemets_stay_in_a_target(any_tokenizer: Tokenizer) -> None:
    french = "Elle a dit « oui »."
    tokens = any_tokenizer.encode(french)
    assert any_tokenizer.decode([t.id for t in tokens])[0] == french
    assert any_tokenizer.encode(french.replace(" »", "\u00a0»")) == tokens


def test_half_a_character_is_an_error(tokenizer: Tokenizer) -> None:
    for text, source in itertools.product(("\ud800", "a\udfffb", "\ufeff\ud83d"), (False, True)):
        with pytest.raises(ValueError, match="half a surrogate pair"):
            tokenizer.encode(text, source=source)


def test_a_space_alone_is_a_word_of_its_own(tokenizer: Tokenizer) -> None:
    """Each space begins a word, and letters go on with it: all rows of up to five pieces."""
    pieces = {name: id_of(tokenizer, name) for name in (SPACE, f"{SPACE}l", "s", "a")}
    for length in range(6):
        for row in itertools.product(pieces, repeat=length):
            spelt = "".join(row)
            begins = [len("".join(row[:i])) for i in range(length)]
            first = 0 if spelt.startswith(SPACE) else 1
            rule = [spelt.count(SPACE, 0, begin + 1) - 1 + first for begin in begins]
            tokens = tokenizer.decode([pieces[name] for name in row])[1]
            assert [token.word for token in tokens] == rule, row


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0), ("the water", 0), ("你好", 2), ("the 好好", 2), ("n\u0301o", 1), ("😀\u200d😀 a", 2),
        ("</s><0x41>", 0), ("\ufeffthe\u00ad water", 0),
    ],
)  # fmt: skip
def test_characters_that_the_vocabulary_lacks(tokenizer: Tokenizer, text: str, count: int) -> None:
    known = {c for id in range(259, len(tokenizer)) for c in tokenizer.piece(id)}
    count += len([c for c in text if c in "</>0x41" and c not in known])
    assert unknown_characters(tokenizer.encode(text)) == count


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("the water", ""),
        ("waterwater", "·"),
        ("好", "␣₁₂₃"),
        ("the \ue000", "␣₁₂₃∅"),
        ("waterwater 好", "␣·₁₂₃"),
    ],
)
def test_signs_in_labels(tokenizer: Tokenizer, text: str, signs: str) -> None:
    tokens = [*tokenizer.encode(text), tokenizer.special(tokenizer.eos_id, len(text), 99)]
    assert "".join(signs_in(tokens)) == signs


def test_signs_that_were_typed_are_none(any_tokenizer: Tokenizer) -> None:
    """Whoever types one gets at most the signs of any other character that is not in the vocabulary."""
    for typed in "␣∅·₂":
        tokens = any_tokenizer.encode(typed)
        assert any(typed in token.label for token in tokens)
        in_bytes = unknown_characters(tokens) > 0
        assert signs_in(tokens) == (("␣", "₁₂₃") if in_bytes else ("␣", "·") if len(tokens) > 1 else ())
    assert signs_in(any_tokenizer.decode(byte_ids(any_tokenizer, b"\x7f"))[1]) == ("∅",)
    assert signs_in(any_tokenizer.decode(byte_ids(any_tokenizer, "a\u200b".encode()))[1]) == ("₁₂₃", "∅")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"model": {}}', "\x80\x04pickle"])
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"tokenizer\.json is not a vocabulary"):
        Tokenizer.load(path)


def test_a_vocabulary_without_specials_is_refused(tmp_path: Path, tiny: Path) -> None:
    content = (tiny / "tokenizer.json").read_text(encoding="utf-8")
    assert content.count('"</s>"') == 1
    (tmp_path / "tokenizer.json").write_text(content.replace('"</s>"', '"</S>"'), encoding="utf-8")
    with pytest.raises(ValueError, match="</s>"):
        Tokenizer.load(tmp_path / "tokenizer.json")
