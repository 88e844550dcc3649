"""The recurrent models against their equations in NumPy, and the properties that they share with the Transformer."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from model.config import RnnConfig
from model.data import pad
from model.rnn import Rnn
from model.search import search

SCORES = ["dot", "general", "additive", "scaled", "last", "mean"]
PAD, BOS, EOS = 0, 1, 2
SOURCES = [[5, 9, 9, 4, 7, 2], [8, 3, 2], [6, 2]]
TARGETS = [[1, 4, 5, 6], [1, 7, 3, 8], [1, 9, 9, 4]]
Numbers = NDArray[np.float64]


def random_model(**settings: object) -> Rnn:
    torch.manual_seed(0)
    model = Rnn(RnnConfig(vocab_size=11, d_model=8, max_length=12, **settings))  # type: ignore[arg-type]
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return model.eval().requires_grad_(False)


def array(tensor: torch.Tensor) -> Numbers:
    return tensor.double().numpy()


def sigmoid(x: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-x)))


def naive_scores(kind: str, s: Numbers, h: Numbers, weights: dict[str, Numbers]) -> Numbers | None:
    """e_i = a(s, h_i) for each encoder state, as the equations have it."""
    match kind:
        case "dot":
            return np.array([s @ each for each in h])
        case "scaled":
            return np.array([s @ each for each in h]) / math.sqrt(len(s))
        case "general":
            return np.array([s @ weights["w_h.weight"] @ each for each in h])
        case "additive":
            w_s, w_h, v = weights["w_s.weight"], weights["w_h.weight"], weights["v"]
            return np.array([v @ np.tanh(w_s @ s + w_h @ each) for each in h])
    return None


def naive_steps(model: Rnn, source: list[int], target: list[int]) -> dict[str, list[Numbers]]:
    """One sentence through a GRU decoder, number by number from the equations; the encoder's states are given."""
    encoded = model.encode(torch.tensor([source]))
    h, last = array(encoded.states[0]), array(encoded.last[0])
    weights = {name: array(value) for name, value in model.state_dict().items()}
    s = np.tanh(weights["first_state.weight"] @ last + weights["first_state.bias"])
    n = len(s)
    found: dict[str, list[Numbers]] = {"scores": [], "weights": [], "contexts": [], "states": [], "logits": []}
    for id in target:
        y = weights["pieces.weight"][id] * math.sqrt(n)
        e = naive_scores(model.config.score, s, h, weights)
        c = last if model.config.score == "last" else h.mean(0)
        if e is not None:
            alpha = np.exp(e) / np.exp(e).sum()
            c = np.einsum("i,id->d", alpha, h)
            found["scores"].append(e)
            found["weights"].append(alpha)
        new = weights["cell.weight_ih"] @ np.concatenate([y, c]) + weights["cell.bias_ih"]
        old = weights["cell.weight_hh"] @ s + weights["cell.bias_hh"]
        reset, update = sigmoid(new[:n] + old[:n]), sigmoid(new[n : 2 * n] + old[n : 2 * n])
        s = (1 - update) * np.tanh(new[2 * n :] + reset * old[2 * n :]) + update * s
        said = np.tanh(weights["readout.weight"] @ np.concatenate([s, c, y]) + weights["readout.bias"])
        found["contexts"].append(c)
        found["states"].append(s)
        found["logits"].append(weights["pieces.weight"] @ said)
    return found


@pytest.mark.parametrize("score", SCORES)
def test_forced_pass_is_the_equations(score: str) -> None:
    model = random_model(score=score)
    forced = model(torch.tensor([SOURCES[0]]), torch.tensor([TARGETS[0]]))
    expected = naive_steps(model, SOURCES[0], TARGETS[0])
    assert forced.recurrent is not None
    np.testing.assert_allclose(array(forced.logits[0]), expected["logits"], atol=1e-5)
    np.testing.assert_allclose(array(forced.recurrent.contexts[0]), expected["contexts"], atol=1e-5)
    np.testing.assert_allclose(array(forced.recurrent.states[0]), expected["states"], atol=1e-5)
    if score in ("last", "mean"):
        assert forced.cross == ()
        assert forced.recurrent.scores is None
    else:
        assert forced.recurrent.scores is not None
        assert forced.cross[0] is not None
        np.testing.assert_allclose(array(forced.recurrent.scores[0]), expected["scores"], atol=1e-5)
        np.testing.assert_allclose(array(forced.cross[0][0, 0]), expected["weights"], atol=1e-5)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("score", SCORES)
def test_padding_changes_nothing_and_gets_no_weight(score: str, cell: str) -> None:
    model = random_model(score=score, cell=cell)
    together = model(pad(SOURCES, PAD), torch.tensor(TARGETS))
    for row, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = model(torch.tensor([source]), torch.tensor([target]))
        torch.testing.assert_close(together.logits[row], alone.logits[0], atol=1e-5, rtol=0)
        for weights, expected in zip(together.cross, alone.cross, strict=True):
            assert weights is not None
            assert expected is not None
            torch.testing.assert_close(weights[row, ..., : len(source)], expected[0], atol=1e-6, rtol=0)
            assert not weights[row, ..., len(source) :].any()
            torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("score", SCORES)
def test_step_by_step_is_the_forced_pass_also_after_reordering(score: str, cell: str) -> None:
    model = random_model(score=score, cell=cell)
    source, target = pad(SOURCES, PAD), torch.tensor(TARGETS)
    state, order = model.start(model.encode(source)), torch.arange(3)
    read = torch.empty(3, 0, dtype=torch.long)
    for t in range(target.size(1)):
        read = torch.cat((read, target[order, t : t + 1]), dim=1)
        log_probs, state = model.decode_step(read[:, -1], state)
        expected = model(source[order], read).logits[:, -1].log_softmax(-1)
        torch.testing.assert_close(log_probs, expected, atol=1e-5, rtol=0)
        shuffle = torch.tensor([2, 0, 0])
        state, order, read = state.reorder(shuffle), order[shuffle], read[shuffle]


@pytest.mark.parametrize("score", SCORES)
def test_search_runs_and_its_log_prob_is_that_of_the_forced_pass(score: str) -> None:
    model = random_model(score=score)
    for source, hypotheses in zip(SOURCES, search(model, pad(SOURCES, PAD), beam=3), strict=True):
        for hypothesis in hypotheses:
            logits = model(torch.tensor([source]), torch.tensor([[BOS, *hypothesis.ids]])).logits[0]
            said = torch.tensor([*hypothesis.ids, EOS])
            log_prob = logits.log_softmax(-1)[torch.arange(len(said)), said].sum()
            assert hypothesis.log_prob == pytest.approx(float(log_prob), abs=1e-4)


def test_a_source_beyond_the_limit_gets_a_sentence() -> None:
    with pytest.raises(ValueError, match="at most 12 pieces"):
        random_model().encode(torch.ones(1, 13, dtype=torch.long))
