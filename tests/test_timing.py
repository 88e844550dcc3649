"""What is measured, in which order, and that nothing but the clock is looked at. No test expects a speed."""

import gc
import weakref
from typing import Any

import pytest
import torch
from torch import Tensor

from model.checkpoint import AnyModel
from model.config import Config, RnnConfig, TransformerConfig
from model.experiments import finish, timing
from model.experiments.timing import Timing, measure_times, median_seconds, timings, training_loss
from model.rnn import Rnn
from model.train import loss_of
from model.transformer import Transformer
from model.translate import Translator

SMALL = TransformerConfig(
    vocab_size=11, d_model=8, n_heads=2, d_ff=12, encoder_layers=3, decoder_layers=2, max_length=12
)
LEARNED = TransformerConfig(
    vocab_size=11, d_model=8, n_heads=2, d_ff=12, encoder_layers=3, decoder_layers=2, max_length=12, positions="learned"
)
CONFIGS: dict[str, Config] = {
    "transformer": SMALL,
    "learned": LEARNED,
    "gru": RnnConfig(vocab_size=11, d_model=8, max_length=12),
    "lstm without attention": RnnConfig(vocab_size=11, d_model=8, max_length=12, cell="lstm", score="last"),
    "only specials": RnnConfig(vocab_size=3, d_model=8, max_length=12, score="dot"),
}
every_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


@every_config
def test_one_timing_for_each_length_in_the_order_asked(config: Config) -> None:
    """Also beyond what a model of this config reads."""
    found = list(measure_times(config, [7, 1, 30], repeats=2))
    assert [each.length for each in found] == [7, 1, 30]
    assert all(each.encode_seconds > 0 and each.train_seconds > 0 for each in found)
    assert config.max_length == 12
    assert list(measure_times(config, [])) == []


@every_config
def test_steps_that_wait_for_each_other(config: Config) -> None:
    for each in measure_times(config, [2, 9], repeats=1):
        expected = (3, 5) if isinstance(config, TransformerConfig) else (each.length, 2 * each.length)
        assert (each.sequential_encode, each.sequential_train) == expected


