"""The one door: shapes, sums and sameness of what a translation leaves behind, and what odd text does to it."""

import copy
import io
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.config import TransformerConfig
from model.records import Token, Translation
from model.search import search
from model.transformer import Transformer
from model.translate import Translator, load, main, pick_device, whole_words

ROOT = Path(__file__).parents[1]
ODD = [
    "Mary doesn't like John's book.",
    "the",
    "   We   see\tthe  water .  ",
    "😀 👨\u200d👩\u200d👧",
    "你好，世界。 مرحبا",
    "a\x00b\x1b[31m",
    "</s> <s> <pad> <0x41>",
    "zxq" * 15,
    "Do I find 12 eggs? " * 40,
]
ARRAYS = ("encoder", "decoder", "cross", "log_probs")


def equal(a: Translation, b: Translation) -> bool:
    return (
        (a.text, a.source, a.target, a.alternatives) == (b.text, b.source, b.target, b.alternatives)
        and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ARRAYS)
    )  # fmt: skip


def check(translation: Translation, translator: Translator) -> None:
    """What trace.py promises of every translation."""
    config = translator.config
    assert isinstance(config, TransformerConfig)
    s, t, h = len(translation.source), len(translation.target), config.n_heads
    assert translation.encoder.shape == (config.encoder_layers, h, s, s)
    assert translation.decoder.shape == (config.decoder_layers, h, t, t)
    assert translation.cross.shape == (config.decoder_layers, h, t, s)
    assert translation.log_probs.shape == (t,)
    assert len(translation.alternatives) == len(translation.decoder_input) == t
    for name in ARRAYS:
        array = getattr(translation, name)
        assert array.dtype == np.float32
        assert np.isfinite(array).all()
    for weights in (translation.encoder, translation.decoder, translation.cross):
        assert weights.min() >= 0
        np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    future = np.triu(np.ones((t, t), bool), 1)
    assert (translation.decoder[..., future] == 0).all()
    assert (translation.log_probs <= 0).all()

    assert translation.source[-1].piece == translation.target[-1].piece == "</s>"
    assert [token.special for token in translation.source] == [False] * (s - 1) + [True]
    assert [token.special for token in translation.target] == [False] * (t - 1) + [True]
    assert translation.decoder_input[0].piece == "<s>"
    assert translation.decoder_input[0].special
    assert translation.decoder_input[1:] == translation.target[:-1]
    for text, tokens in ((translation.source_text, translation.source), (translation.text, translation.target)):
        assert all(0 <= token.start <= token.end <= len(text) for token in tokens)
        numbers = [token.word for token in tokens]
        assert numbers == sorted(numbers)
        assert numbers[-1] not in numbers[:-1]
    for token, log_prob, step in zip(translation.target, translation.log_probs, translation.alternatives, strict=True):
        values = [alternative.log_prob for alternative in step]
        assert values == sorted(values, reverse=True)
        assert values[0] >= log_prob
        named = [alternative.log_prob for alternative in step if alternative.id == token.id]
        assert named == [log_prob] or (not named and values[-1] >= log_prob)
    assert translation.checkpoint == translator.checkpoint


