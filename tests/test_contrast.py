"""Contrast sets: pairs differ in one word, test and corpus share no noun, verb or adjective, patterns tell right from
wrong, and the French agrees."""

import re
from collections import Counter
from pathlib import Path

import pytest

from model import contrast
from model.contrast import (
    MOST,
    TESTED,
    Noun,
    Pair,
    Sentence,
    content_words,
    held_out_pairs,
    main,
    of_the,
    read_test,
    score_pairs,
    the,
    this,
    to_the,
    training_pairs,
    words_of,
)

ROOT = Path(__file__).parents[1]
Test = list[tuple[str, Pair]]


@pytest.fixture(scope="module")
def test() -> Test:
    return read_test(ROOT / "checkpoints" / "en-fr" / "contrast-test.tsv")


@pytest.fixture(scope="module")
def training(test: Test) -> list[tuple[str, str]]:
    return training_pairs(test)


def test_the_committed_test_is_what_the_grammar_makes(test: Test) -> None:
    assert test == held_out_pairs()
    assert Counter(kind for kind, _ in test) == TESTED


def held_out_pairs_differ_in_one_place(test: Test) -> None:
    """One word, or one expression of few words, and nothing else of the English."""
    for _, (first, second) in test:
        a, b = first.english.rstrip(".?").split(), second.english.rstrip(".?").split()
        assert a != b
        while a and b and a[0] == b[0]:
            a, b = a[1:], b[1:]
        while a and b and a[-1] == b[-1]:
            a, b = a[:-1], b[:-1]
        assert max(len(a), len(b)) <= 3, (first.english, second.english)


def test_each_reference_is_right_and_the_other_is_wrong(test: Test) -> None:
    for kind, (first, second) in test:
        assert first.right(first.french)
        assert second.right(second.french)
        if first.answer != second.answer or kind != "it":
            assert not first.right(second.french), first
            assert not second.right(first.french), second


def test_genders_are_as_often_as_each_other(test: Test) -> None:
    answers = Counter((first.answer, second.answer) for kind, (first, second) in test if kind == "it")
    assert len(answers) == 4
    assert max(answers.values()) - min(answers.values()) <= 4


def test_the_corpus_has_no_noun_verb_or_adjective_of_the_test(test: Test, training: list[tuple[str, str]]) -> None:
    trained = {word for english, _ in training for word in words_of(english)}
    for kind, pair in test:
        for sentence in pair:
            known = content_words(sentence) & trained
            assert known <= ({sentence.word} if kind == "noun" else set()), sentence.english
    assert {pair[0].word for kind, pair in test if kind == "noun"} <= trained
    assert {"bank", "match", "spring", "date", "bat", "ring", "table", "watch"} <= trained


def test_the_corpus(training: list[tuple[str, str]]) -> None:
    assert 25_000 < len(training) <= MOST
    assert len({english for english, _ in training}) == len(training)
    for english, french in training:
        for text in (english, french):
            assert text[0].isupper()
            assert text[-1] in ".?"
            assert "  " not in text
            assert not re.search(r"[{}|/=]", text)
        assert not re.search(r"\b(?:de|à) les? ", french), french
        assert not re.search(r"\b(?:le|la|de|que|je|ne|ce) [aeiouéêâîœ]", french), french  # not elided


def test_no_sentence_of_the_lessons_is_in_either(test: Test, training: list[tuple[str, str]]) -> None:
    made = {english for english, _ in training} | {sentence.english for _, pair in test for sentence in pair}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "viz").rglob("*") if path.suffix in (".py", ".json")]
    shown = {sentence for text in texts for sentence in re.findall(r"[A-Z][^\".?!\u201c\u201d]+[.?!]", text)}
    assert "The animal didn't cross the street because it was too tired." in shown
    assert not made & shown
    assert not any({"animal", "street"} <= words_of(english) for english in made)


def test_articles_and_contractions() -> None:
    cases = {
        Noun("dog", ("chien",), "m"): ("le chien", "du chien", "au chien", "ce chien"),
        Noun("cow", ("vache",), "f"): ("la vache", "de la vache", "à la vache", "cette vache"),
        Noun("donkey", ("âne",), "m"): ("l'âne", "de l'âne", "à l'âne", "cet âne"),
        Noun("clock", ("horloge",), "f"): ("l'horloge", "de l'horloge", "à l'horloge", "cette horloge"),
        Noun("axe", ("hache",), "f"): ("la hache", "de la hache", "à la hache", "cette hache"),
        Noun("owl", ("hibou",), "m"): ("le hibou", "du hibou", "au hibou", "ce hibou"),
    }
    for noun, forms in cases.items():
        assert (the(noun), of_the(noun), to_the(noun), this(noun)) == forms


def sentence(word: str, answer: str, must: str, must_not: str = "zzz") -> Sentence:
    return Sentence(english="E.", french="F.", word=word, answer=answer, must=must, must_not=must_not)


def test_judging() -> None:
    il, elle = (sentence("it", who, rf"\b{who}\b.*\b{what}\b", rf"\b{other}\b")
                for who, what, other in (("il", "las", "elle"), ("elle", "lasse", "il")))  # fmt: skip
    pairs: Test = [("it", (il, elle)), ("it", (il, il)), ("it", (elle, il))]
    right = ["Il est las.", "Elle est lasse.", "il est très las", "Il est las", "ELLE EST LASSE", "il est las"]
    found = score_pairs(pairs, right)["it"]
    assert (found["both right"], found["sentences right"], found["interval"]) == (1, 1, [1, 1])
    assert found["one answer"] == pytest.approx(1 / 3)
    found = score_pairs(pairs, ["Il est las."] * 6)["it"]
    assert (found["both right"], found["sentences right"]) == (pytest.approx(1 / 3), pytest.approx(4 / 6))
    assert found["interval"][0] < 1 / 3 < found["interval"][1]
    found = score_pairs(pairs, ["il est lasse", "elle est las", "ils sont las", "il", "elle, il", "il est las"])["it"]
    assert found["both right"] == 0
    assert (found["sentences right"], found["answers right"]) == (pytest.approx(1 / 6), pytest.approx(1 / 3))
    nouns: Test = [("noun", (sentence("bank", "rive", r"\brive\b"), sentence("bank", "banque", r"\bbanque\b")))]
    assert score_pairs(nouns, ["la rive", "la banque"])["noun"]["one answer"] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "two lines of one kind"),
        ("it\ta\tb\n", "Line 1 of test.tsv has 3 fields"),
        ("it\tit\til\tE\tF\til\telle\n", "two lines of one kind"),
        ("it\tit\til\tE\tF\til\telle\n" * 2 + "it\tit\til\tE\tF\t(\telle\n" * 2, "Line 3 .* no regular expression"),
        ("it\tit\til\tE\tF\til\telle\nnoun\tit\til\tE\tF\til\telle\n", "two lines of one kind"),
    ],
)  # fmt: skip
def test_a_bad_test_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "test.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_test(tmp_path / "test.tsv")


def test_the_command_writes_both(
    tmp_path: Path, training: list[tuple[str, str]], test: Test, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("sys.argv", ["contrast", str(tmp_path / "new")])
    main()
    assert "400 pairs of sentences" in capsys.readouterr().out
    lines = (tmp_path / "new" / "contrast.tsv").read_text(encoding="utf-8").splitlines()
    assert [tuple(line.split("\t")) for line in lines] == training
    assert read_test(tmp_path / "new" / "contrast-test.tsv") == test
    assert contrast.MOST == 30_000
