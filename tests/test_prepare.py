"""Preparation: the same files again, no sentence on both sides of the split, French spaces, bad lines by number."""

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from model.prepare import TEST, VALIDATION, clean, clean_french, key, main, prepare, split_of, usable
from model.tokenizer import Tokenizer

FILES = ("about.json", "test.tsv", "tokenizer.json", "train.tsv", "val.tsv")
ABOUT = {"pair": "English to French", "source": "made up", "licence": "none"}


def corpus(path: Path, count: int = 1500) -> list[tuple[str, str]]:
    """A corpus with every sentence in several spellings, some of them with two translations, some repeated."""
    rng = random.Random(1)
    lines = []
    for i in range(count):
        name, thing = rng.choice(["Ann", "Bob", "Zoé"]), rng.choice(["tea", "milk", "jam"])
        source, target = f"{name} has {i} {thing}s", f"{name} a {i} {thing}s"
        variants = [f"{source}.", f"{source}!", source.upper(), f"  {source} .", source.replace(" ", "\u00a0")]
        lines += [(variant, f"{target}.") for variant in rng.sample(variants, rng.randint(1, 3))]
        if i % 7 == 0:
            lines += [(f"{source}.", f"Il y a {i} {thing}s chez {name}."), lines[-1]]
    rng.shuffle(lines)
    path.write_text("".join(f"{source}\t{target}\n" for source, target in lines), encoding="utf-8")
    return lines


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    corpus(folder / "corpus.tsv")
    prepare(folder / "corpus.tsv", folder, 500, ABOUT)
    return folder


def read(folder: Path, split: str) -> list[list[str]]:
    return [line.split("\t") for line in (folder / f"{split}.tsv").read_text(encoding="utf-8").splitlines()]


def test_no_sentence_on_both_sides(prepared: Path) -> None:
    keys = {split: {key(line[0]) for line in read(prepared, split)} for split in ("train", "val", "test")}
    assert all(len(keys[split]) > 5 for split in keys)
    assert not keys["train"] & keys["val"]
    assert not keys["train"] & keys["test"]
    assert not keys["val"] & keys["test"]
    # the key itself: another spelling of a kept sentence is not in training either
    training = {line[0].casefold().strip(" .!") for line in read(prepared, "train")}
    for split in ("val", "test"):
        assert not training & {line[0].casefold().strip(" .!") for line in read(prepared, split)}


def test_every_pair_is_kept_once(prepared: Path) -> None:
    lines = [line.split("\t") for line in (prepared / "corpus.tsv").read_text(encoding="utf-8").splitlines()]
    expected = {(clean(source), clean_french(target)) for source, target in lines}
    kept = [
        (source, target)
        for split in ("train", "val", "test")
        for source, *targets in read(prepared, split)
        for target in targets
    ]
    assert len(kept) == len(set(kept))
    assert set(kept) == expected
    counts = json.loads((prepared / "about.json").read_text(encoding="utf-8"))["counts"]
    assert counts["read"] == len(lines)
    assert counts["repeated"] == len(lines) - len(expected) - counts["unusable"]
    assert counts["train pairs"] + counts["val references"] + counts["test references"] == len(expected)
    assert 300 < counts["vocabulary"] == len(Tokenizer.load(prepared / "tokenizer.json")) <= 500


def test_evaluation_sentences_have_all_their_references(prepared: Path) -> None:
    for split in ("val", "test"):
        sources = [line[0] for line in read(prepared, split)]
        assert len(sources) == len(set(sources))
    assert any(len(line) == 3 for line in read(prepared, "test"))


def test_same_files_again_gzipped_or_in_another_order(prepared: Path, tmp_path: Path) -> None:
    text = (prepared / "corpus.tsv").read_text(encoding="utf-8")
    with gzip.open(tmp_path / "corpus.tsv.gz", "wt", encoding="utf-8") as zipped:
        zipped.write(text)
    shuffled = text.splitlines(keepends=True)
    random.Random(2).shuffle(shuffled)
    (tmp_path / "shuffled.tsv").write_text("".join(shuffled), encoding="utf-8")
    for name in ("corpus.tsv.gz", "shuffled.tsv"):
        prepare(tmp_path / name, tmp_path / "out", 500, ABOUT)
        for file in FILES:
            assert (tmp_path / "out" / file).read_bytes() == (prepared / file).read_bytes(), (name, file)


