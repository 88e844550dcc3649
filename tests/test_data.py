"""Batches: nothing lost, nothing twice, within the budget, and the same again for the same seed."""

import random
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from model.data import VARIANTS, Pair, epoch_batches, join_some, make_batch, pad, read_lines, vary
from model.translate import Translator


def random_pairs(seed: int, count: int, longest: int = 30) -> list[Pair]:
    """Pair i consists of the number i in its source and of -i in its target, so that joined ones can be told."""
    rng = random.Random(seed)
    return [([i] * rng.randint(1, longest), [-i] * rng.randint(1, longest)) for i in range(1, count + 1)]


def test_every_pair_is_in_one_batch_and_within_the_budget() -> None:
    for seed, budget in ((1, 31), (2, 100), (3, 1000), (4, 10**6)):
        pairs = random_pairs(seed, 400)
        batches = epoch_batches(pairs, budget, np.random.default_rng(seed))
        assert sorted(pair for batch in batches for pair in batch) == sorted(pairs)
        for batch in batches:
            assert len(batch) * max(len(target) + 1 for _, target in batch) <= budget


def test_batches_are_as_full_as_the_budget_lets_them() -> None:
    pairs = random_pairs(9, 1000)
    order = sorted(pairs, key=lambda pair: (len(pair[0]), len(pair[1])))
    batches = epoch_batches(pairs, 200, np.random.default_rng(0))
    for batch in batches:
        end = order.index(batch[-1]) + 1
        assert order[end - len(batch) : end] == batch  # neighbours
        if end < len(order):
            longest = max(len(target) + 1 for _, target in order[end - len(batch) : end + 1])
            assert longest * (len(batch) + 1) > 200  # the next one did not fit


def test_a_pair_beyond_the_budget_has_a_batch_of_its_own() -> None:
    pairs = random_pairs(5, 100)
    for batch in epoch_batches(pairs, 10, np.random.default_rng(0)):
        assert len(batch) == 1 or len(batch) * max(len(target) + 1 for _, target in batch) <= 10


def test_neighbours_in_length_share_a_batch() -> None:
    batches = epoch_batches(random_pairs(6, 2000), 300, np.random.default_rng(0))
    cells = sum(len(batch) * max(len(source) for source, _ in batch) for batch in batches)
    used = sum(len(source) for batch in batches for source, _ in batch)
    assert used / cells > 0.95  # in random order half of all cells would be padding


def test_same_seed_same_order() -> None:
    pairs = random_pairs(7, 300)

    def epoch(seed: int) -> list[list[Pair]]:
        rng = np.random.default_rng(seed)
        return epoch_batches(join_some(pairs, 0.2, 100, rng), 200, rng)

    assert epoch(1) == epoch(1)
    assert epoch(1) != epoch(2)
    assert len({len(batch[0][0]) for batch in epoch(1)[:10]}) > 3  # batches of all lengths, not the short ones first


def parts(joined: Pair) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The numbers in a pair with their counts, on either side; targets' signs turned."""
    source, target = joined
    return [(i, len(list(run))) for i, run in groupby(source)], [(-i, len(list(run))) for i, run in groupby(target)]


def test_joining_loses_nothing_and_keeps_sides_together() -> None:
    for seed, share in ((1, 0.0), (2, 0.15), (3, 0.5), (4, 0.99)):
        pairs = random_pairs(seed, 500)
        joined = join_some(pairs, share, 64, np.random.default_rng(seed))
        seen = []
        for pair in joined:
            source, target = parts(pair)
            assert [i for i, _ in source] == [i for i, _ in target]
            assert len(source) <= 4
            assert max(map(len, pair)) < 64
            for (i, length), (_, other) in zip(source, target, strict=True):
                assert (length, other) == (len(pairs[i - 1][0]), len(pairs[i - 1][1]))
                seen.append(i)
        assert sorted(seen) == list(range(1, 501))
        assert (len(joined) == 500) == (share == 0.0)


