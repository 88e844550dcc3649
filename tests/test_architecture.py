"""The blocks of the architecture: in the paper's order, and each with the numbers that the model's own modules have."""

import re
from typing import Any

import numpy as np
import pytest
import torch

from model.attention import attention
from model.config import TransformerConfig
from model.experiments.head_steps import output_steps, readout, worksheet
from model.experiments.position_encoding import embed, embedded
from model.transformer import Transformer
from model.translate import Translator
from tests.oracle import random_ids, random_model
from tests.test_head_steps import SOURCE, close, every_variant, seen
from viz.analysis.architecture import ATTENTION, Block, Numbers, Tensor, candidates, covered, plan, tensors

TARGET = torch.cat((torch.tensor([[1]]), random_ids(1, 8, seed=1)), dim=1)
PIECES = (3, 4, 7)


def numbers(model: Transformer, block: Block, layer: int = 1, head: int = 1) -> Numbers:
    """What a block needs, by the functions behind the app's pages."""
    out = readout(model, SOURCE, TARGET, PIECES)
    if block.role in ("embedding", "position"):
        return Numbers(embedded=embed(model, (SOURCE if block.stack == "encoder" else TARGET)[0]))
    if block.kind:
        return Numbers(sheet=worksheet(model, SOURCE, TARGET, block.kind, layer, head))
    if block.role == "lastnorm":
        encoder = block.stack == "encoder"
        depth = model.config.encoder_layers if encoder else model.config.decoder_layers
        last = worksheet(model, SOURCE, TARGET, "encoder" if encoder else "cross", depth - 1, 0)
        states = worksheet(model, SOURCE, TARGET, "cross", 0, 0).x_key
        return Numbers(sheet=last, leaves=states if encoder else out.states)
    return Numbers(readout=out)


def named(model: Transformer, block: Block, **place: int) -> dict[str, Tensor]:
    found = tensors(block, numbers(model, block, **place), model.config.vocab_size)
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


def blocks(**settings: Any) -> dict[str, Block]:
    return {block.name: block for block in plan(random_model(**settings).config)}


def test_the_order_is_the_papers() -> None:
    roles = [(block.stack, block.role) for block in plan(TransformerConfig(vocab_size=9))]
    encoder = ["source", "embedding", "position", "self", "addnorm", "feed", "addnorm"]
    decoder = ["shifted", "embedding", "position", "masked", "addnorm", "cross", "addnorm", "feed", "addnorm"]
    last = ["linear", "softmax", "next"]
    assert roles == [("encoder", role) for role in encoder] + [("decoder", role) for role in decoder + last]


def test_pre_norm_comes_before_a_sublayer_and_once_more_at_the_end() -> None:
    roles = [block.role for block in plan(TransformerConfig(vocab_size=9, norm="pre", positions="none"))]
    encoder = ["source", "embedding", "norm", "self", "add", "norm", "feed", "add", "lastnorm"]
    assert roles[: len(encoder)] == encoder
    assert roles[len(encoder) :][-4:] == ["lastnorm", "linear", "softmax", "next"]


@every_variant
def test_names_can_stand_in_an_address_and_residual_connections_begin_below(settings: dict[str, Any]) -> None:
    found = plan(random_model(**settings).config)
    names = [block.name for block in found]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+", name) for name in names)
    around = [block for block in found if block.role in ("add", "addnorm")]
    assert len(around) == 5  # two sublayers and three
    for block in around:
        skipped = found[names.index(block.skips)]
        assert names.index(block.skips) < names.index(block.name)
        assert skipped.stack == block.stack
        assert block.of in (found[names.index(block.name) - 1].role, skipped.of)