def test_its_own_sentences(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    for english, french in sentences[::5]:
        translation = translator.translate(english)
        check(translation, translator)
        assert translation.text == french
        assert (translation.source_text, translation.forced, translation.left_out) == (english, False, 0)
        assert translation.left_out_from == len(english)
        assert translation.notes == ()
        assert translation.log_prob == pytest.approx(float(translation.log_probs.sum()))
        assert translation.log_prob > -3  # it knows them by heart


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("text", ODD)
def test_odd_text(translator: Translator, text: str, beam: int) -> None:
    check(translator.translate(text, beam=beam), translator)


@pytest.mark.parametrize("beam", [1, 4])
def test_search_and_forced_pass_give_the_same_probability(
    translator: Translator, sentences: list[tuple[str, str]], beam: int
) -> None:
    for text in [english for english, _ in sentences[::20]] + ODD:
        translation = translator.translate(text, beam=beam)
        ids = torch.tensor([[token.id for token in translation.source]])
        best = search(translator.model, ids, beam=beam)[0][0]
        assert [token.id for token in translation.target[:-1]] == best.ids
        assert translation.log_prob == pytest.approx(best.log_prob, abs=1e-3)


def test_a_given_target_that_equals_the_found_one(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    for english, french in sentences[::10]:
        found = translator.translate(english)
        given = translator.translate(english, target=french)
        assert given.forced
        assert equal(found, given)


def test_a_translation_is_given_as_ids(
    translator: Translator, bundled: Translator, sentences: list[tuple[str, str]]
) -> None:
    """A model's own translation keeps its pieces and its probability, with </s> among its ids or without."""
    asked = [(translator, english) for english, _ in sentences[::20]] + [(translator, text) for text in ODD]
    for model, text in [*asked, (bundled, "My name is Zbigniew."), (bundled, "She was wearing a kimono.")]:
        found = model.translate(text)
        for ids in (found.target_ids, list(found.target_ids[:-1])):
            given = model.translate(text, target=ids)
            assert given.forced
            assert equal(found, given)
            assert given.log_prob == found.log_prob


def test_given_ids_are_not_cut_anew(translator: Translator) -> None:
    """A text that is one piece, spelt by its letters."""
    tokenizer = translator.tokenizer
    whole = tokenizer.encode("le")
    spelt = [tokenizer.vocabulary.get_vocab()[piece] for piece in ("\u2581", "l", "e")]
    assert len(whole) == 1
    given = translator.translate("the water", target=spelt)
    check(given, translator)
    assert given.text == "le"
    assert [token.id for token in given.target[:-1]] == spelt
    assert given.log_prob != translator.translate("the water", target="le").log_prob


def test_given_ids_that_are_no_text(translator: Translator) -> None:
    tokenizer, limit = translator.tokenizer, translator.config.max_length - 1
    letter = tokenizer.vocabulary.get_vocab()["e"]
    for ids in (
        [tokenizer.bos_id, letter],
        [letter, tokenizer.eos_id, letter],
        [tokenizer.pad_id],
        [-1],
        [len(tokenizer)],
    ):
        with pytest.raises(ValueError, match="no pieces of this model's vocabulary"):
            translator.translate("the water", target=ids)
    with pytest.raises(ValueError, match=f"has {limit + 1} pieces"):
        translator.translate("the water", target=[letter] * (limit + 1))
    for nothing in ((), (tokenizer.eos_id,)):  # what a model may well find
        empty = translator.translate("the water", target=nothing)
        check(empty, translator)
        assert (empty.text, len(empty.target)) == ("", 1)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("\ufeffThe cat sleeps.", "The cat sleeps."),
        ("The c\u00adat\u200b sleeps\x00.", "The cat sleeps."),
        ("I couldn\u2018t help you.", "I couldn't help you."),
        ("I couldn\uff07t help you.", "I couldn't help you."),
        ("He said \u201chello\u201d to me.", 'He said "hello" to me.'),
        ("He said \u00ab hello \u00bb to me.", 'He said "hello" to me.'),
    ],
)
def test_it_is_translated_as_training_wrote_it(bundled: Translator, typed: str, plain: str) -> None:
    translation, expected = bundled.translate(typed), bundled.translate(plain)
    check(translation, bundled)
    assert (translation.text, translation.log_prob) == (expected.text, expected.log_prob)
    assert translation.target == expected.target
    assert translation.source_text == typed
    assert translation.unknown_characters == 0


def test_characters_that_the_vocabulary_lacks_are_counted(translator: Translator) -> None:
    assert translator.translate("the water").unknown_characters == 0
    assert translator.translate("the 水 water 水").unknown_characters == 2
    cut = translator.translate("水" * 200)  # what was not read is not counted
    assert cut.left_out > 0
    assert 0 < cut.unknown_characters <= translator.config.max_length // 3


def test_a_given_target_is_kept_as_typed(translator: Translator) -> None:
    right = translator.translate("They see the water.", target="Ils voient l'eau.")
    typed = "  Ils\u00a0mangent l\u2019arbre 😀 "
    wrong = translator.translate("They see the water.", target=typed)
    check(wrong, translator)
    assert wrong.forced
    assert wrong.text == typed
    assert "".join(typed[token.start : token.end] for token in wrong.target if "<0x" not in token.piece) == (
        "Ilsmangentl\u2019arbre"
    )
    assert wrong.log_prob < right.log_prob - 5
    assert np.array_equal(wrong.encoder, right.encoder)  # the encoder has not seen the target


def test_forced_rows_do_not_look_ahead(translator: Translator) -> None:
    """The same beginning has the same numbers, whatever is typed after it."""
    one = translator.translate("We see the apple.", target="Nous voyons la pomme.")
    other = translator.translate("We see the apple.", target="Nous voyons la petite maison de Jean.")
    n = next(i for i, (a, b) in enumerate(zip(one.target, other.target, strict=False)) if a.id != b.id)
    assert n >= 3
    np.testing.assert_allclose(one.cross[:, :, : n + 1], other.cross[:, :, : n + 1], atol=1e-5)
    np.testing.assert_allclose(one.log_probs[:n], other.log_probs[:n], atol=1e-4)
    assert abs(one.log_probs[n] - other.log_probs[n]) > 0.1


