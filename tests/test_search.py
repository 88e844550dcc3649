"""Search against a greedy loop, against all sentences there are, and against the forced pass."""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.config import TransformerConfig
from model.data import pad
from model.search import Hypothesis, penalty, search
from model.transformer import Transformer
from tests.oracle import BOS, EOS, PAD, random_ids, random_model

SOURCES = [[5, 9, 9, 4, 7, 2], [8, 3, 2], [6, 2]]


@functools.cache
def half_trained(seed: int) -> Transformer:
    """A model that has begun to learn to say eight words backwards: it hesitates and ends where it likes, while one
    with random weights repeats a single word for ever."""
    torch.manual_seed(seed)
    model = Transformer(
        TransformerConfig(
            vocab_size=11,
            d_model=24,
            n_heads=4,
            encoder_layers=1,
            decoder_layers=2,
            d_ff=40,
            max_length=12,
            dropout=0.0,
        )
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(60):
        words = random_ids(32, 2 + step % 7, seed=step, vocab_size=11)
        read, said = F.pad(words.flip(1), (1, 0), value=BOS), F.pad(words.flip(1), (0, 1), value=EOS)
        logits = model(F.pad(words, (0, 1), value=EOS), read).logits
        optimizer.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), said.flatten()).backward()
        optimizer.step()
    return model.eval().requires_grad_(False)


def forced_log_prob(model: Transformer, source: Sequence[int], ids: Sequence[int]) -> float:
    """log p(ids </s> | source) by one pass over the whole target."""
    logits = model(torch.tensor([source]), torch.tensor([[BOS, *ids]])).logits[0]
    log_probs = logits.double().log_softmax(-1)
    return sum(log_probs[step, id].item() for step, id in enumerate([*ids, EOS]))


def naive_greedy(model: Transformer, source: Sequence[int], limit: int) -> list[int]:
    """The best next piece, again and again, without a cache; </s> is due after `limit` - 1 pieces."""
    ids: list[int] = []
    while len(ids) < limit - 1:
        scores = model(torch.tensor([source]), torch.tensor([[BOS, *ids]])).logits[0, -1]
        scores[[PAD, BOS]] = -torch.inf
        best = int(scores.argmax())
        if best == EOS:
            break
        ids.append(best)
    return ids


def same(actual: list[Hypothesis], expected: list[Hypothesis]) -> None:
    assert [h.ids for h in actual] == [h.ids for h in expected]
    assert [h.log_prob for h in actual] == pytest.approx([h.log_prob for h in expected], abs=1e-4)
    assert [h.score for h in actual] == pytest.approx([h.score for h in expected], abs=1e-4)


# A model whose probabilities can be checked by hand

A, B, C = 3, 4, 5


@dataclass(frozen=True)
class Row:
    """The state of a bigram model is the number of rows."""

    rows: int

    def reorder(self, rows: Tensor) -> "Row":
        return Row(len(rows))


class Bigrams:
    """p(next | last), the same for every source."""

    def __init__(self, table: dict[int, dict[int, float]], max_length: int = 10) -> None:
        self.config = SimpleNamespace(max_length=max_length, pad_id=PAD, bos_id=BOS, eos_id=EOS)
        self.log_probs = torch.full((6, 6), -torch.inf)
        for last, following in table.items():
            for id, probability in following.items():
                self.log_probs[last, id] = math.log(probability)

    def encode(self, source: Tensor) -> Tensor:
        return source

    def start(self, encoded: Tensor) -> Row:
        return Row(len(encoded))

    def decode_step(self, tokens: Tensor, state: Row) -> tuple[Tensor, Row]:
        assert len(tokens) == state.rows
        return self.log_probs[tokens].clone(), state


GARDEN_PATH = {
    BOS: {A: 0.6, B: 0.4},
    A: {A: 0.3, B: 0.3, C: 0.2, EOS: 0.2},  # the first step looks good, what follows does not
    B: {C: 1.0},
    C: {EOS: 0.9, A: 0.1},
}


def test_greedy_falls_for_the_garden_path_and_a_beam_of_two_does_not() -> None:
    model, source = Bigrams(GARDEN_PATH), torch.tensor([[A, EOS]])
    (greedy,) = search(model, source)[0]
    assert greedy.ids[0] == A
    best, second = search(model, source, beam=2, alpha=0.0)[0]
    assert best.ids == [B, C]
    assert best.log_prob == best.score == pytest.approx(math.log(0.4 * 1.0 * 0.9))
    assert second.log_prob <= best.log_prob


