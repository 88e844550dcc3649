"""One step of a recurrent decoder with weights that somebody gave, against the same step by other means."""

import numpy as np
import pytest
import torch

from model.checkpoint import LoadedCheckpoint, build
from model.experiments.rnn_step import decoder_step, take
from model.translate import Translator
from tests.test_rnn import SOURCES, TARGETS, array, random_model, sigmoid

SOURCE, TARGET = torch.tensor(SOURCES[:1]), torch.tensor(TARGETS[:1])
WEIGHTS = torch.tensor([0.1, 0.0, 0.3, 0.2, 0.4, 0.0])
scores = pytest.mark.parametrize("score", ["dot", "general", "additive", "scaled"])
cells = pytest.mark.parametrize("cell", ["gru", "lstm"])


@scores
@cells
def test_without_weights_it_is_the_forced_pass(score: str, cell: str) -> None:
    model = random_model(score=score, cell=cell)
    forced = model(SOURCE, TARGET)
    assert forced.recurrent is not None
    for t in range(TARGET.size(1)):
        taken = take(model, SOURCE, TARGET, t)
        torch.testing.assert_close(taken.log_probs, forced.logits[0, t].log_softmax(-1))
        torch.testing.assert_close(taken.step.context, forced.recurrent.contexts[:, t])
        torch.testing.assert_close(taken.step.hidden, forced.recurrent.states[:, t])
        if t:
            torch.testing.assert_close(taken.before, forced.recurrent.states[0, t - 1])
        own = take(model, SOURCE, TARGET, t, forced.cross[0][0, 0, t])
        torch.testing.assert_close(own.log_probs, taken.log_probs)


@scores
def test_given_weights_are_used_as_the_equations_have_it(score: str) -> None:
    """The last step of a GRU in NumPy, from the state before it."""
    model = random_model(score=score)
    w = {name: array(value) for name, value in model.state_dict().items()}
    t = TARGET.size(1) - 1
    forced = model(SOURCE, TARGET).recurrent
    assert forced is not None
    s, h = array(forced.states[0, t - 1]), array(forced.source[0])
    c = sum(float(weight) * state for weight, state in zip(WEIGHTS, h, strict=True))
    n = len(s)
    y = w["pieces.weight"][TARGETS[0][t]] * np.sqrt(n)
    new = w["cell.weight_ih"] @ np.concatenate([y, c]) + w["cell.bias_ih"]
    old = w["cell.weight_hh"] @ s + w["cell.bias_hh"]
    reset, update = sigmoid(new[:n] + old[:n]), sigmoid(new[n : 2 * n] + old[n : 2 * n])
    s = (1 - update) * np.tanh(new[2 * n :] + reset * old[2 * n :]) + update * s
    logits = w["pieces.weight"] @ np.tanh(w["readout.weight"] @ np.concatenate([s, c, y]) + w["readout.bias"])
    taken = take(model, SOURCE, TARGET, t, WEIGHTS)
    np.testing.assert_allclose(array(taken.step.context[0]), c, atol=1e-6)
    np.testing.assert_allclose(array(taken.embedded), y, atol=1e-6)
    np.testing.assert_allclose(array(taken.step.hidden[0]), s, atol=1e-5)
    np.testing.assert_allclose(array(taken.log_probs), logits - np.log(np.exp(logits).sum()), atol=1e-5)


@cells
def test_equal_weights_are_mean_pooling(cell: str) -> None:
    """A model that always averages, with the same matrices, takes the same first step."""
    attending, pooling = random_model(score="dot", cell=cell), random_model(score="mean", cell=cell)
    pooling.load_state_dict(attending.state_dict())
    taken = take(attending, SOURCE, TARGET, 0, torch.full((6,), 1 / 6))
    torch.testing.assert_close(taken.log_probs, pooling(SOURCE, TARGET).logits[0, 0].log_softmax(-1))


def test_all_weight_on_one_piece_is_its_state_and_nothing_stays_behind() -> None:
    model = random_model(score="additive")
    before = {name: value.clone() for name, value in model.state_dict().items()}
    plain = model(SOURCE, TARGET)
    assert plain.recurrent is not None
    for place in range(6):
        taken = take(model, SOURCE, TARGET, 2, torch.eye(6)[place])
        torch.testing.assert_close(taken.step.context[0], plain.recurrent.source[0, place])
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    torch.testing.assert_close(model(SOURCE, TARGET).logits, plain.logits, rtol=0, atol=0)


def door(translator: Translator, score: str) -> Translator:
    """A recurrent model that has learnt nothing, behind the one door."""
    size = {"vocab_size": translator.config.vocab_size, "max_length": translator.config.max_length}
    torch.manual_seed(1)
    model = build({"kind": "rnn", "d_model": 16, "score": score, **size}).eval().requires_grad_(False)
    loaded = LoadedCheckpoint(
        model=model, tokenizer=translator.tokenizer, made_by=translator.checkpoint, metrics={}
    )  # fmt: skip
    return Translator(loaded, torch.device("cpu"))


def test_through_the_door(translator: Translator) -> None:
    rnn = door(translator, "dot")
    found = rnn.translate("They see the water.", target="Ils voient l'eau.")
    assert found.recurrent is not None
    for t in range(len(found.target)):
        step = decoder_step(rnn, found, t)
        np.testing.assert_allclose(step.context, found.recurrent.contexts[t], atol=1e-6)
        np.testing.assert_allclose(step.state, found.recurrent.states[t], atol=1e-6)
        assert [each.id for each in step.alternatives] == [each.id for each in found.alternatives[t]]
        assert [each.label for each in step.alternatives] == [each.label for each in found.alternatives[t]]
    weights = np.eye(len(found.source), dtype=np.float32)[1]
    moved = decoder_step(rnn, found, 2, weights, alternatives=3)
    np.testing.assert_allclose(moved.context, found.recurrent.source[1], atol=1e-6)
    assert len(moved.alternatives) == 3
    assert moved.alternatives[0].log_prob != decoder_step(rnn, found, 2).alternatives[0].log_prob


def test_what_is_not_there_gets_a_sentence(translator: Translator) -> None:
    found = translator.translate("They see the water.")
    with pytest.raises(ValueError, match="no recurrent model with attention"):
        decoder_step(translator, found, 0)
    for score in ("last", "mean"):
        with pytest.raises(ValueError, match="no recurrent model with attention"):
            decoder_step(door(translator, score), found, 0)
    for step in (-1, len(found.target)):
        with pytest.raises(ValueError, match=f"there is no step {step}"):
            decoder_step(door(translator, "dot"), found, step)
