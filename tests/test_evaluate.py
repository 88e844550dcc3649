"""BLEU and chrF are sacrebleu's, however many references a sentence has; the command prints them."""

import json
import random
import shutil
import statistics
import sys
from pathlib import Path

import pytest
import sacrebleu
import torch

from model.checkpoint import load_checkpoint
from model.errors import UserError
from model.evaluate import (
    LENGTHS,
    evaluate,
    full_test,
    intervals,
    known_references,
    main,
    repeats,
    score,
    score_by_length,
    string_together,
    translate_ids,
)
from model.experiments import finish
from model.experiments.alignment import gold_rates, read_gold
from model.search import search
from model.translate import Translator


def random_sentence(rng: random.Random, longest: int = 12) -> str:
    return " ".join(
        rng.choices(["le", "la", "chat", "eau", "voit", "ne", "pas", "Jean", "."], k=rng.randint(1, longest))
    )


def ragged(seed: int, count: int = 60) -> tuple[list[str], list[list[str]]]:
    """Translations and one to four references each, not unlike them."""
    rng = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(count):
        hypothesis = random_sentence(rng)
        words = hypothesis.split()
        near = [
            " ".join(words[rng.randint(0, 1) :] + rng.choices(["oui", "eau"], k=rng.randint(0, 2))) for _ in range(3)
        ]
        hypotheses.append(hypothesis)
        references.append([text or "rien" for text in near[: rng.randint(0, 3)]] + [random_sentence(rng)])
    return hypotheses, references


def test_one_reference_each_is_sacrebleu() -> None:
    hypotheses, references = ragged(1)
    stream = [texts[0] for texts in references]
    scores = score(hypotheses, [[text] for text in stream])
    assert scores["bleu"] == pytest.approx(sacrebleu.corpus_bleu(hypotheses, [stream]).score)
    assert scores["chrf"] == pytest.approx(sacrebleu.corpus_chrf(hypotheses, [stream]).score)
    assert 5 < scores["bleu"] < 95


def test_ragged_references_are_sacrebleu_with_repeated_ones() -> None:
    """A reference twice changes neither metric, so sacrebleu can be asked without gaps in its streams."""
    for seed in range(5):
        hypotheses, references = ragged(seed)
        most = max(map(len, references))
        assert len({len(texts) for texts in references}) > 1
        full = [(texts * most)[:most] for texts in references]
        streams = [[texts[i] for texts in full] for i in range(most)]
        scores = score(hypotheses, references)
        assert scores["bleu"] == pytest.approx(sacrebleu.corpus_bleu(hypotheses, streams).score)
        assert scores["chrf"] == pytest.approx(sacrebleu.corpus_chrf(hypotheses, streams).score)
        assert scores["bleu"] > score(hypotheses, [texts[-1:] for texts in references])["bleu"]


def test_intervals_hold_the_scores_of_other_samples() -> None:
    """Half a width is near 1.96 standard deviations of the scores of samples drawn here, and narrows with size."""
    hypotheses, references = ragged(3, 60)
    half = intervals(hypotheses, references)
    assert half == intervals(hypotheses, references)  # the seed is fixed
    rng = random.Random(0)
    samples = [rng.choices(range(60), k=60) for _ in range(150)]
    scores = [score([hypotheses[i] for i in each], [references[i] for i in each]) for each in samples]
    for name in ("bleu", "chrf"):
        assert half[name] == pytest.approx(1.96 * statistics.stdev(each[name] for each in scores), rel=0.25)
    assert intervals(hypotheses * 4, references * 4)["bleu"] == pytest.approx(half["bleu"] / 2, rel=0.2)
    assert intervals(["a b c d"] * 5, [["a b c d"]] * 5) == {"bleu": 0, "chrf": 0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b c d a b c d", True),
        ("a b c d e a b c", False),
        ("a a a a a", True),
        ("a a a a", False),
        ("", False),
        ("je ne sais pas ce que je ne sais pas", True),
    ],
)
def test_repeats(text: str, expected: bool) -> None:
    assert repeats(text) == expected


def test_groups_tell_which_share_repeats_itself() -> None:
    hypotheses = ["a b c d a b c d", "a", "b", "a b c d"]
    groups = score_by_length(["one two"] * 4, hypotheses, [["a a a a a"], ["a b c d a b c d"], ["b"], ["b"]])
    assert [(group["repeated"], group["reference repeated"]) for group in groups] == [(0.25, 0.5)]


