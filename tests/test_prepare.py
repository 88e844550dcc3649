"""Preparation: the same files again, no sentence on both sides of the split, French spaces, bad lines by number."""

import gzip
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from model import prepare as module
from model.prepare import (
    TEST,
    VALIDATION,
    Corpus,
    Recipe,
    clean,
    clean_french,
    key,
    main,
    prepare,
    split_of,
    usable,
)
from model.tokenizer import Tokenizer

FILES = ("about.json", "test.tsv", "tokenizer.json", "train/first.tsv", "val.tsv")


def recipe(*corpora: Corpus, file: str = "corpus.tsv", vocabulary: int = 500) -> Recipe:
    """One corpus named "first", whose sentences are also tested, and others."""
    first = Corpus(name="first", file=file, source="made up", licence="none", test=True)
    return Recipe(pair="English to French", target="fr", vocabulary=vocabulary, corpora=(first, *corpora))


def second(**settings: Any) -> Corpus:
    return Corpus(**{"name": "second", "file": "second.tsv", "source": "a friend", "licence": "CC0"} | settings)


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
    prepare(recipe(), folder, folder / "out")
    return folder / "out"


def read(folder: Path, split: str) -> list[list[str]]:
    file = folder / ("train/first.tsv" if split == "train" else f"{split}.tsv")
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


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
    lines = [line.split("\t") for line in (prepared.parent / "corpus.tsv").read_text(encoding="utf-8").splitlines()]
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
    text = (prepared.parent / "corpus.tsv").read_text(encoding="utf-8")
    with gzip.open(tmp_path / "corpus.tsv.gz", "wt", encoding="utf-8") as zipped:
        zipped.write(text)
    shuffled = text.splitlines(keepends=True)
    random.Random(2).shuffle(shuffled)
    (tmp_path / "shuffled.tsv").write_text("".join(shuffled), encoding="utf-8")
    for name in ("corpus.tsv.gz", "shuffled.tsv"):
        prepare(recipe(file=name), tmp_path, tmp_path / "out")
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
        prepare(recipe(file="bad.tsv"), tmp_path, tmp_path / "out")


def test_another_corpus_moves_no_test_sentence(prepared: Path, tmp_path: Path) -> None:
    """Its own sentences that fall to validation or test are left out, those of the first corpus with them."""
    lines = corpus(tmp_path / "corpus.tsv")
    new = [(f"{name} is number {i}.", f"{name} est le numéro {i}.") for i in range(300) for name in ("Eve", "Ida")]
    tests = [
        (source, "Une autre traduction.") for source in sorted({line[0].upper() for line in read(prepared, "test")})
    ]
    shared = lines[:50]
    text = "".join(f"{source}\t{target}\n" for source, target in [*new, *tests, *shared])
    (tmp_path / "second.tsv").write_text(text, encoding="utf-8")
    about = prepare(recipe(second()), tmp_path, tmp_path / "out")
    for name in ("test.tsv", "val.tsv", "train/first.tsv"):
        assert (tmp_path / "out" / name).read_bytes() == (prepared / name).read_bytes(), name
    expected = sorted(pair for pair in new if split_of(pair[0]) == "train")
    kept = [
        tuple(line.split("\t")) for line in (tmp_path / "out" / "train" / "second.tsv").read_text("utf-8").splitlines()
    ]
    assert kept == expected
    assert 500 < len(kept) < 600
    left_out = {(clean(a), clean_french(b)) for a, b in [*new, *tests, *shared] if split_of(clean(a)) != "train"}
    assert about["counts"]["left out"] == len(left_out - {(clean(a), clean_french(b)) for a, b in lines})


def test_about_has_a_line_for_each_source(prepared: Path, tmp_path: Path) -> None:
    corpus(tmp_path / "corpus.tsv")
    long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    texts = [*(f"{long} {i}" for i in range(60)), *(f"Eve has {i}" for i in range(40))]
    (tmp_path / "second.tsv").write_text("".join(f"{text}\t{text}\n" for text in texts), encoding="utf-8")
    prepare(recipe(second()), tmp_path, tmp_path / "out")
    about = json.loads((tmp_path / "out" / "about.json").read_text(encoding="utf-8"))
    first, other = about["corpora"]
    kept = [text for text in texts if split_of(text) == "train"]
    assert other == {
        "name": "second",
        "source": "a friend",
        "licence": "CC0",
        "pairs": len(kept),
        "source words": round(sum(len(text.split()) for text in kept) / len(kept), 1),
        "over 15 words": sum(text.startswith(long) for text in kept),
    }
    assert first == json.loads((prepared / "about.json").read_text(encoding="utf-8"))["corpora"][0]
    assert about["counts"]["train pairs"] == first["pairs"] + other["pairs"]


def test_a_cap_draws_the_same_pairs_whatever_their_order(tmp_path: Path) -> None:
    corpus(tmp_path / "corpus.tsv")
    lines = [f"Eve is number {i}.\tÈve est le numéro {i}.\n" for i in range(400)]
    drawn = []
    for seed in (0, 1):
        random.Random(seed).shuffle(lines)
        (tmp_path / "second.tsv").write_text("".join(lines), encoding="utf-8")
        about = prepare(recipe(second(most=100)), tmp_path, tmp_path / "out")
        assert about["corpora"][1]["pairs"] == 100
        drawn.append((tmp_path / "out" / "train" / "second.tsv").read_text(encoding="utf-8"))
    assert drawn[0] == drawn[1]
    assert set(drawn[0].splitlines(keepends=True)) < set(lines)
    numbers = sorted(int(line.split("\t")[0][14:-1]) for line in drawn[0].splitlines())
    assert numbers[0] < 40
    assert numbers[-1] > 360  # not the first hundred in some order