def test_length_penalty_is_that_of_wu_et_al() -> None:
    assert penalty(7, 0.6) == pytest.approx(2**0.6)
    assert penalty(40, 0.0) == 1.0
    table = {BOS: {A: 0.5, B: 0.5}, A: {EOS: 1.0}, B: {C: 0.95}, C: {EOS: 1.0}}
    short_first = search(Bigrams(table), torch.tensor([[A, EOS]]), beam=2, alpha=0.0)[0]
    long_first = search(Bigrams(table), torch.tensor([[A, EOS]]), beam=2, alpha=0.6)[0]
    assert [h.ids for h in short_first] == [[A], [B, C]]
    assert [h.ids for h in long_first] == [[B, C], [A]]
    assert long_first[0].score == pytest.approx(math.log(0.475) / (8 / 6) ** 0.6)
    assert long_first[1].score == pytest.approx(math.log(0.5) / (7 / 6) ** 0.6)


def test_an_ending_outside_the_beam_does_not_count() -> None:
    """After two pieces [A] leads with 0.30 and [B] ends third with 0.20: a beam of two lets it go for [A, C], 0.216."""
    table = {
        BOS: {A: 0.6, B: 0.4},
        A: {EOS: 0.5, C: 0.4, A: 0.1},
        B: {EOS: 0.5, C: 0.45, B: 0.05},
        C: {EOS: 0.9, C: 0.1},
    }
    hypotheses = search(Bigrams(table), torch.tensor([[A, EOS]]), beam=2, alpha=0.0)[0]
    assert [h.ids for h in hypotheses] == [[A], [A, C]]
    assert [h.log_prob for h in hypotheses] == pytest.approx([math.log(0.30), math.log(0.216)])


def test_a_hypothesis_that_ends_makes_room_for_another() -> None:
    """After two pieces [B, B] leads with 0.36 and [A] ends with 0.30, so [A, C] with 0.24 is the second to go on."""
    table = {BOS: {A: 0.6, B: 0.4}, A: {EOS: 0.5, C: 0.4, A: 0.1}, B: {B: 0.9, EOS: 0.1}, C: {EOS: 1.0}}
    hypotheses = search(Bigrams(table), torch.tensor([[A, EOS]]), beam=2, alpha=0.0)[0]
    assert [h.ids for h in hypotheses] == [[A], [A, C]]


def test_no_special_is_ever_a_piece_of_a_translation() -> None:
    table = {BOS: {PAD: 0.5, BOS: 0.3, A: 0.19, EOS: 0.01}, A: {PAD: 0.6, BOS: 0.3, EOS: 0.1}}
    for beam in (1, 2):
        hypotheses = search(Bigrams(table), torch.tensor([[A, EOS]]), beam=beam)[0]
        assert hypotheses[0].ids == [A]
        assert {id for h in hypotheses for id in h.ids} <= {A}


# Transformers


@pytest.mark.parametrize("extra", [0, 50])
@pytest.mark.parametrize("seed", range(4))
def test_beam_of_one_is_greedy(seed: int, extra: int) -> None:
    model = half_trained(seed)
    for source in SOURCES:
        (found,) = search(model, torch.tensor([source]), extra=extra)[0]
        assert found.ids == naive_greedy(model, source, limit=min(12, len(source) + extra))


def test_the_examples_are_mixed() -> None:
    """Else the tests around this one would show little."""
    greedy = [[len(h[0].ids) for h in search(half_trained(seed), pad(SOURCES, PAD))] for seed in range(4)]
    wide = [[len(h[0].ids) for h in search(half_trained(seed), pad(SOURCES, PAD), beam=4)] for seed in range(4)]
    assert len({length for lengths in greedy for length in lengths}) >= 4
    assert all(len(set(lengths)) > 1 for lengths in greedy), "a batch should end row by row"
    assert greedy != wide