def test_references_that_training_has_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "one.tsv").write_text("x\tun\ny\tdeux\n", encoding="utf-8")
    (tmp_path / "train" / "two.tsv").write_text("z\ttrois\n", encoding="utf-8")
    lines = [["a", "un", "quatre"], ["b", "deux"], ["c", "x"], ["d", "trois", "trois bis", "cinq"]]
    assert known_references(lines, tmp_path) == (3, [["a", "quatre"], ["c", "x"], ["d", "trois bis", "cinq"]])
    with pytest.raises(ValueError, match="no training data"):
        known_references(lines, tmp_path / "train")


def test_order_of_references_does_not_matter() -> None:
    hypotheses, references = ragged(7)
    assert score(hypotheses, [texts[::-1] for texts in references]) == pytest.approx(score(hypotheses, references))


def test_groups_partition_the_sentences() -> None:
    rng = random.Random(2)
    lengths = [0, 1, 5, 6, 10, 11, 15, 50, 51, 1000, 1001, 2500, *(rng.randint(1, 60) for _ in range(100))]
    sources = [" ".join(["w"] * length) for length in lengths]
    hypotheses = [random_sentence(rng) for _ in sources]
    references = [[random_sentence(rng)] for _ in sources]
    groups = score_by_length(sources, hypotheses, references)
    assert sum(group["sentences"] for group in groups) == len(sources)
    low = 0
    for group in groups:
        assert group["from"] == low + 1
        low = int(group["to"])
        inside = [
            i
            for i, length in enumerate(lengths)
            if (length >= group["from"] or group["from"] == 1) and (length <= low or low == LENGTHS[-1])
        ]
        assert group["sentences"] == len(inside)
        expected = score([hypotheses[i] for i in inside], [references[i] for i in inside])
        assert {name: group[name] for name in ("bleu", "chrf")} == expected
    assert low == LENGTHS[-1]


def test_empty_groups_are_left_out() -> None:
    groups = score_by_length(["a b", " ".join(["w"] * 25)], ["x", "y"], [["x"], ["z"]])
    assert [(group["from"], group["to"], group["sentences"]) for group in groups] == [(1, 5, 1), (21, 30, 1)]


def test_translations_come_in_the_order_of_the_sources(
    translator: Translator, sentences: list[tuple[str, str]]
) -> None:
    """Long and short ones are translated apart and in batches; each must be what it is alone."""
    rng = random.Random(3)
    sources = translator.tokenizer.ids([english for english, _ in rng.sample(sentences, 30)])
    eos = translator.tokenizer.eos_id
    done: list[int] = []
    for beam in (1, 3):
        results = translate_ids(translator.model, sources, eos, beam=beam, cells=60, progress=done.append)
        alone = [search(translator.model, torch.tensor([[*ids, eos]]), beam=beam)[0][0].ids for ids in sources]
        assert results == alone
    assert sum(done) == 2 * len(sources)
    assert max(done) > 1