def test_the_share_of_joined_pairs() -> None:
    pairs = random_pairs(8, 20_000, longest=3)
    for share in (0.15, 0.5):
        joined = join_some(pairs, share, 1000, np.random.default_rng(1))
        sizes = [len(parts(pair)[0]) for pair in joined]
        assert sum(size for size in sizes if size > 1) / 20_000 == pytest.approx(share, abs=0.02)
        assert set(sizes) == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("variant", "source", "target", "expected"),
    [
        ("lower", "Mr. Bean is in Paris.", "M. Bean est à Paris.", ("mr. bean is in paris.", "M. Bean est à Paris.")),
        ("upper", "It's late.", "L'été est là.", ("IT'S LATE.", "L'ÉTÉ EST LÀ.")),
        ("open", "Where is it?", "Où est-ce ?", ("Where is it", "Où est-ce")),
        ("open", "Stop", "Arrête", ("Stop", "Arrête")),
        ("quotes", 'He said "no".', "Il a dit « non ».", ("He said \u00ab no \u00bb.", "Il a dit « non ».")),
        ("quotes", '5" and 6', "5 et 6", ('5" and 6', "5 et 6")),
    ],
)
def test_variants(variant: str, source: str, target: str, expected: tuple[str, str]) -> None:
    assert vary(source, target, variant) == expected
    assert variant in VARIANTS


def test_target_is_shifted_by_one(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    tokenizer = translator.tokenizer
    english, french = (tokenizer.ids([pair[side] for pair in sentences[:20]]) for side in (0, 1))
    pairs = list(zip(english, french, strict=True))
    batch = make_batch(pairs, tokenizer)
    for row, (source, target) in enumerate(pairs):
        n = len(target) + 1
        assert batch.source[row, : len(source) + 1].tolist() == [*source, tokenizer.eos_id]
        assert batch.target_in[row, :n].tolist() == [tokenizer.bos_id, *target]
        assert batch.target_out[row, :n].tolist() == [*target, tokenizer.eos_id]
        assert batch.target_in[row, 1:n].equal(batch.target_out[row, : n - 1])
        padding = (batch.source[row, len(source) + 1 :], batch.target_in[row, n:], batch.target_out[row, n:])
        assert all(cells.eq(tokenizer.pad_id).all() for cells in padding)
    assert batch.target_in.shape == batch.target_out.shape
    assert batch.tokens == sum(int(ids.ne(tokenizer.pad_id).sum()) for ids in (batch.source, batch.target_out))


def test_pad() -> None:
    assert pad([[5], [6, 7, 8], []], 0).tolist() == [[5, 0, 0], [6, 7, 8], [0, 0, 0]]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a\tb\n", [["a", "b"]]),
        (b"\xef\xbb\xbfa\tb\n", [["a", "b"]]),
        (b"a\tb\tc\r\n\r\nd\te", [["a", "b", "c"], ["d", "e"]]),
        ("a\u2028b\tc\x85d\n".encode(), [["a\u2028b", "c\x85d"]]),
    ],
)
def test_lines(tmp_path: Path, content: bytes, expected: list[list[str]]) -> None:
    (tmp_path / "lines.tsv").write_bytes(content)
    assert read_lines(tmp_path / "lines.tsv") == expected


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\tb\n\nno tab\n", r"Line 3 of lines\.tsv has no tab"),
        (b"", r"lines\.tsv is empty"),
        (b"\n\n", r"lines\.tsv is empty"),
        (b"caf\xe9\tb\n", r"lines\.tsv is not UTF-8"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "lines.tsv").write_bytes(content)
    with pytest.raises(ValueError, match=said):
        read_lines(tmp_path / "lines.tsv")


@pytest.mark.parametrize("line", [" \tc", "a\t", "a\t \t"])
def test_a_line_with_an_empty_side_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "pairs.tsv").write_text(f"a\tb\t\tc\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Line 2 of pairs\.tsv has an empty side"):
        read_lines(tmp_path / "pairs.tsv")