@pytest.mark.parametrize("count", [1, 3, 10_000])
def test_number_of_alternatives(translator: Translator, count: int) -> None:
    translation = translator.translate("They see the water.", alternatives=count)
    assert {len(step) for step in translation.alternatives} == {min(count, translator.config.vocab_size)}
    if count > translator.config.vocab_size:  # all of them: their probabilities sum to 1
        for step in translation.alternatives:
            assert np.exp([alternative.log_prob for alternative in step]).sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", ["", " ", "\n\t \u00a0\u2003", "\u3000"])
def test_nothing_to_translate(translator: Translator, text: str) -> None:
    with pytest.raises(ValueError, match="nothing to translate"):
        translator.translate(text)
    with pytest.raises(ValueError, match="given translation is empty"):
        translator.translate("the water", target=text)


def test_a_beam_of_nothing(translator: Translator) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        translator.translate("the water", beam=0)


def test_a_long_source_is_cut_at_a_word(translator: Translator) -> None:
    limit = translator.config.max_length - 1
    for lead in ("", "Mary "):
        text = lead + "John's dog doesn't like the white cat. " * 12
        pieces = translator.tokenizer.encode(text)
        assert len(pieces) > limit
        translation = translator.translate(text)
        check(translation, translator)
        kept = translation.source[:-1]
        assert list(kept) == pieces[: len(kept)]
        assert translation.left_out == len(pieces) - len(kept)
        assert translation.left_out_from == pieces[len(kept)].start == translation.source[-1].start
        assert pieces[len(kept)].word != kept[-1].word
        # as much as fits: one word more would be too long
        next_word = [piece for piece in pieces if piece.word == pieces[len(kept)].word]
        assert len(kept) <= limit < len(kept) + len(next_word)
        assert translation.source_text == text
        # what was left out has not been seen
        assert equal(translation, translator.translate(text[: translation.left_out_from]))


def test_a_source_that_just_fits(translator: Translator) -> None:
    limit = translator.config.max_length - 1
    for count, left_out in ((limit, 0), (limit + 1, 1)):
        text = "?" * count
        pieces = translator.tokenizer.encode(text)
        space = len(pieces) - count  # the space that a text starts with may be a piece of its own
        translation = translator.translate(text[space:])
        assert translation.left_out == left_out
        assert translation.left_out_from == len(text) - space - left_out
        assert len(translation.source) == translator.config.max_length


def test_a_word_longer_than_the_model_reads(translator: Translator) -> None:
    text = "zxqj" * 50
    translation = translator.translate(text)
    check(translation, translator)
    assert len(translation.source) == translator.config.max_length
    assert translation.left_out == len(translator.tokenizer.encode(text)) - translator.config.max_length + 1


def test_whole_words() -> None:
    def pieces(*words: int) -> list[Token]:
        return [Token(id=9, piece="x", label="x", start=i, end=i + 1, word=word) for i, word in enumerate(words)]

    assert len(whole_words(pieces(0, 1, 2), 3)) == 3
    assert len(whole_words(pieces(0, 1, 2, 3), 3)) == 3
    assert len(whole_words(pieces(0, 1, 2, 2), 3)) == 2
    assert len(whole_words(pieces(0, 1, 1, 1), 3)) == 1
    assert len(whole_words(pieces(0, 0, 0, 0), 3)) == 3


def test_a_given_target_that_is_too_long(translator: Translator) -> None:
    limit = translator.config.max_length - 1
    fits = "?" * (limit - len(translator.tokenizer.encode("?")) + 1)
    check(translator.translate("the water", target=fits), translator)
    with pytest.raises(ValueError, match=rf"has {limit + 1} pieces; this model reads at most {limit}\."):
        translator.translate("the water", target=fits + "?")


def test_twenty_translations_from_four_threads(tiny: Path, sentences: list[tuple[str, str]]) -> None:
    """Sessions share the model: nothing in it changes, and each gets what it would get alone."""
    translator = load(tiny, "cpu")
    before = {name: value.clone() for name, value in translator.model.state_dict().items()}
    attributes = {name: set(vars(layer)) for name, layer in translator.model.named_modules()}
    asked: list[dict[str, Any]] = [{"text": english} for english, _ in sentences[:10]]
    asked += [{"text": text, "beam": 3} for text in ODD[:6]]
    asked += [{"text": english, "target": "Le chat mange."} for english, _ in sentences[10:14]]
    alone = [translator.translate(**words) for words in asked]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda words: translator.translate(**words), asked))
    assert len(together) == 20
    assert all(equal(a, b) for a, b in zip(alone, together, strict=True))
    after = translator.model.state_dict()
    assert after.keys() == before.keys()
    assert all(after[name].equal(before[name]) for name in before)
    assert {name: set(vars(layer)) for name, layer in translator.model.named_modules()} == attributes
    assert not any(layer.training for layer in translator.model.modules())
    assert all(parameter.grad is None for parameter in translator.model.parameters())


