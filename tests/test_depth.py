"""Stacks with residual connections and LayerNorm and without: the model itself, PyTorch's gradients, small changes, and
what the words of the scene say."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.attention import attention
from model.experiments import depth
from model.experiments.depth import CONNECTIONS, Connection, cosine, fresh, measure_depth, one, run
from model.transformer import EncoderLayer, Transformer
from tests.oracle import random_ids, random_model

BOTH, RESIDUAL = Connection(residual=True, norm=True), Connection(residual=True, norm=False)
NORM, NEITHER = Connection(residual=False, norm=True), Connection(residual=False, norm=False)
every_way = pytest.mark.parametrize("way", CONNECTIONS, ids=["both", "residual", "norm", "neither"])


def layers_of(model: Transformer) -> list[EncoderLayer]:
    return [layer for layer in model.encoder if isinstance(layer, EncoderLayer)]


def small(monkeypatch: pytest.MonkeyPatch) -> tuple[Transformer, Tensor, Tensor]:
    """Three layers in double precision, ids [1, 4] and a direction [1, 4, 8]."""
    for name, size in (("WIDTH", 8), ("HEADS", 2), ("LENGTH", 4)):
        monkeypatch.setattr(depth, name, size)
    torch.manual_seed(0)
    return fresh(3).double(), random_ids(1, 4), torch.randn(1, 4, 8, dtype=torch.float64)


def test_both_is_the_models_encoder() -> None:
    model, ids = random_model(), random_ids(1, 9)
    x, states = model.embed(ids), run(model, model.embed(ids), BOTH)
    assert len(states) == 4
    for layer, state, after in zip(layers_of(model), states, states[1:], strict=False):
        torch.testing.assert_close(state, x)
        x, _ = layer(x, None, attention)
        torch.testing.assert_close(after, x)
    torch.testing.assert_close(states[-1], model.encode(ids).states)


def test_each_way_does_what_it_says() -> None:
    model, x = random_model(encoder_layers=1), torch.randn(1, 5, 24)
    (layer,) = layers_of(model)
    heads = layer.self_attention
    looked = heads.output(attention(heads.query(x), *heads.key_value(x))[0])
    only = run(model, x, RESIDUAL)[1]
    torch.testing.assert_close(only, (x + looked) + layer.feed_forward(x + looked))
    torch.testing.assert_close(run(model, x, NEITHER)[1], layer.feed_forward(looked))
    normed = layer.self_residual.norm(looked)
    torch.testing.assert_close(run(model, x, NORM)[1], layer.feed_forward_residual.norm(layer.feed_forward(normed)))


@every_way
def test_what_arrives_is_what_small_changes_do(monkeypatch: pytest.MonkeyPatch, way: Connection) -> None:
    model, ids, direction = small(monkeypatch)
    x, size = model.embed(ids).detach(), 1e-6
    changes = size * torch.eye(x.numel(), dtype=torch.float64).view(-1, *x.shape[1:])  # [S D, S, D]

    def projected(x: Tensor) -> Tensor:
        return (run(model, x, way)[-1] * direction).sum((1, 2))

    with torch.no_grad():
        slopes = (projected(x + changes) - projected(x - changes)) / (2 * size)
    arriving, _, _ = one(model, ids, direction, way)
    assert float(arriving[0]) == pytest.approx(float(slopes.norm() / direction.norm()), rel=1e-4)
    assert arriving[-1] == 1


@every_way
def test_gradients_of_parameters_are_pytorchs(monkeypatch: pytest.MonkeyPatch, way: Connection) -> None:
    model, ids, direction = small(monkeypatch)
    _, found, _ = one(model, ids, direction, way)
    assert all(parameter.grad is None for parameter in model.parameters())
    (run(model, model.embed(ids), way)[-1] * direction).sum().backward()
    norms = [
        torch.stack([each.grad.norm() for each in layer.parameters() if each.grad is not None]).norm()
        for layer in layers_of(model)
    ]
    torch.testing.assert_close(found, torch.stack(norms) / norms[-1])


def test_where_sublayers_say_nothing_only_a_residual_passes_anything_on(monkeypatch: pytest.MonkeyPatch) -> None:
    model, ids, direction = small(monkeypatch)
    for layer in layers_of(model):
        torch.nn.init.zeros_(layer.self_attention.w_o.weight)
        torch.nn.init.zeros_(layer.feed_forward.w_2.weight)
    arriving, _, alike = one(model, ids, direction, RESIDUAL)
    assert arriving.tolist() == [1] * 4
    torch.testing.assert_close(alike, alike[:1].expand(4))
    assert one(model, ids, direction, NEITHER)[0].tolist() == [0, 0, 0, 1]


def test_cosine_is_that_of_all_pairs() -> None:
    states = torch.randn(6, 5, generator=torch.Generator().manual_seed(0))
    x = states.double().numpy()
    pairs = [x[i] @ x[j] / np.linalg.norm(x[i]) / np.linalg.norm(x[j]) for i in range(6) for j in range(6) if i != j]
    assert float(cosine(states)) == pytest.approx(np.mean(pairs))
    assert float(cosine(torch.ones(4, 3) * torch.tensor([1e-20, 2e-20, 3e-20, 4e-20])[:, None])) == pytest.approx(1)


def test_all_ways_of_a_seed_read_the_same() -> None:
    found = measure_depth(2, seeds=3)
    assert [each.connection for each in found] == list(CONNECTIONS)
    assert len({each.alike[0] for each in found}) == 1
    for each in found:
        assert (len(each.arriving), len(each.weights), len(each.alike)) == (3, 2, 3)
        assert each.arriving[-1] == each.weights[-1] == 1


@pytest.mark.parametrize("layers", [12, 24])
def test_the_pictures_show_what_the_words_say(layers: int) -> None:
    found = {each.connection: each for each in measure_depth(layers)}
    both, residual, norm, neither = (found[way] for way in (BOTH, RESIDUAL, NORM, NEITHER))
    assert neither.arriving[0] < neither.arriving[layers // 2] < 0.05
    assert residual.arriving[0] > residual.arriving[layers // 2] > 10
    for each in (both, norm):
        assert 0.1 < min(each.arriving) <= max(each.arriving) == 1
    for each in (norm, neither):
        assert min(each.alike[2:]) > 0.99
    for each in (both, residual):
        assert each.alike[2] < 0.7


@pytest.mark.parametrize("around", [torch.inference_mode, torch.no_grad])
def test_nobody_elses_numbers_or_modes_matter(around: Callable[[], Any]) -> None:
    expected = measure_depth(3, seeds=2)
    torch.manual_seed(1)
    before = torch.get_rng_state()
    with around():
        found = measure_depth(3, seeds=2)
        assert not torch.is_grad_enabled()
    assert torch.equal(torch.get_rng_state(), before)
    assert found == expected