def test_shares_of_the_split() -> None:
    splits = [split_of(f"Sentence number {i}.") for i in range(20_000)]
    for split, share in (("test", TEST), ("val", VALIDATION)):
        sigma = (20_000 * share * (1 - share)) ** 0.5
        assert abs(splits.count(split) - 20_000 * share) < 5 * sigma


def test_case_and_punctuation_do_not_move_a_sentence() -> None:
    for i in range(300):
        spellings = (f"It's {i} o'clock.", f"IT\u2019S {i} O'CLOCK!", f"it's {i}, o'clock", f"  Its {i} oclock ?  ")
        assert len({split_of(spelling) for spelling in spellings}) == 1
    assert key("!?") != key("...")  # a sentence of signs only is still a sentence


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Quoi?", "Quoi ?"),
        ("Quoi  ?", "Quoi ?"),
        ("Ça va\u202f!", "Ça va !"),
        ("Non?!", "Non ?!"),
        ("C'est vrai;oui", "C'est vrai ;oui"),
        ("Note: oui", "Note : oui"),
        ("Il est 12:30.", "Il est 12:30."),
        ("«Oui»", "« Oui »"),
        ("«\u00a0Oui\u00a0»", "« Oui »"),
        ("L\u2019e\u0301te\u0301", "L'été"),
        ("?", "?"),
    ],
)
def test_french_spaces(typed: str, expected: str) -> None:
    assert clean_french(typed) == expected


def test_cleaning_twice_is_cleaning_once() -> None:
    rng = random.Random(4)
    for _ in range(2000):
        text = "".join(rng.choices("ab1 ?!;:«»'\u2019\u00a0\u202f\u200b\te\u0301\x00", k=rng.randint(0, 10)))
        assert clean(clean(text)) == clean(text)
        assert clean_french(clean_french(text)) == clean_french(text)
        assert not set(clean(text)) & set("\u2019\u00a0\u202f\u200b\t\x00")


def test_unusable_pairs() -> None:
    assert usable("Hi.", "Salut.")
    assert not usable("", "Salut.")
    assert not usable("Hi.", "")
    assert not usable("a" * 401, "a" * 401)
    assert not usable("Hi.", "Salut, comment allez-vous aujourd'hui ?")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("a\tb\nno tab here\nc\td\n", "Line 2 of bad.tsv has 1 fields"),
        ("a\tb\nc\td\ta licence\n", "Line 2 of bad.tsv has 3 fields"),
        ("a\tb\n\nc\td\n", "Line 2 of bad.tsv has 1 fields"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, lines: str, said: str) -> None:
    (tmp_path / "bad.tsv").write_text(lines, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        prepare(tmp_path / "bad.tsv", tmp_path / "out", 300, ABOUT)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.tsv", b"a\tb\nno tab\n", "Line 2 of bad.tsv"),
        ("bad.tsv", b"a\tcaf\xe9\n", "bad.tsv is not UTF-8"),
        ("bad.tsv.gz", b"not gzipped", "gzip"),
        ("bad.tsv.gz", gzip.compress(b"a\tb\n" * 50)[:-9], "end"),
        (None, b"", "No such file"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, content: bytes, said: str
) -> None:
    path = tmp_path / (name or "missing.tsv")
    if name:
        path.write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["prepare", str(path), "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as caught:
        main()
    assert str(caught.value).startswith("python -m model.prepare: ")
    assert said in str(caught.value)


def test_the_tiny_corpus_is_the_scripts(tmp_path: Path, tiny: Path, sentences: list[tuple[str, str]]) -> None:
    """tests/data/tiny.tsv and the tiny vocabulary are what make_tiny.py and this version of prepare make."""
    from tests.data.make_tiny import CORPUS, corpus

    assert sentences == corpus()
    command = [sys.executable, "-m", "model.prepare", str(CORPUS), "--out", str(tmp_path), "--vocab-size", "450"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    assert "200 read" in result.stdout
    assert (tmp_path / "tokenizer.json").read_bytes() == (tiny / "tokenizer.json").read_bytes()
