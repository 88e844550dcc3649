"""The map of the architecture, and what the chosen block of it does with the visitor's sentence."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from model.config import TransformerConfig
from model.experiments.head_steps import head_steps, output_steps
from model.experiments.position_encoding import embedded
from model.records import Translation
from viz import models, state
from viz.analysis.architecture import ATTENTION, Axis, Block, Numbers, Tensor, candidates, covered, plan, tensors
from viz.analysis.maps import sharpest
from viz.analysis.worksheet import largest
from viz.components.architecture_map import Box, architecture_map
from viz.components.matrix_sheet import Axis as Side
from viz.components.matrix_sheet import Matrix
from viz.components.token_strip import token_strip
from viz.document import show
from viz.document.blocks import Text
from viz.escape import escape
from viz.examples import EXAMPLES
from viz.i18n import t, words_under
from viz.lessons.more import More, links, on_positions, on_translate, on_worksheet
from viz.lessons.registry import SCENES
from viz.lessons.scene import opener
from viz.state import Space
from viz.widgets import worksheet
from viz.widgets.inputs import choose_number, option

SPACE = Space("architecture", __file__, page="lessons")
BLOCK = SPACE.choice("block", "decodercross")
LAYER, HEAD = SPACE.choice("layer", 0), SPACE.choice("head", 0)
MAP, STRIP, TENSORS, OPENER = (SPACE.key(name) for name in ("map", "strip", "tensors", "open"))
MOUNTS = SPACE.memory("mounts", int)
"""How often the map was put on the page anew, for a browser keeps its own choice."""
SCENES_OF: Mapping[str, tuple[str, ...]] = {
    "source": ("seq2seq",),
    "embedding": ("positions",),
    "position": ("positions",),
    "self": ("matrices", "scaling", "heads"),
    "masked": ("matrices", "scaling", "heads"),
    "cross": ("average", "steps", "scores"),
    "addnorm": ("depth",),
    "norm": ("depth",),
    "add": ("depth",),
    "lastnorm": ("depth",),
    "next": ("halves",),
}
"""Scenes about what a role does, besides the one about its stack, which has the stack's name."""
FORMULAS_OF: Mapping[str, tuple[str, ...]] = {
    "self": ("projections", "attention", "multi_head"),
    "masked": ("projections", "mask", "attention", "multi_head"),
    "cross": ("cross", "attention", "multi_head"),
    "addnorm": ("residual", "layer_norm"),
    "norm": ("layer_norm",),
    "lastnorm": ("layer_norm",),
}
"""Equations of a role, whatever the model's settings."""


# ---- the map -------------------------------------------------------------------------------------------------------


def draw(translation: Translation) -> None:
    """The map, and below it the chosen block."""
    config = models.sizes()
    blocks = {block.name: block for block in plan(config)}
    worksheet.begin(SPACE.name)
    BLOCK.begin(option(tuple(blocks)))
    if state.moved():  # Back and Forward lead to another block than the browser's
        MOUNTS.set(MOUNTS.get() + 1)
    chosen = architecture_map(
        [box(block, config, translation) for block in blocks.values()],
        stacks={
            "encoder": (t("architecture.stack.encoder"), f"{config.encoder_layers} ×"),
            "decoder": (t("architecture.stack.decoder"), f"{config.decoder_layers} ×"),
        },
        texts=words_under("map"),
        chosen=BLOCK.among(tuple(blocks)),
        key=MAP.at(MOUNTS.get()),
    )
    BLOCK.set(chosen)
    show.caption(t("architecture.reading"))
    draw_block(blocks[chosen], config, translation)


def box(block: Block, config: TransformerConfig, translation: Translation) -> Box:
    label, detail = t(f"architecture.block.{block.role}"), inside(block, config, translation)
    return Box(block=block, label=label, detail=detail, title=heading(block), says=t(f"architecture.says.{block.role}"))


def heading(block: Block) -> str:
    stack, name = t(f"architecture.stack.{block.stack}"), t(f"architecture.block.{block.role}")
    return t("architecture.heading", stack=stack, block=name)