@pytest.mark.parametrize("where", ["decode_step", "force"])
def test_a_full_device_hands_over_to_the_cpu(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """`decode_step` fails in search, `force` in the forced pass; only the copy on the CPU has room."""
    expected = translator.translate("They see the water.")
    full = copy.copy(translator)
    full.device = torch.device("cuda")
    work = getattr(Transformer, where)

    def out_of_memory(self: Transformer, *args: Any, **rest: Any) -> Any:
        if self is full.model:
            raise torch.OutOfMemoryError("no room")
        return work(self, *args, **rest)

    monkeypatch.setattr(Transformer, where, out_of_memory)
    translation = full.translate("They see the water.")
    assert equal(translation, expected)
    assert len(translation.notes) == 1
    assert "cuda" in translation.notes[0].english
    assert "CPU" in translation.notes[0].english
    full.device = torch.device("cpu")  # where the CPU itself is full, there is nothing to hand over to
    with pytest.raises(torch.OutOfMemoryError):
        full.translate("They see the water.")


def test_a_translation_in_the_interpreter_is_one_line(translator: Translator) -> None:
    translation = translator.translate("They see\nthe water. " * 20)
    assert "\n" not in repr(translation)
    assert len(repr(translation)) < 300
    assert repr(translator.translate("They see the water.")) == (
        f"<Translation 'They see the water.' -> \"Ils voient l'eau.\", 6 + 8 pieces, {translator.checkpoint.name}>"
    )


def test_devices() -> None:
    assert pick_device("cpu") == torch.device("cpu")
    assert pick_device("auto").type in ("cpu", "cuda", "mps")
    with pytest.raises(ValueError, match="no device called 'tpu'"):
        pick_device("tpu")
    for name, there in (("cuda", torch.cuda.is_available()), ("mps", torch.backends.mps.is_available())):
        if not there:
            with pytest.raises(ValueError, match=f"no {name}"):
                pick_device(name)


def test_the_command_reads_odd_lines(tiny: Path, translator: Translator, sentences: list[tuple[str, str]]) -> None:
    """One line out for each line in; among them bytes that are no UTF-8, and first of all a byte-order mark."""
    lines = [sentences[0][0], "", "the water " * 500, "😀", "a\x00b", "  \t", "</s>", sentences[7][0]]
    data = b"\xef\xbb\xbf" + "".join(line + "\n" for line in lines).encode() + b"caf\xe9\r\nno line end"
    command = [sys.executable, "-m", "model.translate", "--checkpoint", str(tiny), "--device", "cpu", "--json"]
    result = subprocess.run(command, input=data, capture_output=True, cwd=ROOT, check=True, timeout=60)
    records = [json.loads(line) for line in result.stdout.decode("utf-8").splitlines()]
    typed = [*lines, "caf\ufffd", "no line end"]
    assert len(records) == len(typed)
    for text, record in zip(typed, records, strict=True):
        assert set(record) == {"source", "target", "text", "log_prob"}
        if not text.strip():
            assert record == {"source": [], "target": [], "text": "", "log_prob": 0.0}
            continue
        expected = translator.translate(text)
        assert record["text"] == expected.text
        assert record["source"] == [token.piece for token in expected.source]
        assert record["target"] == [token.piece for token in expected.target]
        assert record["log_prob"] == pytest.approx(expected.log_prob, abs=1e-4)
    left_out = translator.translate(lines[2]).left_out
    assert left_out > 0
    assert result.stderr.decode("utf-8").startswith(f"{left_out} pieces were left out, from: ")


def run(monkeypatch: pytest.MonkeyPatch, text: str, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", ["translate", *map(str, words)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    main()


def test_the_command_in_plain_text(
    tiny: Path,
    sentences: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = f"{sentences[0][0]}\n\n{sentences[3][0]}\n"
    run(monkeypatch, text, "--checkpoint", tiny, "--device", "cpu", "--beam", 2)
    assert capsys.readouterr().out == f"{sentences[0][1]}\n\n{sentences[3][1]}\n"


def test_the_command_says_what_is_wrong(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match=r"python -m model\.translate: There is no checkpoint in .*nowhere"):
        run(monkeypatch, "", "--checkpoint", tmp_path / "nowhere")
    with pytest.raises(SystemExit, match="no device called 'tpu'"):
        run(monkeypatch, "", "--checkpoint", tiny, "--device", "tpu")
    with pytest.raises(SystemExit):
        run(monkeypatch, "", "--checkpoint", tiny, "--beam", "0")
    assert "--beam must be between 1 and 100" in capsys.readouterr().err
