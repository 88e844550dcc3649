"""The encoder layer: residual connection, LayerNorm and feed-forward, and ReLU against GELU on its inner numbers."""

from dataclasses import replace

import numpy as np
import streamlit as st

from model.config import Activation
from model.experiments.head_steps import FeedForwardSteps, WhatIf, activate, head_steps
from model.records import Translation
from viz import models
from viz.analysis.worksheet import change, histogram
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures import Series
from viz.figures.activation import activations
from viz.i18n import t
from viz.lessons.more import on_worksheet
from viz.lessons.scene import Scene
from viz.state import Choice, Space
from viz.widgets import worksheet
from viz.widgets.inputs import choose
from viz.widgets.worksheet_steps import steps

STEPS = ("add", "norm", "feed")
TOP = 2.5
"""Of the picture of the curves."""
ACTIVATIONS: dict[Activation, str] = {"relu": "ReLU", "gelu": "GELU"}
SPACE = Space("encoder", __file__, page="lessons")
LAYER, QUERY = SPACE.choice("layer", 0), SPACE.choice("query", 0)
ACTIVATION: Choice[Activation] = SPACE.choice("activation", "relu")
CURVES = SPACE.key("curves")


def draw_activations(after: FeedForwardSteps) -> None:
    """Both activations over the numbers that this sentence gives them."""
    found = histogram(after.hidden)
    x = np.linspace(found.edges[0], found.edges[-1], 201, dtype=np.float32)
    figure = activations(
        [Series(name=name, x=x.tolist(), y=activate(each, x).tolist()) for each, name in ACTIVATIONS.items()],
        found.edges,
        found.counts,
        off=t("scene.encoder.below"),
        on=t("scene.encoder.above"),
        x_title=t("scene.encoder.inner"),
        y_title=t("scene.encoder.activated"),
        count_title=t("scene.encoder.count"),
        top=TOP,
        scheme=scheme_now(),
    )
    reading = t("scene.encoder.reading", top=f"{TOP:g}")
    show.chart(figure, key=CURVES, alt=reading, file="regard-activations", caption=reading)
    show.markdown(
        t(
            "scene.encoder.off",
            size=f"{found.size:,}",
            off=f"{found.off:.0%}",
            always=f"{found.always:,}",
            inner=f"{found.inner:,}",
            least=f"{activate('gelu', after.hidden).min():.2f}".replace("-", "\u2212"),
        )
    )


def draw(translation: Translation) -> None:
    worksheet.begin(SPACE.name)
    own = models.sizes().activation
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        layer, _ = worksheet.ask_head("encoder", layer=LAYER, head=None)
        chosen = choose(
            ACTIVATION.within(own), t("scene.encoder.activation"), tuple(ACTIVATIONS),
            named=lambda name: ACTIVATIONS[name],
        )  # fmt: skip
    plain = models.ask(head_steps, translation, "encoder", layer, 0)
    sheet = plain
    if chosen != own:
        sheet = models.ask(head_steps, translation, "encoder", layer, 0, WhatIf(activation=chosen))
    frame = worksheet.framed(translation, sheet, query=QUERY, sheet=SPACE.name, keyed=False)
    after = sheet.feed_forward
    assert after is not None
    for number, step in enumerate(steps(frame)):
        if step.name in STEPS:
            row_only = step.name != "norm"
            shown = replace(step, whole=()) if row_only else step
            worksheet.show(frame, shown, sheet=SPACE.name, name=f"{step.name}-{number}")
        if step.name == "feed":
            break
    draw_activations(after)
    if chosen != own:
        moved = change(plain, sheet)
        show.markdown(
            t(
                "scene.encoder.moved",
                chosen=ACTIVATIONS[chosen],
                own=ACTIVATIONS[own],
                moved=f"{moved.moved:.0%}",
                row=escape(frame.queries[moved.row]),
            )
        )
    show.caption(t("scene.encoder.again"))


SCENE = Scene(
    name="encoder",
    draw=draw,
    formulas=("residual", "layer_norm", "feed_forward", "gelu"),
    more=(on_worksheet("encoder"),),
)