@pytest.mark.parametrize(("kind", "config"), [(Transformer, SMALL), (Rnn, CONFIGS["gru"])])
def test_what_runs_is_of_the_length_asked(
    kind: type[AnyModel], config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once to warm up and three times for the median: encoding without gradients, then whole steps with them."""
    encoded: list[Any] = []
    learnt: list[Any] = []
    gone_back: list[float] = []
    encode, forward, loss = kind.encode, kind.forward, timing.training_loss

    def spy_encode(self: AnyModel, source: Tensor, *rest: Any) -> Any:
        assert (source != config.pad_id).all()
        encoded.append((tuple(source.shape), self.training, torch.is_inference_mode_enabled()))
        return encode(self, source, *rest)  # type: ignore[arg-type]

    def spy_forward(self: AnyModel, source: Tensor, target: Tensor, *rest: Any) -> Any:
        assert target[0, 0] == config.bos_id
        learnt.append((tuple(source.shape), tuple(target.shape), self.training))
        assert all(parameter.grad is None for parameter in self.parameters())
        return forward(self, source, target, *rest)  # type: ignore[arg-type]

    def spy_loss(*given: Any) -> Tensor:
        assert given[3].shape == given[2].shape
        assert torch.equal(given[2][:, 1:], given[3][:, :-1])  # read what was to be said before
        found = loss(*given)
        found.register_hook(lambda slope: gone_back.append(float(slope)))
        return found

    monkeypatch.setattr(kind, "encode", spy_encode)
    monkeypatch.setattr(kind, "forward", spy_forward)
    monkeypatch.setattr(timing, "training_loss", spy_loss)
    for each in measure_times(config, [5, 20], repeats=3):
        n = each.length
        assert encoded == [((1, n), False, True)] * 4 + [((1, n), True, False)] * 4
        assert learnt == [((1, n), (1, n), True)] * 4
        assert gone_back == [1.0] * 4
        for calls in (encoded, learnt, gone_back):
            calls.clear()


def test_the_loss_is_that_of_training() -> None:
    model = Transformer(SMALL).eval()
    source, target = torch.tensor([[5, 9, 2]]), torch.tensor([[4, 0, 2]])
    expected = loss_of(model(source, target).logits, target, SMALL.pad_id, smoothing=0.1)
    torch.testing.assert_close(training_loss(model, source, target, target), expected)


def test_the_median_leaves_the_warm_up_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now, taken = [0.0], iter([1000.0, 3.0, 1.0, 50.0])

    def pass_time(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(timing.time, "perf_counter", lambda: now[0])
    cpu = torch.device("cpu")
    assert median_seconds(lambda: pass_time(next(taken)), cpu, 3, before=lambda: pass_time(7.0)) == 3.0
    assert next(taken, None) is None


@every_config
def test_nothing_of_pytorch_is_disturbed(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither between two lengths, nor by whoever stops there."""
    made: list[weakref.ref[AnyModel]] = []
    used: list[int] = []
    fresh, loss = timing.fresh_model, timing.training_loss

    def spy_fresh(*given: Any) -> AnyModel:
        model = fresh(*given)
        made.append(weakref.ref(model))
        return model

    def spy_loss(*given: Any) -> Tensor:
        used.append(torch.get_num_threads())
        return loss(*given)

    monkeypatch.setattr(timing, "fresh_model", spy_fresh)
    monkeypatch.setattr(timing, "training_loss", spy_loss)
    torch.manual_seed(5)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    measuring = measure_times(config, [3, 4, 5], repeats=1, threads=threads + 1)
    for _ in range(2):
        next(measuring)
        assert torch.equal(torch.get_rng_state(), before)
        assert torch.get_num_threads() == threads
        assert torch.is_grad_enabled()
        assert not torch.is_inference_mode_enabled()
    assert used == [threads + 1] * 4
    del measuring
    gc.collect()
    assert len(made) == 1
    assert made[0]() is None
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads


def test_a_failure_leaves_nothing_behind_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> Tensor:
        raise RuntimeError("no room")

    monkeypatch.setattr(timing, "training_loss", fail)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    with pytest.raises(RuntimeError, match="no room"):
        next(measure_times(SMALL, [3], threads=threads + 1))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize("around", [torch.inference_mode, torch.no_grad])
def test_it_learns_whatever_the_caller_does_with_gradients(around: Any) -> None:
    with around():
        assert len(list(measure_times(SMALL, [3], repeats=1))) == 1
        assert not torch.is_grad_enabled()


def test_what_a_programmer_can_get_wrong() -> None:
    for lengths, repeats in (([3, 0], 1), ([3], 0)):
        with pytest.raises(AssertionError):
            next(measure_times(SMALL, lengths, repeats=repeats))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU of NVIDIA")
@every_config
def test_a_gpu_is_measured_and_its_generator_left_alone(config: Config) -> None:
    torch.cuda.manual_seed(5)
    before = torch.cuda.get_rng_state()
    found = list(measure_times(config, [3, 20], repeats=2, device="cuda"))
    assert all(each.encode_seconds > 0 and each.train_seconds > 0 for each in found)
    assert torch.equal(torch.cuda.get_rng_state(), before)


def test_the_translator_measures_its_own_sizes(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def spy(config: Config, lengths: Any, **rest: Any) -> Any:
        asked.append((config, lengths, rest))
        return measure_times(config, lengths, repeats=1, **rest)

    monkeypatch.setattr(timing, "measure_times", spy)
    weights = {name: value.clone() for name, value in translator.model.state_dict().items()}

    def pulse() -> None: ...

    found = finish(timings(translator, [4, 8], pulse))
    assert asked == [(translator.config, [4, 8], {"device": translator.device, "pulse": pulse})]
    assert [each.length for each in found] == [4, 8]
    assert all(isinstance(each, Timing) for each in found)
    assert all(torch.equal(value, weights[name]) for name, value in translator.model.state_dict().items())
    assert not any(layer.training for layer in translator.model.modules())
    assert all(parameter.grad is None for parameter in translator.model.parameters())


def test_whoever_raises_from_the_pulse_stops_it_and_nothing_is_left_behind() -> None:
    calls: list[int] = []

    def pulse() -> None:
        calls.append(1)
        if len(calls) == 5:
            raise InterruptedError

    threads, state = torch.get_num_threads(), torch.get_rng_state()
    config = RnnConfig(vocab_size=11, d_model=8)
    with pytest.raises(InterruptedError):
        list(measure_times(config, [3, 4], repeats=2, threads=1, pulse=pulse))
    assert len(calls) == 5
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)
