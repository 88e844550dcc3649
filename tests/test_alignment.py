"""Links read off attention against a naive count, and the files of hand-made links."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from model.experiments.alignment import (
    VIEWS,
    ErrorRates,
    Gold,
    Tally,
    agreeing,
    merge,
    pieces_of,
    read_gold,
    rows_for,
    word_weights,
)
from model.records import Floats, Token, Translation
from model.translate import Translator

ROOT = Path(__file__).parents[1]
GOLD = ROOT / "checkpoints" / "en-fr" / "gold" / "pairs.tsv"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_words_and_links_as_written(tmp_path: Path) -> None:
    (gold,) = read_gold(write(tmp_path / "a.tsv", "I have|n't it|.\tJe ne l'|ai pas|.\t1-1 3-2 3p5 2-4\n"))
    assert (gold.source, gold.target) == ("I haven't it.", "Je ne l'ai pas.")
    assert [gold.source[a:b] for a, b in gold.source_words] == ["I", "have", "n't", "it", "."]
    assert [gold.target[a:b] for a, b in gold.target_words] == ["Je", "ne", "l'", "ai", "pas", "."]
    assert gold.sure == {(0, 0), (2, 1), (1, 3)}
    assert gold.possible == gold.sure | {(2, 4)}


def test_reads_the_form_of_the_shared_tasks(tmp_path: Path) -> None:
    write(tmp_path / "a.gold", "1-1 2p3\n\n")
    one, two = read_gold(write(tmp_path / "a.src-tgt", "hear , hear   ||| bravo  bravo  !  \n. ||| .\n"))
    assert (one.source[5:6], one.target) == (",", "bravo  bravo  !")
    assert (one.sure, one.possible) == ({(0, 0)}, {(0, 0), (1, 2)})
    assert two.possible == frozenset()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a.tsv is empty"),
        ("a\tb\t1-1\na\tb\n", "Line 2 of a.tsv has 2 fields"),
        ("a\tb\t1-2\n", "Line 1 of a.tsv has the link '1-2', but its sides have 1 and 1 words"),
        ("a\tb\t0-1\n", "has the link '0-1'"),
        ("a\tb\t1:1\n", "has the link '1:1'; a link is i-j or ipj"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ValueError, match="tsv") as caught:
        read_gold(write(tmp_path / "a.tsv", text))
    assert said in str(caught.value)


def test_files_of_different_length_are_named(tmp_path: Path) -> None:
    write(tmp_path / "a.gold", "1-1\n1-1\n")
    with pytest.raises(ValueError, match=r"a\.src-tgt has 1 lines but its \.gold file 2"):
        read_gold(write(tmp_path / "a.src-tgt", "a ||| b\n"))


def naive_error_rate(pairs: list[tuple[Floats, Gold]]) -> float:
    """1 - (|A & S| + |A & P|) / (|A| + |S|), with sets of links."""
    hits = total = 0
    for weights, gold in pairs:
        links = {(max(range(len(row)), key=lambda i: row[i]), j) for j, row in enumerate(weights)}
        hits += len(links & gold.sure) + len(links & gold.possible)
        total += len(links) + len(gold.sure)
    return 1 - hits / total


def some_pairs(translator: Translator, sentences: list[tuple[str, str]]) -> list[Gold]:
    """Gold with random links over the words of the tiny corpus."""
    rng = random.Random(0)
    pairs = []
    for english, french in sentences[:6]:
        source, target = (
            sorted({(tokens[0].start, tokens[-1].end) for tokens in words(translator, text).values()})
            for text in (english, french)
        )
        every = [(i, j) for i in range(len(source)) for j in range(len(target))]
        possible = frozenset(rng.sample(every, len(target)))
        sure = frozenset(rng.sample(sorted(possible), len(target) // 2))
        pairs.append(
            Gold(source=english, target=french, source_words=tuple(source), target_words=tuple(target), sure=sure,
                 possible=possible)
        )  # fmt: skip
    return pairs


def words(translator: Translator, text: str) -> dict[int, list[Token]]:
    groups: dict[int, list[Token]] = {}
    for token in translator.tokenizer.encode(text):
        groups.setdefault(token.word, []).append(token)
    return groups


def test_rates_of_every_head_are_the_naive_ones(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    tally = Tally()
    kept: list[tuple[Floats, Gold, Translation]] = []
    for gold in some_pairs(translator, sentences):
        forced = translator.translate(gold.source, target=gold.target)
        # Of the tiny model many weights are alike: random ones tell heads apart.
        cross = np.random.default_rng(len(kept)).dirichlet(np.ones(len(forced.source)), forced.cross.shape[:3])
        tally.add(cross.astype(np.float32), gold, forced.source, forced.target)
        kept.append((cross.astype(np.float32), gold, forced))
    rates = tally.rates()
    assert rates.pairs == len(kept)
    for view in VIEWS:
        merged = [(word_weights(c, g, f.source, f.target, view), g) for c, g, f in kept]
        for layer, head in np.ndindex(rates.heads[view].shape):
            expected = naive_error_rate([(w[layer, head], g) for w, g in merged])
            assert rates.heads[view][layer, head] == pytest.approx(expected)
        assert rates.layers[view][0] == pytest.approx(naive_error_rate([(w[0].mean(0), g) for w, g in merged]))
        assert rates.all[view] == pytest.approx(naive_error_rate([(w.mean((0, 1)), g) for w, g in merged]))
    view, layer, head = rates.best
    assert rates.heads[view][layer, head] == rates.lowest == min(r.min() for r in rates.heads.values())
    again = ErrorRates.from_json(json.loads(json.dumps(rates.as_json())))
    assert again.as_json() == rates.as_json()
    assert rates.as_json()["best"] == {"view": view, "layer": layer, "head": head, "error_rate": rates.lowest}


def test_a_perfect_alignment_has_rate_0_and_a_wrong_one_1() -> None:
    links = frozenset({(1, 0), (0, 1), (2, 2)})
    spans = ((0, 1), (1, 2), (2, 3))
    gold = Gold(source="abc", target="xyz", source_words=spans, target_words=spans, sure=links, possible=links)
    tokens = [Token(id=0, piece="", label="", start=a, end=b, word=a) for a, b in spans]
    end = Token(id=2, piece="", label="", start=3, end=3, word=3, special=True)
    swapped = np.eye(4, dtype=np.float32)[[1, 0, 2, 3]]
    for cross, rate in ((swapped, 0), (swapped[:, [1, 2, 0, 3]], 1)):
        tally = Tally()
        tally.add(cross[None, None], gold, [*tokens, end], [*tokens, end])
        assert tally.rates().heads["predicted"][0, 0] == pytest.approx(rate)


def test_a_rate_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no pair"):
        Tally().rates()


def test_views_differ_by_one_row() -> None:
    cross = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    assert (rows_for(cross, "predicted") == cross[:, [0, 1, 2]]).all()
    assert (rows_for(cross, "read") == cross[:, [1, 2, 3]]).all()


def test_merging_adds_keys_and_averages_queries() -> None:
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.4, 0.1]], np.float32)
    assert merge(weights, [[0, 1]], [[0, 2], [1], []]) == pytest.approx(np.array([[0.7, 0.3, 0]]))
    assert merge(weights, [[1], []], [[1]]) == pytest.approx(np.array([[0.4], [0]]))


def test_words_own_the_pieces_that_they_share_characters_with(translator: Translator) -> None:
    text = "the water sleeps."
    tokens = translator.tokenizer.encode(text)
    spans = [(0, 3), (4, 9), (10, 16), (16, 17)]
    groups = pieces_of(spans, tokens)
    assert sorted(k for group in groups for k in group) == list(range(len(tokens)))
    for (start, end), group in zip(spans, groups, strict=True):
        assert text[tokens[group[0]].start : tokens[group[-1]].end] == text[start:end]
    assert pieces_of([(3, 4)], tokens) == [[]]


def test_agreeing_counts_rows_whose_strongest_column_is_linked() -> None:
    weights = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.2, 0.8]]], np.float32)
    assert agreeing(weights, frozenset({(0, 0), (1, 1)})).tolist() == [2, 1]
    assert agreeing(weights, frozenset()).tolist() == [0, 0]


def test_the_bundled_pairs_have_the_words_of_the_bundled_tokenizer(bundled: Translator) -> None:
    """Otherwise a picture of words could not show where the gold cells are."""
    pairs = read_gold(GOLD)
    assert len(pairs) >= 40
    for gold in pairs:
        for text, spans in ((gold.source, gold.source_words), (gold.target, gold.target_words)):
            assert [
                (tokens[0].start, tokens[-1].end) for tokens in words(bundled, text).values()
            ] == list(spans), text  # fmt: skip
        assert gold.sure
