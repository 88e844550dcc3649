"""Gradients with respect to the source's embeddings: PyTorch's Jacobian, finite differences, and what must be 0."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.attention import attention
from model.checkpoint import AnyModel
from model.config import RnnConfig
from model.data import pad
from model.experiments import attribution, finish
from model.experiments.attribution import (
    drops,
    encoder_reach,
    gradient,
    reach_of_encoder,
    step_gradient,
    word_drops,
)
from model.rnn import Rnn
from model.transformer import Transformer
from model.translate import Translator
from tests.oracle import random_model

PAD = 0
SOURCE = torch.tensor([[5, 9, 9, 4, 7, 2]])
TARGET_IN = torch.tensor([[1, 4, 8, 6]])
TARGET = [4, 8, 6, 2]


def random_rnn(**settings: Any) -> Rnn:
    torch.manual_seed(0)
    model = Rnn(RnnConfig(vocab_size=11, d_model=8, max_length=12, **settings))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return model.eval().requires_grad_(False)


def transformer(**settings: Any) -> Callable[[], AnyModel]:
    return lambda: random_model(**{"d_model": 8, "n_heads": 2, "d_ff": 12} | settings)


def rnn(**settings: Any) -> Callable[[], AnyModel]:
    return lambda: random_rnn(**settings)


MODELS = {
    "post": transformer(),
    "pre": transformer(norm="pre", activation="gelu"),
    "learned": transformer(positions="learned"),
    "none": transformer(positions="none"),
    "by columns": lambda: random_model().store_by_columns(),
    **{f"gru {score}": rnn(score=score) for score in ("dot", "general", "additive", "scaled", "last", "mean")},
    **{f"lstm {score}": rnn(score=score, cell="lstm") for score in ("additive", "last")},
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS.keys())
one_of_each = pytest.mark.parametrize("name", ["post", "gru additive", "lstm last"])


def log_prob(model: AnyModel, embedded: Tensor, step: int) -> Tensor:
    """log p(target[step]) for each row of embedded [B, S, D]."""
    copies = len(embedded)
    encoded: Any = model.encode(SOURCE.expand(copies, -1), attention, embedded)
    return model.force(encoded, TARGET_IN.expand(copies, -1)).logits[:, step].log_softmax(-1)[:, TARGET[step]]


def jacobian(model: AnyModel) -> Tensor:
    """[S, S, D, D]: J_ji for each j and i."""

    def states(embedded: Tensor) -> Tensor:
        return model.encode(SOURCE, attention, embedded).states[0]

    whole = torch.autograd.functional.jacobian(states, model.embed(SOURCE))  # [S, D, 1, S, D]
    return whole[:, :, 0].transpose(1, 2)


# The argument that it all rests on


@every_model
def test_given_embeddings_encode_as_the_ids_do(make: Callable[[], AnyModel]) -> None:
    model = make()
    source = pad([[5, 9, 9, 4, 7, 2], [8, 3, 2], [6, 2]], PAD)
    for ids in (source, source[:1]):
        plain, given = model.encode(ids), model.encode(ids, embedded=model.embed(ids))
        assert torch.equal(plain.states, given.states)
        if isinstance(model, Rnn):
            assert torch.equal(model.encode(ids).last, model.encode(ids, embedded=model.embed(ids)).last)


@every_model
def test_embeddings_decide_and_ids_only_mask(make: Callable[[], AnyModel]) -> None:
    model = make()
    other = torch.tensor([[3, 4, 8, 9, 10, 2]])
    assert torch.equal(model.encode(SOURCE, embedded=model.embed(other)).states, model.encode(other).states)


# The gradient of one probability


@every_model
@pytest.mark.parametrize("step", [0, 3])
def test_gradient_is_the_norm_of_pytorchs(make: Callable[[], AnyModel], step: int) -> None:
    model = make()
    whole: Any = torch.autograd.functional.jacobian(lambda x: log_prob(model, x, step)[0], model.embed(SOURCE))
    found = gradient(model, SOURCE, TARGET_IN, TARGET[step], step)
    assert found.shape == (SOURCE.size(1),)
    assert not found.requires_grad
    torch.testing.assert_close(found, whole[0].norm(dim=-1), atol=1e-5, rtol=1e-5)


@every_model
def test_gradient_is_what_a_small_change_does(make: Callable[[], AnyModel]) -> None:
    model = make().double()
    step, size = 2, 1e-5
    embedded = model.embed(SOURCE)
    changes = size * torch.eye(embedded.numel(), dtype=torch.float64).view(-1, *embedded.shape[1:])  # [S D, S, D]
    slopes = (log_prob(model, embedded + changes, step) - log_prob(model, embedded - changes, step)) / (2 * size)
    expected = slopes.view(embedded.shape[1:]).norm(dim=-1)
    torch.testing.assert_close(gradient(model, SOURCE, TARGET_IN, TARGET[step], step), expected, atol=1e-7, rtol=1e-5)


@every_model
def test_every_word_counts_and_none_that_is_read_later(make: Callable[[], AnyModel]) -> None:
    """Also where the context is one vector for all, the encoder's last state: it has read every word."""
    model = make()
    found = gradient(model, SOURCE, TARGET_IN, TARGET[1], 1)
    assert (found > 0).all()
    later = TARGET_IN.clone()
    later[:, 2:] = 10
    assert torch.equal(gradient(model, SOURCE, later, TARGET[1], 1), found)


