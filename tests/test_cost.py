"""What is measured and counted of self-attention's cost. No test expects a speed."""

from typing import Any

import pytest
import torch
from torch import Tensor

from model.attention import attention
from model.config import RnnConfig, TransformerConfig
from model.experiments import cost, timing
from model.experiments.cost import looking_nowhere, measure_costs, state_bytes, weight_bytes
from model.transformer import EncoderLayer, Transformer

CONFIG = TransformerConfig(vocab_size=11, d_model=8, n_heads=2, d_ff=12, encoder_layers=3, decoder_layers=2)
RNN = RnnConfig(vocab_size=11, d_model=6)


def test_every_part_runs_at_the_length_asked_and_without_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once to warm up and twice to be timed, all parts in turn."""
    runs: list[tuple[str, Any]] = []
    forward, gru = EncoderLayer.forward, torch.nn.GRU.forward

    def spy_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
        assert torch.is_inference_mode_enabled()
        runs.append(("attention", (tuple(query.shape), tuple(key.shape), tuple(value.shape))))
        return attention(query, key, value, mask)

    def spy_layer(self: EncoderLayer, x: Tensor, mask: Tensor | None, attend: Any) -> Any:
        assert not self.training
        runs.append(("rest" if attend is looking_nowhere else "layer", tuple(x.shape)))
        return forward(self, x, mask, attend)

    def spy_gru(self: torch.nn.GRU, x: Tensor) -> Any:
        assert self.bidirectional
        runs.append(("recurrent", tuple(x.shape)))
        return gru(self, x)

    monkeypatch.setattr(cost, "attention", spy_attention)
    monkeypatch.setattr(EncoderLayer, "forward", spy_layer)
    monkeypatch.setattr(torch.nn.GRU, "forward", spy_gru)
    for each in measure_costs(CONFIG, RNN, [5, 1], repeats=2):
        n = each.length
        heads = ((1, 2, n, 4),) * 3
        once = [
            ("attention", heads),
            ("rest", (1, n, 8)),
            ("layer", (1, n, 8)),
            ("attention", heads),  # by the layer
            ("recurrent", (1, n, 6)),
        ]
        assert runs == once * 3
        runs.clear()


def test_the_fastest_run_counts_and_the_warm_up_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([0.1, 0.1, 0.1, 0.1, 5.0, 4.0, 9.0, 2.0, 3.0, 6.0, 8.0, 7.0])
    monkeypatch.setattr(cost, "seconds_of", lambda *given: next(taken))
    (found,) = measure_costs(CONFIG, RNN, [4], repeats=2)
    assert (found.attention, found.rest, found.layer, found.recurrent) == (3.0, 4.0, 8.0, 2.0)
    assert found.share == 3 / 7
    assert next(taken, None) is None


def test_a_layer_that_looks_nowhere_lacks_attention_alone() -> None:
    """With one piece there is nowhere else to look."""
    torch.manual_seed(1)
    layer = EncoderLayer(CONFIG).eval()
    one, two = torch.randn(1, 1, 8), torch.randn(1, 2, 8)
    torch.testing.assert_close(layer(one, None, looking_nowhere)[0], layer(one, None, attention)[0])
    assert not torch.allclose(layer(two, None, looking_nowhere)[0], layer(two, None, attention)[0])


@pytest.mark.parametrize("length", [1, 7, 20])
def test_the_bytes_are_those_that_an_encoder_makes(length: int) -> None:
    model, ids = Transformer(CONFIG).eval(), torch.full((1, length), 5)
    made: list[Tensor] = []
    for layer in model.encoder:
        layer.register_forward_hook(lambda module, given, found: made.append(found[0]))
    encoded = model.encode(ids, attention)

    def size(tensors: Any) -> int:
        return sum(each.numel() * each.element_size() for each in tensors)

    assert size(encoded.weights) == weight_bytes(CONFIG, length)
    assert size(made) == state_bytes(CONFIG, length)


def test_the_generator_is_left_alone_and_the_pulse_can_stop_it() -> None:
    calls: list[int] = []

    def pulse() -> None:
        calls.append(1)
        if len(calls) == 10:
            raise InterruptedError

    before = torch.get_rng_state()
    with pytest.raises(InterruptedError):
        list(measure_costs(CONFIG, RNN, [3, 4], repeats=1, pulse=pulse))
    assert len(calls) == 10  # 8 for the first length: twice four parts
    assert torch.equal(torch.get_rng_state(), before)


def test_what_a_programmer_can_get_wrong() -> None:
    for lengths, repeats in (([3, 0], 1), ([3], 0)):
        with pytest.raises(AssertionError):
            next(measure_costs(CONFIG, RNN, lengths, repeats=repeats))


def test_encoding_is_timed_on_the_model_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    model, source, seen = Transformer(CONFIG).eval(), torch.tensor([[4, 5, 2]]), []
    encode = Transformer.encode

    def spy(self: Transformer, ids: Tensor, *rest: Any) -> Any:
        seen.append((self, tuple(ids.shape), torch.is_inference_mode_enabled()))
        return encode(self, ids, *rest)

    monkeypatch.setattr(Transformer, "encode", spy)
    assert timing.fastest_encoding(model, source, repeats=3) > 0
    assert seen == [(model, (1, 3), True)] * 4