def test_a_run_that_is_killed_leaves_the_old_data_whole(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus(tmp_path / "corpus.tsv", 800)
    out = tmp_path / "out"
    prepare(recipe(), tmp_path, out)
    before = {name: (out / name).read_bytes() for name in FILES}
    corpus(tmp_path / "corpus.tsv")

    def full(*_: object) -> None:
        raise OSError("No space left on device")

    train = module.tokenizer.train
    monkeypatch.setattr(module.tokenizer, "train", full)  # the last of the work, when train/ is written already
    with pytest.raises(OSError, match="No space"):
        prepare(recipe(), tmp_path, out)
    assert {name: (out / name).read_bytes() for name in FILES} == before
    out.rename(tmp_path / "out.old")  # killed between the two renamings
    with pytest.raises(OSError, match="No space"):
        prepare(recipe(), tmp_path, out)
    assert {name: (out / name).read_bytes() for name in FILES} == before
    monkeypatch.setattr(module.tokenizer, "train", train)
    prepare(recipe(), tmp_path, out)
    assert {name: (out / name).read_bytes() for name in FILES} == {
        name: (prepared / name).read_bytes() for name in FILES
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.tsv", "out"]


def test_the_recipe_of_the_bundled_models() -> None:
    recipe = Recipe.load(Path(__file__).parents[1] / "checkpoints" / "en-fr" / "corpora.toml")
    assert [corpus.name for corpus in recipe.corpora if corpus.test] == ["tatoeba"]
    assert all(corpus.source and corpus.licence for corpus in recipe.corpora)


HEAD = 'pair = "English to French"\ntarget = "fr"\nvocabulary = 500\n'
BODY = '[[corpus]]\nname = "first"\nfile = "corpus.tsv"\nsource = "made up"\nlicence = "none"\ntest = true\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pair = ", "is no recipe"),
        (BODY, "is no recipe: .*pair"),
        (HEAD, "No corpus of corpora.toml has `test = true`"),
        (HEAD + BODY.replace("test = true\n", ""), "No corpus of corpora.toml has `test = true`"),
        (HEAD + BODY + BODY, "Two corpora of corpora.toml have one name"),
        (HEAD + BODY + "cap = 3\n", "is no recipe: .*cap"),
        (HEAD + BODY + 'most = "3"\n', "most of a corpus must be of type int"),
        (HEAD + BODY.replace("first", "../first"), "made of a-z, 0-9 and -"),
        (HEAD.replace("fr", "xx", 1) + BODY, "target in corpora.toml must be one of fr, zh"),
        (HEAD.replace("500", "200") + BODY, "vocabulary must be between 300"),
    ],
)
def test_a_bad_recipe_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "corpora.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        Recipe.load(tmp_path / "corpora.toml")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.tsv", b"a\tb\nno tab\n", "Line 2 of bad.tsv"),
        ("bad.tsv", b"a\tcaf\xe9\n", "bad.tsv is not UTF-8"),
        ("bad.tsv.gz", b"not gzipped", "gzip"),
        ("bad.tsv.gz", gzip.compress(b"a\tb\n" * 50, mtime=0)[:-9], "bad.tsv.gz is no whole gzip file: .*end"),
        (
            "bad.tsv.gz",
            gzip.compress(bytes(range(32, 127)) * 50, mtime=0)[:20] + b"\xff" * 40,
            "bad.tsv.gz is no whole gzip file",
        ),
        ("bad.tsv", b"A very short corpus.\tTout petit corpus.\n", "none for val, test. Nothing was written"),
        (None, b"", "No such file"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, content: bytes, said: str
) -> None:
    if name:
        (tmp_path / name).write_bytes(content)
    (tmp_path / "corpora.toml").write_text(HEAD + BODY.replace("corpus.tsv", name or "missing.tsv"), encoding="utf-8")
    words = ["prepare", tmp_path / "corpora.toml", "--folder", tmp_path, "--out", tmp_path / "out"]
    monkeypatch.setattr(sys, "argv", list(map(str, words)))
    with pytest.raises(SystemExit) as caught:
        main()
    assert str(caught.value).startswith("python -m model.prepare: ")
    assert re.search(said, str(caught.value))
    assert not (tmp_path / "out").exists()


def test_the_tiny_corpus_is_the_scripts(tmp_path: Path, tiny: Path, sentences: list[tuple[str, str]]) -> None:
    """tests/data/tiny.tsv and the tiny vocabulary are what make_tiny.py and this version of prepare make."""
    from tests.data.make_tiny import HERE, RECIPE, corpus

    assert sentences == corpus()
    command = [sys.executable, "-m", "model.prepare", str(RECIPE), "--folder", str(HERE), "--out", f"{tmp_path}/out"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    assert "200 read" in result.stdout
    assert (tmp_path / "out" / "tokenizer.json").read_bytes() == (tiny / "tokenizer.json").read_bytes()
