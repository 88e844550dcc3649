"""Every stage of a worksheet against the model that it explains, and its what-ifs against NumPy."""

import dataclasses
import math
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from model.attention import attention
from model.checkpoint import load_checkpoint
from model.config import RnnConfig
from model.experiments.head_steps import (
    AS_IT_IS,
    Kind,
    WhatIf,
    Worksheet,
    activate,
    head_steps,
    layer_matrices,
    layer_weights,
    worksheet,
)
from model.rnn import Rnn
from model.transformer import Transformer
from model.translate import Translator
from tests.oracle import random_ids, random_model
from viz.analysis.worksheet import says

Numbers = NDArray[np.float64]
SOURCE, TARGET = random_ids(1, 7), torch.cat((torch.tensor([[1]]), random_ids(1, 5, seed=1)), dim=1)
KINDS: tuple[Kind, ...] = typing.get_args(Kind)
VARIANTS: dict[str, dict[str, Any]] = {
    "the paper's": {},
    "pre-norm": {"norm": "pre"},
    "gelu": {"activation": "gelu"},
    "learned positions": {"positions": "learned"},
    "all at once": {"norm": "pre", "activation": "gelu", "positions": "learned"},
}
every_variant = pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS.keys())
every_kind = pytest.mark.parametrize("kind", KINDS)


def close(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), atol=1e-5, rtol=1e-5)


def places(model: Transformer, kind: Kind) -> Iterator[tuple[int, int]]:
    """Every layer and head."""
    for layer in range(len(model.encoder if kind == "encoder" else model.decoder)):
        yield from ((layer, head) for head in range(model.config.n_heads))


def seen(model: Transformer, source: torch.Tensor, target: torch.Tensor) -> dict[str, list[Any]]:
    """What goes into and comes out of the model's own modules while it reads both, by name."""
    found: dict[str, list[Any]] = {}
    hooks = [
        module.register_forward_hook(lambda _, given, returned, name=name: found.update({name: [given[0], returned]}))
        for name, module in model.named_modules()
    ]
    found["forced"] = [model(source, target, attention)]
    for hook in hooks:
        hook.remove()
    return found


def agrees(model: Transformer, source: torch.Tensor, target: torch.Tensor) -> None:
    """Weights, what enters and what leaves, of every head of every layer, as the model has them."""
    modules = seen(model, source, target)
    forced, states = modules["forced"][0], modules["encoder_norm"][1][0]
    stacks = {"encoder": forced.encoder, "decoder": forced.decoder, "cross": forced.cross}
    for kind in KINDS:
        for layer, head in places(model, kind):
            sheet = worksheet(model, source, target, kind, layer, head)
            side = "encoder" if kind == "encoder" else "decoder"
            residual = f"{side}.{layer}.{'cross' if kind == 'cross' else 'self'}_residual"
            close(sheet.weights, stacks[kind][layer][0, head])
            close(sheet.x_query, modules[residual][0][0])
            close(sheet.x_key, states if kind == "cross" else modules[residual][0][0])
            close(sheet.norm.normed, modules[f"{residual}.norm"][1][0])
            if sheet.feed_forward is None:
                close(sheet.leaves, modules[residual][1][0])
                continue
            close(sheet.leaves, modules[f"{side}.{layer}"][1][0][0])
            close(sheet.feed_forward.hidden, modules[f"{side}.{layer}.feed_forward.w_1"][1][0])
            close(sheet.feed_forward.output, modules[f"{side}.{layer}.feed_forward"][1][0])
            close(sheet.feed_forward.norm.normed, modules[f"{side}.{layer}.feed_forward_residual.norm"][1][0])
            if f"{side}.{layer + 1}" in modules:
                close(sheet.leaves, modules[f"{side}.{layer + 1}"][0][0])
            else:
                close(sheet.leaves, modules[f"{side}_norm"][0][0])


@every_variant
def test_every_head_of_every_layer_is_what_the_model_computes(settings: dict[str, Any]) -> None:
    agrees(random_model(**settings), SOURCE, TARGET)