@every_variant
def test_every_tensor_has_the_shape_that_it_says(settings: dict[str, Any]) -> None:
    model = random_model(**settings)
    config = model.config
    sizes = {"S": SOURCE.size(1), "T": TARGET.size(1), "d_model": config.d_model, "d_ff": config.d_ff}
    sizes |= {"d_k": config.d_model // config.n_heads, "V": config.vocab_size}
    assert len(set(sizes.values())) == len(sizes), "one size for two letters would hide a mistake"
    for block in plan(config):
        if block.role in ("source", "shifted", "next"):
            assert not tensors(block, Numbers(), config.vocab_size)
            continue
        found = named(model, block)
        assert found
        for tensor in found.values():
            rows, columns = (sizes[symbol] for symbol in tensor.symbols)
            some = len(PIECES) if tensor.axes[1] == "candidate" else columns
            assert tensor.values.shape == (rows, some), (block.name, tensor.name)
            assert tensor.shape == f"[{', '.join(tensor.symbols)}] = [{rows}, {columns}]"
            assert tensor.signed or tensor.values.min() >= 0


@every_variant
@pytest.mark.parametrize("layer", [0, 1])
def test_numbers_are_those_of_the_models_own_modules(settings: dict[str, Any], layer: int) -> None:
    model = random_model(**settings)
    modules = seen(model, SOURCE, TARGET)
    weights = {
        "self": modules["forced"][0].encoder,
        "masked": modules["forced"][0].decoder,
        "cross": modules["forced"][0].cross,
    }
    for block in plan(model.config):
        if block.kind is None:
            continue
        found = {name: each.values for name, each in named(model, block, layer=layer).items()}
        prefix = f"{block.stack}.{layer}."
        role = block.of or block.role
        part = {"self": "self_attention", "masked": "self_attention", "cross": "cross_attention"}.get(role)
        residual = {
            "self_attention": "self_residual",
            "cross_attention": "cross_residual",
            None: "feed_forward_residual",
        }
        around = prefix + residual[part]
        values = list(found.values())
        if block.role in ATTENTION:
            close(found["A"], weights[block.role][layer][0, 1])
            close(found["A"].sum(1), 1)
            close(found["C"], found["A"] @ found["V"])
            close(found["O"], modules[f"{prefix}{part}.w_o"][1][0])
            close(values[0], modules[f"{prefix}{part}.w_q"][0][0])
            own = slice(found["Q"].shape[1], 2 * found["Q"].shape[1])  # of head 1
            for name in "qkv":
                close(found[name.upper()], modules[f"{prefix}{part}.w_{name}"][1][0][:, own])
            with np.errstate(over="ignore"):
                close(torch.from_numpy(found["S"].copy()).softmax(-1), found["A"])
        elif block.role == "feed":
            close(values[0], modules[f"{prefix}feed_forward"][0][0])
            close(values[1], modules[f"{prefix}feed_forward.w_1"][1][0])
            close(values[2], modules[f"{prefix}feed_forward.w_2"][0][0])
            close(values[3], modules[f"{prefix}feed_forward"][1][0])
        elif block.role == "norm":
            close(values[0], modules[around][0][0])
            close(values[1], modules[f"{around}.norm"][1][0])
        else:
            close(values[0], modules[around][0][0])
            close(values[2], values[0] + values[1])
            close(values[-1], modules[around][1][0])


@every_variant
def test_numbers_outside_the_layers_too(settings: dict[str, Any]) -> None:
    model = random_model(**settings)
    modules, found = seen(model, SOURCE, TARGET), blocks(**settings)
    for stack, ids in (("encoder", SOURCE), ("decoder", TARGET)):
        x = named(model, found[f"{stack}position"])
        close(x["X_token"].values + x["PE"].values, x["X"].values)
        close(x["X"].values, model.embed(ids)[0].detach())
        first = modules[f"{stack}.0.self_residual"][0][0]
        close(x["X"].values, first)
        if model.config.norm == "pre":
            last = named(model, found[f"{stack}lastnorm"])
            close(last["Y"].values, modules[f"{stack}_norm"][0][0])
            close(list(last.values())[1].values, modules[f"{stack}_norm"][1][0])
    logits = model(SOURCE, TARGET, attention).logits[0].detach()
    close(named(model, found["linear"])["Z"].values, modules["decoder_norm"][1][0])
    close(named(model, found["linear"])["Z Eᵀ"].values, logits[:, list(PIECES)])
    close(named(model, found["softmax"])["p"].values, logits.softmax(-1)[:, list(PIECES)])
    out = readout(model, SOURCE, TARGET, PIECES)
    assert covered(out) == pytest.approx(float(logits.softmax(-1)[:, list(PIECES)].sum(1).min()), rel=1e-5)


def test_candidates_have_the_probabilities_of_the_translation(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    of = candidates(translation)
    out = output_steps(translator, translation, tuple(of))
    for t, step in enumerate(translation.alternatives):
        for each in step[:2]:
            assert of[each.id] == each.label
            close(np.log(out.probabilities[t, list(of).index(each.id)]), each.log_prob)
    chosen = [list(of).index(token.id) for token in translation.target]
    close(np.log(out.probabilities[range(len(chosen)), chosen]), translation.log_probs)


def test_the_decoder_embeds_what_it_reads(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    found = embedded(translator, translation.decoder_input)
    ids = [token.id for token in translation.decoder_input]
    assert isinstance(translator.model, Transformer)
    table = translator.model.embedding.pieces.weight.detach()[ids].numpy()
    close(found.pieces, table * np.sqrt(translator.config.d_model))
    assert len(found.sum) == len(translation.target)
