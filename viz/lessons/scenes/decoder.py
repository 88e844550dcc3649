"""The decoder layer: the mask of its self-attention, and cross-attention to the encoder's output."""

from dataclasses import replace

import streamlit as st

from model.experiments.head_steps import WhatIf, head_steps
from model.intervention import Kind
from model.records import Translation
from viz import models
from viz.analysis.worksheet import ahead, largest
from viz.escape import escape
from viz.i18n import t
from viz.lessons.scene import More, Scene
from viz.widgets.parts import choose, switch
from viz.widgets.worksheet import ask_head, begin, framed, show
from viz.widgets.worksheet_steps import entering, steps

NAME = "decoder"
STEPS: dict[Kind, tuple[str, ...]] = {"decoder": ("scores", "softmax"), "cross": ("project", "context")}


def draw_mask(translation: Translation, layer: int, head: int) -> None:
    """Scores before and after the mask, and weights; or all of it without the mask."""
    plain = models.ask(head_steps, translation, "decoder", layer, head)
    unmasked = models.ask(head_steps, translation, "decoder", layer, head, WhatIf(mask=False))
    without = switch(t("scene.decoder.without"), key="decoder_without", hint=t("scene.decoder.without_help"))
    frame = framed(translation, unmasked if without else plain, sheet=NAME)
    found = ahead(plain.weights, unmasked.weights)
    st.markdown(
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
            show(frame, step, sheet=NAME, name=step.name)


def draw_cross(translation: Translation, layer: int, head: int) -> None:
    """Whose vectors make Q, and whose K and V."""
    frame = framed(translation, models.ask(head_steps, translation, "cross", layer, head), sheet=NAME)
    st.caption(entering(frame.sheet, "Y"))
    st.markdown(t("scene.decoder.shapes", target=len(frame.queries), source=len(frame.keys)))
    for step in steps(frame, "Y"):
        if step.name in STEPS["cross"]:
            show(frame, step, sheet=NAME, name=step.name)


def draw(translation: Translation) -> None:
    begin(NAME)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        kind = choose(
            t("worksheet.kind"), tuple(STEPS), key="decoder_kind", default="decoder",
            named=lambda name: t(f"kind.{name}"),
        )  # fmt: skip
        layer, head = ask_head(kind, sheet=NAME)
    (draw_cross if kind == "cross" else draw_mask)(translation, layer, head)


SCENE = Scene(
    name=NAME,
    draw=draw,
    formulas=("mask", "cross"),
    more=(
        More(page="viz/pages/worksheet.py", title="worksheet.title", chosen={"worksheet_kind": "decoder"}),
        More(page="viz/pages/translate.py", title="translate.title"),
    ),
)