def test_the_tiny_checkpoint_too(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    source = torch.tensor([[token.id for token in translation.source]])
    target = torch.tensor([[token.id for token in translation.decoder_input]])
    assert isinstance(translator.model, Transformer)
    agrees(translator.model, source, target)
    stacks = {"encoder": translation.encoder, "decoder": translation.decoder, "cross": translation.cross}
    for kind in KINDS:
        for layer, head in places(translator.model, kind):
            close(head_steps(translator, translation, kind, layer, head).weights, stacks[kind][layer, head])


# The stages in between, and what-ifs, by NumPy


def naive(model: Transformer, sheet: Worksheet, what_if: WhatIf) -> dict[str, Numbers]:
    """All stages from what enters, number by number where that is short, in double precision."""
    config, kind = model.config, sheet.kind
    side, part = ("encoder", "self") if kind == "encoder" else ("decoder", "cross" if kind == "cross" else "self")
    prefix = f"{side}.{sheet.layer}."
    state = model.state_dict().items()
    own = {name.removeprefix(prefix): value.double().numpy() for name, value in state if name.startswith(prefix)}

    def norm(name: str, x: Numbers) -> Numbers:
        rows = [(row - row.mean()) / math.sqrt(row.var() + 1e-5) for row in x]
        return np.stack(rows) * own[f"{name}.norm.weight"] + own[f"{name}.norm.bias"]

    def add(x: Numbers, said: Numbers) -> Numbers:
        return x + said if what_if.residual else said

    def act(x: float) -> float:
        relu = (what_if.activation or config.activation) == "relu"
        return max(0.0, x) if relu else x * (1 + math.erf(x / math.sqrt(2))) / 2

    pre = config.norm == "pre"
    x = sheet.x_query.astype(np.float64)
    read = norm(f"{part}_residual", x) if pre else x
    keys = sheet.x_key.astype(np.float64) if kind == "cross" else read
    found: dict[str, Numbers] = {}
    contexts, d_k = [], config.d_model // config.n_heads
    for head in range(config.n_heads):
        own_rows = slice(head * d_k, (head + 1) * d_k)
        w_q, w_k, w_v = (own[f"{part}_attention.w_{name}.weight"][own_rows].T for name in "qkv")
        q, k, v = read @ w_q, keys @ w_k, keys @ w_v
        products = np.array([[sum(a * b for a, b in zip(one, other, strict=True)) for other in k] for one in q])
        scaled = products / math.sqrt(d_k) if what_if.scale else products
        masked = scaled.copy()
        if kind == "decoder" and what_if.mask:
            for i in range(len(q)):
                masked[i, i + 1 :] = -math.inf
        weights = np.stack([np.exp(row) / np.exp(row).sum() for row in masked])
        contexts.append(weights @ v)
        if head == sheet.head:
            found |= {"w_q": w_q, "w_k": w_k, "w_v": w_v, "q": q, "k": k, "v": v, "products": products}
            found |= {"scaled": scaled, "masked": masked, "weights": weights, "context": contexts[-1]}
    found["concat"] = np.concatenate(contexts, axis=1)
    found["output"] = found["concat"] @ own[f"{part}_attention.w_o.weight"].T
    found["residual"] = y = add(x, found["output"])
    if not pre:
        y = norm(f"{part}_residual", y)
    if kind != "decoder":
        read = norm("feed_forward_residual", y) if pre else y
        found["hidden"] = read @ own["feed_forward.w_1.weight"].T + own["feed_forward.w_1.bias"]
        found["activated"] = np.vectorize(act)(found["hidden"])
        said = found["activated"] @ own["feed_forward.w_2.weight"].T + own["feed_forward.w_2.bias"]
        y = add(y, said)
        if not pre:
            y = norm("feed_forward_residual", y)
    return found | {"leaves": y}


WHAT_IFS = {
    "as it is": AS_IT_IS,
    "no scale": WhatIf(scale=False),
    "no mask": WhatIf(mask=False),
    "relu": WhatIf(activation="relu"),
    "gelu": WhatIf(activation="gelu"),
    "no residual": WhatIf(residual=False),
    "all": WhatIf(scale=False, mask=False, activation="gelu", residual=False),
}


@every_kind
@pytest.mark.parametrize("what_if", WHAT_IFS.values(), ids=WHAT_IFS.keys())
@pytest.mark.parametrize("settings", [{}, {"norm": "pre", "activation": "gelu"}], ids=["post", "pre, gelu"])
def test_every_stage_and_every_what_if_is_the_equations(settings: dict[str, Any], what_if: WhatIf, kind: Kind) -> None:
    model = random_model(**settings)
    for layer, head in ((0, 0), (1, 3)):
        sheet = worksheet(model, SOURCE, TARGET, kind, layer, head, what_if)
        stages = {name: getattr(sheet, name) for name in ("leaves", *vars(sheet))}
        if sheet.feed_forward:
            stages |= {name: getattr(sheet.feed_forward, name) for name in ("hidden", "activated")}
        for name, expected in naive(model, sheet, what_if).items():
            np.testing.assert_allclose(stages[name], expected, atol=1e-4, rtol=1e-4, err_msg=name)


@every_kind
def test_only_what_was_asked_for_changes(kind: Kind) -> None:
    """Up to the stage that does something differently all is as it was; what is already so changes nothing."""
    model = random_model()
    plain = worksheet(model, SOURCE, TARGET, kind, 1, 2)
    for what_if in (WhatIf(activation="relu"), *([] if kind == "decoder" else [WhatIf(mask=False)])):
        assert np.array_equal(worksheet(model, SOURCE, TARGET, kind, 1, 2, what_if).leaves, plain.leaves)
    unscaled = worksheet(model, SOURCE, TARGET, kind, 1, 2, WhatIf(scale=False))
    assert np.array_equal(unscaled.products, plain.products)
    assert np.array_equal(unscaled.scaled, plain.products)
    assert not np.allclose(unscaled.weights, plain.weights)
    alone = worksheet(model, SOURCE, TARGET, kind, 1, 2, WhatIf(residual=False))
    assert np.array_equal(alone.output, plain.output)
    assert np.array_equal(alone.residual, plain.output)


def test_the_future_is_minus_infinity_before_softmax_and_exactly_0_after() -> None:
    model = random_model()
    future = np.triu(np.ones((6, 6), np.bool_), 1)
    for layer, head in places(model, "decoder"):
        sheet = worksheet(model, SOURCE, TARGET, "decoder", layer, head)
        assert (np.isneginf(sheet.masked) == future).all()
        assert np.isfinite(sheet.scaled).all()
        assert ((sheet.weights == 0) == future).all()
        close(sheet.weights.sum(-1), 1)
        assert (worksheet(model, SOURCE, TARGET, "decoder", layer, head, WhatIf(mask=False)).weights > 0).all()
    for kind in ("encoder", "cross"):
        assert np.isfinite(worksheet(model, SOURCE, TARGET, kind, 0, 0).masked).all()


@every_kind
@every_variant
def test_norms_are_those_of_the_rows_that_they_norm(settings: dict[str, Any], kind: Kind) -> None:
    sheet = worksheet(random_model(**settings), SOURCE, TARGET, kind, 1, 1)
    assert sheet.pre == (settings.get("norm") == "pre")
    before = sheet.x_query if sheet.pre else sheet.residual
    norm = sheet.norm
    close(norm.mean, before.mean(-1))
    close(norm.deviation, np.sqrt(before.var(-1) + 1e-5))
    close(norm.gamma * (before - norm.mean[:, None]) / norm.deviation[:, None] + norm.beta, norm.normed)
    assert np.array_equal(sheet.read_query, norm.normed if sheet.pre else sheet.x_query)
    assert np.array_equal(sheet.read_key, sheet.x_key if kind == "cross" else sheet.read_query)
    close(sheet.k, sheet.read_key @ sheet.w_k)


@every_kind
def test_what_the_heads_say_through_their_rows_of_w_o_adds_up(kind: Kind) -> None:
    model = random_model()
    for layer in (0, 1):
        weights = layer_weights(model, kind, layer)
        sheets = [worksheet(model, SOURCE, TARGET, kind, layer, head) for head in range(4)]
        close(sum(says(sheet, weights.w_o) for sheet in sheets), sheets[0].output)
        close(sheets[0].concat @ weights.w_o, sheets[0].output)


@every_kind
def test_a_layers_matrices_are_the_models_and_stay_so(kind: Kind) -> None:
    model = random_model()
    sheet, found = worksheet(model, SOURCE, TARGET, kind, 1, 0), layer_weights(model, kind, 1)
    for each in arrays(found):
        assert not each.flags.writeable
    if kind == "decoder":
        assert found.w_1 is None
        assert found.w_2 is None
        return
    own = dict(model.named_parameters())
    prefix = f"{'encoder' if kind == 'encoder' else 'decoder'}.1.feed_forward."
    weight, *bias = (own[prefix + name].detach().numpy() for name in ("w_1.weight", "w_1.bias", "w_2.bias"))
    assert found.w_1 is not None
    assert found.w_2 is not None
    assert np.shares_memory(found.w_1, weight)  # nothing large is copied
    after = sheet.feed_forward
    assert after is not None
    close(sheet.norm.normed @ found.w_1 + bias[0], after.hidden)
    close(after.activated @ found.w_2 + bias[1], after.output)


def test_activations_are_those_of_the_layers() -> None:
    x = np.linspace(-4, 4, 41, dtype=np.float32)
    close(activate("relu", x), [max(0, each) for each in x])
    close(activate("gelu", x), [each * (1 + math.erf(each / math.sqrt(2))) / 2 for each in x])


def test_the_head_owns_its_columns() -> None:
    model = random_model()
    for head in range(4):
        sheet = worksheet(model, SOURCE, TARGET, "encoder", 0, head)
        assert sheet.first == 6 * head
        assert np.array_equal(sheet.concat[:, sheet.first : sheet.first + 6], sheet.context)
    assert worksheet(model, SOURCE, TARGET, "decoder", 0, 0).feed_forward is None


# A model is shared


def arrays(part: Any) -> Iterator[np.ndarray]:
    for value in vars(part).values():
        if isinstance(value, np.ndarray):
            yield value
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            yield from arrays(value)


@every_kind
def test_the_model_stays_as_it_is_and_the_worksheet_too(kind: Kind) -> None:
    model = random_model().requires_grad_(True)
    values = {name: value.clone() for name, value in model.state_dict().items()}
    sheet = worksheet(model, SOURCE, TARGET, kind, 1, 1, WHAT_IFS["all"])
    assert all(torch.equal(value, values[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())
    for each in arrays(sheet):
        assert each.dtype == np.float32
        assert not each.flags.writeable
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()  # also where it may have lent its memory
    assert sheet.w_q.any()
    assert sheet.norm.gamma.any()


def test_inside_inference_mode_and_by_columns_all_is_the_same() -> None:
    expected = worksheet(random_model(), SOURCE, TARGET, "cross", 1, 1)
    model = random_model().store_by_columns()
    with torch.inference_mode():
        found = worksheet(model, SOURCE.clone(), TARGET.clone(), "cross", 1, 1)
    for one, other in zip(arrays(found), arrays(expected), strict=True):
        close(one, other)


# Through the doors


@pytest.mark.parametrize(
    ("kind", "layer", "head", "said"),
    [
        ("encoder", 2, 0, r"encoder has layers 0 to 1; there is no layer 2\."),
        ("cross", -1, 0, r"decoder has layers 0 to 1; there is no layer -1\."),
        ("decoder", 0, 2, r"decoder has heads 0 to 1; there is no head 2\."),
        ("inner", 0, 0, "choose encoder, decoder, cross"),
    ],
)
def test_what_is_not_there_gets_a_sentence(translator: Translator, kind: Any, layer: int, head: int, said: str) -> None:
    translation = translator.translate("They see the water.")
    with pytest.raises(ValueError, match=said):
        head_steps(translator, translation, kind, layer, head)
    if not head:
        with pytest.raises(ValueError, match=said):
            layer_matrices(translator, kind, layer)


def test_a_recurrent_model_has_no_heads(tiny: Path, translator: Translator) -> None:
    loaded = load_checkpoint(tiny)
    rnn = Rnn(RnnConfig(d_model=8, vocab_size=loaded.model.config.vocab_size)).eval()
    recurrent = Translator(dataclasses.replace(loaded, model=rnn), torch.device("cpu"))
    with pytest.raises(ValueError, match="no Transformer"):
        head_steps(recurrent, translator.translate("The cat."), "cross", 0, 0)
    with pytest.raises(ValueError, match="no Transformer"):
        layer_matrices(recurrent, "cross", 0)