def test_a_decoder_that_does_not_look_is_not_influenced() -> None:
    model = random_model()
    for layer in model.decoder:
        torch.nn.init.zeros_(layer.cross_attention.w_o.weight)  # type: ignore[union-attr, arg-type]
    assert not gradient(model, SOURCE, TARGET_IN, TARGET[2], 2).any()


def test_a_step_that_is_not_there_is_a_programmers_error() -> None:
    for step in (-1, 4):
        with pytest.raises(AssertionError):
            gradient(random_model(), SOURCE, TARGET_IN, 4, step)


# The reach of the encoder


@every_model
def test_reach_comes_near_the_jacobians_norm(make: Callable[[], AnyModel]) -> None:
    """Within five of the stated standard deviations, which are small for so many projections."""
    model, projections = make(), 3000
    exact = jacobian(model).flatten(2).norm(dim=-1)
    found = finish(reach_of_encoder(model, SOURCE, projections=projections))
    assert found.shape == exact.shape
    assert not found.requires_grad
    assert (exact > 0).all()
    assert ((found / exact - 1).abs() < 5 * math.sqrt(1 / (2 * projections))).all()


@one_of_each
def test_the_error_of_an_estimate_is_as_stated(name: str) -> None:
    model, projections = MODELS[name](), 16
    each = jacobian(model)
    exact = each.flatten(2).norm(dim=-1)
    stated = (each.mT @ each).flatten(2).norm(dim=-1) / exact.square() * math.sqrt(1 / (2 * projections))
    estimates = [finish(reach_of_encoder(model, SOURCE, projections=projections, seed=seed)) for seed in range(300)]
    errors = torch.stack(estimates) / exact - 1  # [300, S, S]
    measured = errors.square().mean(0).sqrt()
    torch.testing.assert_close(measured, stated, rtol=0.25, atol=0)
    assert (stated <= math.sqrt(1 / (2 * projections)) + 1e-6).all()
    assert errors.mean(0).abs().max() < 0.05  # the root of an unbiased estimate is a little small


@one_of_each
def test_reach_depends_on_the_seed_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = MODELS[name]()
    torch.manual_seed(1)
    before = torch.get_rng_state()
    found = finish(reach_of_encoder(model, SOURCE))
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(2)
    assert torch.equal(finish(reach_of_encoder(model, SOURCE)), found)
    assert not torch.equal(finish(reach_of_encoder(model, SOURCE, seed=1)), found)
    for cells in (1, 42, 90, 100_000):  # one copy a pass; twice a last pass that is not full; all at once
        monkeypatch.setattr(attribution, "CELLS", cells)
        torch.testing.assert_close(finish(reach_of_encoder(model, SOURCE)), found, atol=1e-5, rtol=1e-4)


