"""Residuals and depth: how much of the gradient arrives at each layer, and how alike the positions become."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.depth import DEEPEST, HEADS, LENGTH, SEEDS, WIDTH, Depth, measure_depth
from model.records import Translation
from viz import models
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series, lines
from viz.i18n import t
from viz.lessons.more import on_worksheet
from viz.lessons.scene import Scene
from viz.number_format import scientific
from viz.state import Space
from viz.widgets.inputs import choose, slide

MEASURES = ("arriving", "weights")
LEGEND_HEIGHT = 90
"""Pixels above a curve, of which a legend in two lines leaves enough for the toolbar where the page is narrow."""
SPACE = Space("depth", __file__, page="lessons")
LAYERS, MEASURE = SPACE.choice("layers", 12), SPACE.choice("what", MEASURES[0])
GRADIENT, ALIKE = SPACE.key("gradient"), SPACE.key("alike")


def named(each: Depth) -> str:
    if each.connection.residual:
        return t("scene.depth.way.both") if each.connection.norm else t("scene.depth.way.residual")
    return t("scene.depth.way.norm") if each.connection.norm else t("scene.depth.way.neither")


def show_gradient(found: Sequence[Depth], what: str) -> None:
    """How much of the gradient there is at each layer; states count from 0, what the first layer reads."""
    states = what == "arriving"
    caption = t(f"scene.depth.reading.{what}")
    figure = lines(
        [
            Series(name=named(each), x=range(not states, len(each.arriving)), y=getattr(each, what))
            for each in found
        ],
        x_title=t("scene.depth.after") if states else t("scene.depth.layer"), y_title=t("scene.depth.gradient"),
        y_axis="log", scheme=scheme_now(),
    )  # fmt: skip
    figure.update_yaxes(exponentformat="power")
    figure.update_layout(margin_t=LEGEND_HEIGHT)
    show.chart(figure, key=GRADIENT, alt=caption, file=f"regard-depth-{what}", caption=caption)


def show_alike(found: Sequence[Depth]) -> None:
    """How alike the positions are after each layer."""
    caption = t("scene.depth.reading.alike")
    figure = lines(
        [Series(name=named(each), x=range(len(each.alike)), y=each.alike) for each in found],
        x_title=t("scene.depth.after"), y_title=t("scene.depth.alike"), from_zero=True, scheme=scheme_now(),
    )  # fmt: skip
    figure.update_layout(margin_t=LEGEND_HEIGHT)
    show.chart(figure, key=ALIKE, alt=caption, file="regard-depth-alike", caption=caption)


def draw(translation: Translation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layers = slide(LAYERS, t("scene.depth.layers"), 2, DEEPEST)
        what = choose(MEASURE, t("scene.depth.what"), MEASURES, named=lambda name: t(f"scene.depth.measure.{name}"))
    found = models.ask(measure_depth, layers, model=None)
    left, right = st.columns(2)
    with left:
        show_gradient(found, what)
    with right:
        show_alike(found)
    head = [t(f"scene.depth.column.{name}") for name in ("way", "arriving", "weights", "second", "last")]
    rows = [
        (
            named(each),
            scientific(each.arriving[0]),
            scientific(each.weights[0]),
            f"{each.alike[2]:.3f}",
            f"{each.alike[-1]:.3f}",
        )
        for each in found
    ]
    show.table(head, rows)
    show.caption(t("scene.depth.setting", seeds=SEEDS, width=WIDTH, heads=HEADS, pieces=LENGTH, layers=layers))


SCENE = Scene(
    name="depth",
    draw=draw,
    formulas=("residual", "layer_norm"),
    more=(on_worksheet(),),
    reads=False,
)
