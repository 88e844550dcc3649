"""The decoder layer: the mask of its self-attention, and cross-attention to the encoder's output."""

from dataclasses import replace

import streamlit as st

from model.experiments.head_steps import WhatIf, head_steps
from model.intervention import Kind
from model.records import Translation
from viz import models
from viz.analysis.worksheet import ahead, largest
from viz.document import show
from viz.escape import escape
from viz.i18n import t
from viz.lessons.more import on_translate, on_worksheet
from viz.lessons.scene import Scene
from viz.state import Choice, Space
from viz.widgets import worksheet
from viz.widgets.inputs import choose, switch
from viz.widgets.worksheet_steps import entering, steps

SPACE = Space("decoder", __file__, page="lessons")
KIND: Choice[Kind] = SPACE.choice("kind", "decoder")
WITHOUT = SPACE.choice("without", False)
LAYER, HEAD, QUERY = (SPACE.choice(name, 0) for name in ("layer", "head", "query"))
STEPS: dict[Kind, tuple[str, ...]] = {"decoder": ("scores", "softmax"), "cross": ("project", "context")}


def draw_mask(translation: Translation, layer: int, head: int) -> None:
    """Scores before and after the mask, and weights; or all of it without the mask."""
    plain = models.ask(head_steps, translation, "decoder", layer, head)
    unmasked = models.ask(head_steps, translation, "decoder", layer, head, WhatIf(mask=False))
    without = switch(WITHOUT, t("scene.decoder.without"), hint=t("scene.decoder.without_help"))
    frame = worksheet.framed(translation, unmasked if without else plain, query=QUERY, sheet=SPACE.name)
    found = ahead(plain.weights, unmasked.weights)
    show.markdown(
        t(
            "scene.decoder.later",
            masked=f"{found.masked:g}",
            mean=f"{found.mean:.0%}",
            query=escape(frame.queries[found.step]),
            most=f"{found.most:.0%}",
        )
    )
    for step in steps(frame):
        if step.name == "scores":  # from what the mask finds there
            before, *after = step.whole[1:]
            limit = largest(frame.sheet.scaled)  # Q Kᵀ, which is larger, is not drawn
            step = replace(step, whole=tuple(replace(each, limit=limit) for each in (replace(before, sign=""), *after)))
        if step.name in STEPS["decoder"]:
            worksheet.show(frame, step, sheet=SPACE.name, name=step.name)


def draw_cross(translation: Translation, layer: int, head: int) -> None:
    """Whose vectors make Q, and whose K and V."""
    found = models.ask(head_steps, translation, "cross", layer, head)
    frame = worksheet.framed(translation, found, query=QUERY, sheet=SPACE.name)
    show.caption(entering(frame.sheet, "Y"))
    show.markdown(t("scene.decoder.shapes", target=len(frame.queries), source=len(frame.keys)))
    for step in steps(frame, "Y"):
        if step.name in STEPS["cross"]:
            worksheet.show(frame, step, sheet=SPACE.name, name=step.name)


def draw(translation: Translation) -> None:
    worksheet.begin(SPACE.name)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        kind = choose(KIND, t("worksheet.kind"), tuple(STEPS), named=lambda name: t(f"kind.{name}"))
        layer, head = worksheet.ask_head(kind, layer=LAYER, head=HEAD)
    (draw_cross if kind == "cross" else draw_mask)(translation, layer, head)


SCENE = Scene(
    name="decoder",
    draw=draw,
    formulas=("mask", "cross"),
    more=(on_worksheet("decoder"), on_translate()),
)