@pytest.mark.parametrize("alpha", [0.0, 0.6])
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_ranks_all_sentences_there_are(seed: int, alpha: float) -> None:
    """Three words, at most three of them: 1 + 3 + 9 + 27 sentences, of which a beam of 27 loses none."""
    model = random_model(seed, vocab_size=6, max_length=4)
    source = random_ids(1, 4, seed, vocab_size=6)
    every = []
    for length in range(4):
        for ids in itertools.product((3, 4, 5), repeat=length):
            log_prob = forced_log_prob(model, source[0].tolist(), ids)
            every.append(Hypothesis(ids=list(ids), log_prob=log_prob, score=log_prob / ((6 + length) / 6) ** alpha))
    every.sort(key=lambda h: -h.score)
    same(search(model, source, beam=40, alpha=alpha)[0], every)
    assert search(model, source, beam=27, alpha=alpha)[0][0].ids == every[0].ids


@pytest.mark.parametrize("beam", [1, 2, 5])
def test_log_prob_is_that_of_the_forced_pass(beam: int) -> None:
    model = half_trained(2)
    for source, hypotheses in zip(SOURCES, search(model, pad(SOURCES, PAD), beam=beam), strict=True):
        for hypothesis in hypotheses:
            assert hypothesis.log_prob == pytest.approx(forced_log_prob(model, source, hypothesis.ids), abs=1e-4)
            assert hypothesis.score == pytest.approx(hypothesis.log_prob / penalty(len(hypothesis.ids) + 1, 0.6))


@pytest.mark.parametrize("beam", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_a_batch_gives_what_each_sentence_gives_alone(seed: int, beam: int) -> None:
    model = half_trained(seed)
    for source, hypotheses in zip(SOURCES, search(model, pad(SOURCES, PAD), beam=beam), strict=True):
        same(hypotheses, search(model, torch.tensor([source]), beam=beam)[0])


@pytest.mark.parametrize("beam", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_padding_does_not_lengthen_a_sentence(seed: int, beam: int) -> None:
    """The limit counts a sentence's own pieces, not its neighbours'."""
    model = half_trained(seed)
    for source, hypotheses in zip(SOURCES, search(model, pad(SOURCES, PAD), beam=beam, extra=0), strict=True):
        same(hypotheses, search(model, torch.tensor([source]), beam=beam, extra=0)[0])


@pytest.mark.parametrize(("extra", "longest"), [(3, 4 + 3 - 1), (50, 19)], ids=["source + extra", "max_length"])
def test_every_translation_ends_at_the_limit(extra: int, longest: int) -> None:
    model = random_model(seed=1, max_length=20)
    model.embedding.pieces.weight[EOS] = 0  # it would go on for ever
    source = random_ids(2, 4)
    for beam in (1, 3):
        for row, hypotheses in zip(source, search(model, source, beam=beam, extra=extra), strict=True):
            assert len(hypotheses) == beam
            for hypothesis in hypotheses:
                assert len(hypothesis.ids) <= longest
                expected = forced_log_prob(model, row.tolist(), hypothesis.ids)
                assert hypothesis.log_prob == pytest.approx(expected, abs=1e-4)
            assert max(len(h.ids) for h in hypotheses) == longest


@pytest.mark.parametrize("beam", [2, 5, 30])
@pytest.mark.parametrize("seed", range(4))
def test_hypotheses_are_sorted_and_different(seed: int, beam: int) -> None:
    """A beam of 30 is wider than the vocabulary of 11."""
    for hypotheses in search(half_trained(seed), pad(SOURCES, PAD), beam=beam):
        assert len(hypotheses) == beam
        assert hypotheses == sorted(hypotheses, key=lambda h: -h.score)
        assert len({tuple(h.ids) for h in hypotheses}) == beam


def test_a_wider_beam_is_no_worse_here() -> None:
    """Not a law, but so on average; a beam that forgets its best would show."""
    totals = dict.fromkeys((1, 4, 30), 0.0)
    for beam in totals:
        for seed in range(4):
            for hypotheses in search(half_trained(seed), pad(SOURCES, PAD), beam=beam, alpha=0.0):
                totals[beam] += hypotheses[0].log_prob
    assert totals[1] < totals[4] <= totals[30]


@pytest.mark.parametrize("beam", [0, -1])
def test_a_beam_below_one_is_a_value_error(beam: int) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        search(half_trained(0), torch.tensor([SOURCES[0]]), beam=beam)


def test_the_model_is_left_as_it_was() -> None:
    model = half_trained(0)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    first = search(model, pad(SOURCES, PAD), beam=3)
    assert search(model, pad(SOURCES, PAD), beam=3) == [[replace(h) for h in row] for row in first]
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