def test_passes_are_bounded_and_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attribution, "CELLS", 60)
    sizes: list[int] = []
    shares: list[float] = []
    encode = Transformer.encode

    def spy(self: Transformer, source: Tensor, *rest: Any) -> Any:
        sizes.append(source.numel())
        return encode(self, source, *rest)

    monkeypatch.setattr(Transformer, "encode", spy)
    finish(reach_of_encoder(random_model(), SOURCE, projections=16), shares.append)  # 96 copies of 6 pieces
    assert max(sizes) <= 60
    assert shares == [pytest.approx(n / 10) for n in range(1, 11)]

    def enough(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        finish(reach_of_encoder(random_model(), SOURCE), enough)


def test_without_attention_no_word_reaches_another() -> None:
    model = random_model()
    for layer in model.encoder:
        torch.nn.init.zeros_(layer.self_attention.w_o.weight)  # type: ignore[union-attr, arg-type]
    found = finish(reach_of_encoder(model, SOURCE))
    assert (found.diagonal() > 0).all()
    assert not found[~torch.eye(len(found), dtype=torch.bool)].any()


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_without_its_backward_half_an_rnn_has_read_only_what_came_before(cell: str) -> None:
    model = random_rnn(cell=cell)
    for name, parameter in model.encoder.named_parameters():
        if name.endswith("_reverse"):
            torch.nn.init.zeros_(parameter)
    found = finish(reach_of_encoder(model, SOURCE))
    assert (found[torch.ones_like(found, dtype=torch.bool).tril()] > 0).all()
    assert not found.triu(1).any()


# A model is shared


@one_of_each
@pytest.mark.parametrize("frozen", [True, False])
def test_the_model_stays_as_it_is(name: str, frozen: bool) -> None:
    model = MODELS[name]().requires_grad_(not frozen)
    values = {name: value.clone() for name, value in model.state_dict().items()}
    attributes = {name: dict(vars(layer)) for name, layer in model.named_modules()}
    gradient(model, SOURCE, TARGET_IN, TARGET[1], 1)
    finish(reach_of_encoder(model, SOURCE))
    assert all(torch.equal(value, values[name]) for name, value in model.state_dict().items())
    after = {name: vars(layer) for name, layer in model.named_modules()}
    assert after.keys() == attributes.keys()
    for name, found in after.items():
        assert found.keys() == attributes[name].keys()
        assert all(found[key] is value for key, value in attributes[name].items())
    assert not any(layer.training for layer in model.modules())
    for parameter in model.parameters():
        assert parameter.grad is None
        assert parameter.requires_grad is not frozen


@one_of_each
@pytest.mark.parametrize("around", [torch.inference_mode, torch.no_grad])
def test_it_does_not_matter_what_the_caller_does_with_gradients(name: str, around: Callable[[], Any]) -> None:
    model = MODELS[name]()
    expected = gradient(model, SOURCE, TARGET_IN, TARGET[2], 2), finish(reach_of_encoder(model, SOURCE))
    with around():
        source, target_in = SOURCE.clone(), TARGET_IN.clone()
        found = gradient(model, source, target_in, TARGET[2], 2), finish(reach_of_encoder(model, source))
        assert not torch.is_grad_enabled()
    assert torch.equal(found[0], expected[0])
    assert torch.equal(found[1], expected[1])


@one_of_each
def test_four_threads_share_a_model(name: str) -> None:
    model = MODELS[name]()
    expected = [gradient(model, SOURCE, TARGET_IN, TARGET[step], step) for step in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: gradient(model, SOURCE, TARGET_IN, TARGET[n % 4], n % 4), range(40)))
    assert all(torch.equal(one, expected[n % 4]) for n, one in enumerate(found))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU of NVIDIA")
@one_of_each
def test_a_gpu_finds_the_same(name: str) -> None:
    model = MODELS[name]()
    expected = gradient(model, SOURCE, TARGET_IN, TARGET[2], 2), finish(reach_of_encoder(model, SOURCE))
    model, source, target_in = model.to("cuda"), SOURCE.to("cuda"), TARGET_IN.to("cuda")
    found = gradient(model, source, target_in, TARGET[2], 2), finish(reach_of_encoder(model, source))
    assert found[0].device.type == found[1].device.type == "cuda"
    torch.testing.assert_close(found[0].cpu(), expected[0], atol=1e-3, rtol=1e-2)
    torch.testing.assert_close(found[1].cpu(), expected[1], atol=1e-3, rtol=1e-2)