def inside(block: Block, config: TransformerConfig, translation: Translation) -> str:
    """What a box says of itself: its sizes, or the pieces of the sentence."""
    if block.role in ATTENTION:
        return t("architecture.heads", heads=config.n_heads, own=config.d_model // config.n_heads)
    return {
        "source": " ".join(token.label for token in translation.source),
        "shifted": " ".join(token.label for token in translation.decoder_input),
        "next": " ".join(token.label for token in translation.target),
        "embedding": f"{config.vocab_size} × {config.d_model}",
        "position": f"{config.max_length} × {config.d_model}",
        "feed": f"{config.d_model} → {config.d_ff} → {config.d_model}",
        "linear": f"{config.d_model} → {config.vocab_size}",
    }.get(block.role, "")


# ---- the chosen block ----------------------------------------------------------------------------------------------


def draw_block(block: Block, config: TransformerConfig, translation: Translation) -> None:
    """What it does, its numbers, and where to go on."""
    show.heading(heading(block))
    layer, head = ask_place(block, config)
    place = [f"{t('compare.layer')} {layer + 1}"] if block.kind else []
    place += [f"{t('compare.head')} {head + 1}"] if block.role in ATTENTION else []
    if place:
        show.only_saved(Text(text=", ".join(place)))
    show.markdown(t(f"architecture.says.{block.role}"))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for name in formulas(block, config):
            show.formula(name, width="content")
    if block.role == "next":
        token_strip(translation, texts=words_under("strip"), key=STRIP)
    elif block.role in ("source", "shifted"):
        draw_pieces(block, translation)
    else:
        draw_tensors(block, numbers(block, config, translation, layer, head), config, translation)
    go_on(block, layer, head)


def formulas(block: Block, config: TransformerConfig) -> tuple[str, ...]:
    """Names of the block's equations."""
    if block.role == "feed":
        return ("feed_forward",) if config.activation == "relu" else ("gelu",)
    if block.role == "position":
        return ("embedded", "sine", "cosine") if config.positions == "sinusoidal" else ("embedded",)
    return FORMULAS_OF.get(block.role, ())


def ask_place(block: Block, config: TransformerConfig) -> tuple[int, int]:
    """Which layer's numbers are shown, and of attention which head's."""
    layers = config.encoder_layers if block.stack == "encoder" else config.decoder_layers
    layer = head = 0
    if block.kind:
        first = sharpest(models.translate(EXAMPLES[0]).cross)
        with st.container(horizontal=True):
            layer = choose_number(LAYER.within(min(first[0], layers - 1)), t("compare.layer"), layers)
            if block.role in ATTENTION:
                head = choose_number(HEAD.within(first[1]), t("compare.head"), config.n_heads)
    return layer, head


def numbers(block: Block, config: TransformerConfig, translation: Translation, layer: int, head: int) -> Numbers:
    """What the model has computed that the block is about."""
    if block.role in ("embedding", "position"):
        tokens = translation.source if block.stack == "encoder" else translation.decoder_input
        return Numbers(embedded=models.ask(embedded, tokens))
    if block.role in ("linear", "softmax"):
        return Numbers(readout=models.ask(output_steps, translation, tuple(candidates(translation))))
    if block.kind:
        return Numbers(sheet=models.ask(head_steps, translation, block.kind, layer, head))
    if block.stack == "encoder":
        last = models.ask(head_steps, translation, "encoder", config.encoder_layers - 1, 0)
        return Numbers(sheet=last, leaves=models.ask(head_steps, translation, "cross", 0, 0).x_key)
    last = models.ask(head_steps, translation, "cross", config.decoder_layers - 1, 0)
    return Numbers(sheet=last, leaves=models.ask(output_steps, translation, tuple(candidates(translation))).states)


def draw_tensors(block: Block, of: Numbers, config: TransformerConfig, translation: Translation) -> None:
    found = tensors(block, of, config.vocab_size)
    if block.role == "embedding":
        size = config.vocab_size * config.d_model
        show.caption(t("architecture.table", pieces=config.vocab_size, width=config.d_model, size=f"{size:,}"))
    if of.readout:
        shown, share = found[-1].values.shape[1], f"{covered(of.readout):.1%}"
        show.caption(t("architecture.candidates", shown=shown, pieces=config.vocab_size, share=share))
    show.caption(t("architecture.legend"))
    worksheet.draw([matrix(each, found, block, translation) for each in found], sheet=SPACE.name, key=TENSORS)


def matrix(tensor: Tensor, others: Sequence[Tensor], block: Block, translation: Translation) -> Matrix:
    """A tensor as it is drawn: its scale ends at the largest number of all that share it."""
    same = [each.values for each in others if each.scale == tensor.scale] if tensor.scale else [tensor.values]
    rows, columns = (
        side(axis, count, block, translation) for axis, count in zip(tensor.axes, tensor.values.shape, strict=True)
    )
    hidden = t("worksheet.say.hatched") if np.isneginf(tensor.values).any() else ""
    return Matrix(
        title=tensor.name, rows=rows, columns=columns, values=tensor.values, signed=tensor.signed, sign=tensor.sign,
        limit=largest(*same) if tensor.signed else 1, note=f"{tensor.shape} {hidden}".strip(), breaks=tensor.breaks,
    )  # fmt: skip


def side(axis: Axis, count: int, block: Block, translation: Translation) -> Side:
    """What rows or columns are: pieces with their labels, or numbered dimensions."""
    source, read, target = (
        tuple(token.label for token in tokens)
        for tokens in (translation.source, translation.decoder_input, translation.target)
    )
    labels = {
        "source": source,
        "read": read,
        "step": target,
        "query": source if block.kind == "encoder" else target,
        "key": read if block.kind == "decoder" else source,
        "candidate": tuple(candidates(translation).values()),
    }
    if block.kind and axis in ("query", "key"):
        word = t(f"kind.{block.kind}.query") if axis == "query" else t(f"kind.{block.kind}.key")
    else:
        word = t(f"architecture.axis.{axis}")
    # In self-attention a row of what enters becomes both a query and a key.
    names = ("query", "key") if axis in ("source", "read") else (axis,)
    return Side(names=names, word=word, count=count, labels=labels.get(axis))


def draw_pieces(block: Block, translation: Translation) -> None:
    """Pieces and their ids."""
    tokens = translation.source if block.role == "source" else translation.decoder_input
    show.markdown("\u2003 ".join(f"**{escape(token.label)}**\u00a0{token.id}" for token in tokens))
    show.caption(t("architecture.ids", symbol="S" if block.role == "source" else "T", count=len(tokens)))


def go_on(block: Block, layer: int, head: int) -> None:
    """Scenes about the block, and pages that have the same numbers."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("lessons.more"), width="content")
        wanted = (*SCENES_OF.get(block.role, ()), block.stack)
        for number, scene in enumerate(SCENES, 1):
            if scene.name in wanted:
                opener(scene, number, key=OPENER)
        links(pages_about(block, layer, head))


def pages_about(block: Block, layer: int, head: int) -> list[More]:
    found = []
    if block.kind:
        found.append(on_worksheet(block.kind, layer, head if block.role in ATTENTION else None))
    if block.role in ATTENTION:
        found.append(on_translate(block.kind, layer, head))
    if block.role == "position":
        found.append(on_positions("sentence" if block.stack == "encoder" else "table"))
    return found