def test_its_own_sentences_score_100(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    lines = [[english, "une autre phrase", french] for english, french in sentences[::4]]
    seen: list[int] = []
    scores, groups, hypotheses = evaluate(translator.model, translator.tokenizer, lines, progress=seen.append)
    assert hypotheses == [french for *_, french in lines]
    assert scores == pytest.approx({"bleu": 100, "chrf": 100})
    assert sum(group["sentences"] for group in groups) == sum(seen) == len(lines)


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr(sys, "argv", ["evaluate", *map(str, words)])
    main()


def test_command_prints_the_numbers(
    tmp_path: Path,
    tiny: Path,
    sentences: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Among the lines one of 5,000 characters, an emoji and a NUL, and before the first a byte-order mark."""
    odd = [("the water " * 500, "l'eau"), ("😀 \x00", "😀")]
    lines = [*sentences[:5], *odd]
    test = tmp_path / "test.tsv"
    test.write_text("".join(f"{english}\t{french}\n" for english, french in lines), encoding="utf-8-sig")
    words = ("--checkpoint", tiny, "--test", test, "--output", tmp_path / "out.txt")
    run(monkeypatch, *words, "--json")
    numbers = json.loads(capsys.readouterr().out)
    output = (tmp_path / "out.txt").read_text(encoding="utf-8").split("\n")
    assert output[:5] == [french for _, french in sentences[:5]]
    assert len(output) == len(lines) + 1
    expected = score(output[:-1], [[french] for _, french in lines])
    assert (numbers["bleu"], numbers["chrf"]) == (expected["bleu"], expected["chrf"])
    assert numbers["sentences"] == sum(group["sentences"] for group in numbers["by_length"]) == len(lines)
    run(monkeypatch, *words, "--beam", 2)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{len(lines)} sentences, beam 2"
    assert printed[1].startswith("BLEU ")
    assert "51 or more" in printed[-1]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        (b"", "test.tsv is empty"),
        (b"a\tb\nno tab\n", "Line 2 of test.tsv has no tab"),
        (b"caf\xe9\tb\n", "test.tsv is not UTF-8"),
    ],
)
def test_command_names_a_bad_file(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "test.tsv").write_bytes(content)
    with pytest.raises(SystemExit) as caught:
        run(monkeypatch, "--checkpoint", tiny, "--test", tmp_path / "test.tsv")
    assert str(caught.value).startswith("python -m model.evaluate: ")
    assert said in str(caught.value)


def test_command_names_a_missing_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"no checkpoint in .*nowhere"):
        run(monkeypatch, "--checkpoint", tmp_path / "nowhere", "--test", tmp_path / "test.tsv")


def test_command_refuses_a_beam_of_nothing(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, "--checkpoint", tiny, "--test", tmp_path / "test.tsv", "--beam", 0)
    assert "--beam must be between 1 and 100" in capsys.readouterr().err


def test_strung_lines_hold_every_sentence_once_in_runs_of_all_sizes() -> None:
    lines = [[f"s{i}", *(f"r{i}.{k}" for k in range(1 + i % 3))] for i in range(100)]
    strung = string_together(lines, longest=4)
    assert sorted(" ".join(line[0] for line in strung).split()) == sorted(line[0] for line in lines)
    assert [len(line[0].split()) for line in strung][:9] == [1, 2, 3, 4, 1, 2, 3, 4, 1]
    for source, *references in strung:
        numbers = [name[1:] for name in source.split()]
        assert len(references) == max(1 + int(number) % 3 for number in numbers)
        assert len(set(references)) == len(references)
        for reference in references:
            assert [part[1:].split(".")[0] for part in reference.split()] == numbers
    assert string_together(lines) == string_together(lines) != string_together(lines, seed=1)


def test_a_full_test_has_all_three_measurements(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    lines = [[english, french] for english, french in sentences[:12]]
    test = full_test(translator.model, translator.tokenizer, lines)
    for name, beam in (("greedy", 1), ("beam 4", 4)):
        scores, groups, hypotheses = evaluate(translator.model, translator.tokenizer, lines, beam=beam)
        half = intervals(hypotheses, [line[1:] for line in lines])
        assert test[name] == {**scores, "interval": half, "by_length": groups}
    assert test["sentences"] == 12
    assert "strung" not in full_test(translator.model, translator.tokenizer, lines[:2], strung=False)
    assert max(group["to"] for group in test["strung"]["by_length"]) > max(g["to"] for g in groups)


def aligned_file(folder: Path, sentences: list[tuple[str, str]]) -> Path:
    """Word by word from left to right, spaces alone set words apart."""
    path = folder / "gold.tsv"
    with path.open("w", encoding="utf-8") as file:
        for english, french in sentences:
            count = min(len(english.split()), len(french.split()))
            file.write(f"{english}\t{french}\t{' '.join(f'{i}-{i}' for i in range(1, count + 1))}\n")
    return path


def test_command_prints_the_error_rate_of_every_head_and_names_the_best(
    tmp_path: Path,
    tiny: Path,
    translator: Translator,
    sentences: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = aligned_file(tmp_path, [*sentences[:6], ("the water " * 500, "l'eau"), ("l'eau", "the water " * 500)])
    rates = finish(gold_rates(translator, read_gold(path)))
    assert (rates.pairs, rates.skipped) == (6, 2)
    run(monkeypatch, "--checkpoint", tiny, "--alignments", path)
    printed = capsys.readouterr().out
    assert "6 pairs aligned by hand, 2 left out" in printed
    for row in (*rates.heads["predicted"], *rates.heads["read"]):
        assert "".join(f"{100 * rate:9.1f}" for rate in row) in printed
    view, layer, head = rates.best
    words = {"predicted": "the word being predicted", "read": "the word just read"}[view]
    assert f"Best: layer {layer + 1}, head {head + 1}, rows read as {words}: {100 * rates.lowest:.1f} %." in printed
    run(monkeypatch, "--checkpoint", tiny, "--alignments", path, "--json")
    assert json.loads(capsys.readouterr().out)["alignment"] == {"file": "gold.tsv", **rates.as_json()}


def test_only_a_pair_that_is_too_long_is_left_out(translator: Translator, tmp_path: Path) -> None:
    (tmp_path / "gold.tsv").write_text("the cat\tle chat\t1-1 2-2\nthe dog\t\t\n", encoding="utf-8")
    with pytest.raises(UserError, match="given translation is empty"):
        finish(gold_rates(translator, read_gold(tmp_path / "gold.tsv")))


def test_command_records_what_it_measured(
    tmp_path: Path,
    tiny: Path,
    sentences: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = tmp_path / "tiny"
    shutil.copytree(tiny, copy)
    before = load_checkpoint(copy)
    test = tmp_path / "test.tsv"
    test.write_text("".join(f"{english}\t{french}\n" for english, french in sentences[:6]), encoding="utf-8")
    path = aligned_file(tmp_path, sentences[:6])
    run(monkeypatch, "--checkpoint", copy, "--alignments", path, "--test", test, "--record", "--json")
    found = json.loads(capsys.readouterr().out)
    after = load_checkpoint(copy)
    assert after.metrics == before.metrics | found
    assert set(found) == {"test", "alignment"}
    assert after.made_by == before.made_by  # the same weights
    card = (copy / "README.md").read_text(encoding="utf-8")
    assert f"{found['alignment']['best']['error_rate']:.1%}" in card
    assert f"| greedy | {found['test']['greedy']['bleu']:.1f} ± 0.0 |" in card


def test_command_measures_case_references_and_contrast(
    tmp_path: Path,
    tiny: Path,
    sentences: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    copy = tmp_path / "tiny"
    shutil.copytree(tiny, copy)
    test = tmp_path / "other.tsv"
    test.write_text("".join(f"{english}\t{french}\n" for english, french in sentences[:8]), encoding="utf-8")
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "some.tsv").write_text("".join(f"x\t{f}\n" for _, f in sentences[:3]), encoding="utf-8")
    (one, un), (two, deux) = sentences[10], sentences[100]
    rows = [
        ("noun", "w", "a", one, un, un.split()[0], "zzz"),
        ("noun", "w", "b", two, deux, deux.split()[0], "zzz"),
        ("noun", "w", "a", one, un, "zzz", "yyy"),
        ("noun", "w", "a", two, deux, deux.split()[0], "zzz"),
    ]
    contrast = tmp_path / "contrast.tsv"
    contrast.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    words = ("--checkpoint", copy, "--test", test, "--case", "--data", tmp_path, "--contrast", contrast)
    run(monkeypatch, *words)
    printed = capsys.readouterr().out
    assert "BLEU 100.0 ± 0.0" in printed
    assert "BLEU, case aside: plain 100.0, lower" in printed
    assert "Without the 3 references that equal a training target, on 5 sentences: BLEU 100.0" in printed
    assert "noun: both right in 50.0% of 2 pairs" in printed
    before = load_checkpoint(copy).metrics
    run(monkeypatch, *words, "--record", "--name", "stories", "--json")
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"test stories", "contrast"}
    assert load_checkpoint(copy).metrics == before | found
    assert found["test stories"]["case"]["lower"] < found["test stories"]["case"]["plain"] == pytest.approx(100)
    card = (copy / "README.md").read_text(encoding="utf-8")
    assert "| stories, 8 sentences | BLEU | chrF |" in card
    assert "| noun | 2 | 50.0% (0.0% to 100.0%) | 50.0% | 25% |" in card


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to measure"),
        (("--alignments", "x", "--case"), "--case, --data and --name are about --test"),
        (("--test", "x", "--record", "--beam", 2), "--record measures greedy and beam 4"),
        (("--test", "x", "--record", "--output", "y"), "--record measures greedy and beam 4"),
    ],
)
def test_command_refuses_options_that_do_not_go_together(
    words: tuple[object, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, *words)
    assert said in capsys.readouterr().err