# Through the door


def test_the_translator_uses_the_pieces_of_the_translation(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    source = torch.tensor([[token.id for token in translation.source]])
    read = torch.tensor([[token.id for token in translation.decoder_input]])
    for step, token in enumerate(translation.target):
        found = step_gradient(translator, translation, step)
        assert found.dtype == np.float32
        assert np.array_equal(found, gradient(translator.model, source, read, token.id, step).numpy())
    shares: list[float] = []
    reach = finish(encoder_reach(translator, translation.source, 4), shares.append)
    assert reach.dtype == np.float32
    assert np.array_equal(reach, finish(reach_of_encoder(translator.model, source, projections=4)).numpy())
    assert shares[-1] == 1


def test_a_step_that_is_not_there_gets_a_sentence(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    count = len(translation.target)
    for step in (-1, count):
        with pytest.raises(ValueError, match=rf"has steps 0 to {count - 1}; there is no step {step}\."):
            step_gradient(translator, translation, step)


# Without a word

GROUPS = ((), (0,), (1, 2), (3,), (4,), (0, 1, 2, 3, 4))


def chosen(model: AnyModel, source: Tensor) -> Tensor:
    """log p(TARGET[t]) for this source alone, [T]."""
    encoded: Any = model.encode(source, attention)
    return model.force(encoded, TARGET_IN).logits[0].log_softmax(-1)[range(len(TARGET)), TARGET]


@every_model
def test_a_fall_is_that_of_the_shorter_source_by_itself(
    make: Callable[[], AnyModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make()
    shorter = [SOURCE[:, [i for i in range(SOURCE.size(1)) if i not in group]] for group in GROUPS]
    expected = torch.stack([chosen(model, SOURCE) - chosen(model, source) for source in shorter])
    for cells in (1, 14, 1000):  # one row a pass; two; all at once
        monkeypatch.setattr(attribution, "CELLS", cells)
        found = drops(model, SOURCE, GROUPS, TARGET_IN, torch.tensor(TARGET))
        assert found.shape == (len(GROUPS), len(TARGET))
        torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-4)
    assert (expected[1:].abs() > 2e-4).any(1).all()  # well beyond the tolerance


@one_of_each
def test_removing_nothing_changes_nothing(name: str) -> None:
    found = drops(MODELS[name](), SOURCE, [()], TARGET_IN, torch.tensor(TARGET))
    assert torch.equal(found, torch.zeros(1, len(TARGET)))
    assert drops(MODELS[name](), SOURCE, [], TARGET_IN, torch.tensor(TARGET)).shape == (0, len(TARGET))


def test_a_decoder_that_does_not_look_misses_no_word() -> None:
    model = random_model()
    for layer in model.decoder:
        torch.nn.init.zeros_(layer.cross_attention.w_o.weight)  # type: ignore[union-attr, arg-type]
    assert drops(model, SOURCE, GROUPS, TARGET_IN, torch.tensor(TARGET)).abs().max() < 1e-5


def test_a_word_less_is_the_sentence_typed_without_it(translator: Translator) -> None:
    text, typed = "They see the water.", ("They", "see", "the", "water", ".")
    translation = translator.translate(text)
    found = word_drops(translator, translation)
    assert found.shape == (len(typed), len(translation.target))
    assert found.dtype == np.float32
    for place in (1, 2, 4):  # a first word would leave its space behind
        without = translator.translate(
            text.replace(("" if typed[place] == "." else " ") + typed[place], ""), target=translation.text
        )
        assert len(without.source) < len(translation.source)
        assert [token.id for token in without.target] == [token.id for token in translation.target]
        np.testing.assert_allclose(found[place], translation.log_probs - without.log_probs, atol=2e-5, rtol=1e-4)
