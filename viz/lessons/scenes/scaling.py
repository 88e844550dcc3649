"""Why scores are divided by sqrt(d_k): variance, saturation and the vanishing gradient, on random numbers."""

import streamlit as st

from model.experiments.score_scaling import KEYS, QUERIES, WIDTHS, ScalingAtWidth, lossless_width, measure_scaling
from model.records import Translation
from viz import models
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series, bars, lines
from viz.i18n import t
from viz.lessons.more import on_worksheet
from viz.lessons.scene import Scene
from viz.number_format import scientific
from viz.state import Space
from viz.widgets.inputs import choose, slide

MEASURES = ("gradient", "largest", "entropy")
WITHOUT, WITH = 0, 1
LEGEND_HEIGHT = 90
"""Pixels above a curve, of which a legend in two lines leaves enough for the toolbar where the page is narrow."""
TICKS = {width: f"{width:,}" for width in WIDTHS[::2]}
SPACE = Space("scaling", __file__, page="lessons")
SEED, MEASURE, WIDTH = SPACE.choice("seed", 0), SPACE.choice("what", MEASURES[0]), SPACE.choice("width", 64)
VARIANCE, SOFTMAX, ROW = (SPACE.key(name) for name in ("variance", "softmax", "row"))


def show_variance(found: list[ScalingAtWidth]) -> None:
    """Measured points, and the line that they should be on."""
    widths = [each.width for each in found]
    caption = t("scene.scaling.variances", pairs=f"{QUERIES * KEYS:,}")
    figure = lines(
        [
            Series(name=t("scene.scaling.measured"), x=widths, y=[each.variance for each in found]),
            Series(name=t("scene.scaling.expected"), x=widths, y=widths),
            Series(name=t("scene.scaling.divided"), x=widths, y=[each.divided_variance for each in found]),
        ],
        x_title=t("scene.scaling.width"), y_title=t("scene.scaling.variance"), x_axis="log", y_axis="log",
        x_ticks=TICKS, scheme=scheme_now(),
    )  # fmt: skip
    for line, mode in zip(figure.data, ("markers", "lines", "markers"), strict=True):
        line.mode = mode
    figure.update_layout(margin_t=LEGEND_HEIGHT)
    show.chart(figure, key=VARIANCE, alt=caption, file="regard-scaling-variance", caption=caption)


def show_softmax(found: list[ScalingAtWidth], what: str) -> None:
    """What softmax makes of the scores, against their width."""
    widths = [each.width for each in found]
    caption = t(f"scene.scaling.reading.{what}", keys=KEYS, queries=QUERIES)
    if what == "gradient" and (bound := lossless_width(found)):
        caption += " " + t("scene.scaling.lossless", width=f"{bound:,}")
    figure = lines(
        [
            Series(name=t("scene.scaling.without"), x=widths, y=[getattr(each.plain, what) for each in found]),
            Series(name=t("scene.scaling.with"), x=widths, y=[getattr(each.divided, what) for each in found]),
        ],
        x_title=t("scene.scaling.width"), y_title=t(f"scene.scaling.measure.{what}"), x_axis="log", from_zero=True,
        x_ticks=TICKS, scheme=scheme_now(),
    )  # fmt: skip
    figure.update_layout(margin_t=LEGEND_HEIGHT)
    show.chart(figure, key=SOFTMAX, alt=caption, file=f"regard-scaling-{what}", caption=caption)


def show_row(one: ScalingAtWidth) -> None:
    """One query's weights, with the division and without."""
    figure = bars(
        [str(key + 1) for key in range(KEYS)],
        [
            Series(name=t("scene.scaling.without"), x=[], y=one.rows[WITHOUT]),
            Series(name=t("scene.scaling.with"), x=[], y=one.rows[WITH]),
        ],
        x_title=t("scene.scaling.key"), y_title=t("axis.weight"), most=1, scheme=scheme_now(),
    )  # fmt: skip
    figure.update_xaxes(tickangle=0)
    without, divided = one.numbers
    caption = t(
        "scene.scaling.row",
        width=f"{one.width:,}",
        largest=f"{without.largest:.1%}",
        divided_largest=f"{divided.largest:.1%}",
        gradient=scientific(without.gradient),
        divided_gradient=scientific(divided.gradient),
    )
    show.chart(figure, key=ROW, alt=caption, file="regard-scaling-row", caption=caption)


def draw(translation: Translation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = slide(SEED, t("scene.scaling.seed"), 0, 9, hint=t("scene.scaling.seed.help"))
        what = choose(MEASURE, t("scene.scaling.what"), MEASURES, named=lambda name: t(f"scene.scaling.measure.{name}"))
    found = models.ask(measure_scaling, seed, model=None)
    left, right = st.columns(2)
    with left:
        show_variance(found)
    with right:
        show_softmax(found, what)
    width = choose(WIDTH, t("scene.scaling.width"), WIDTHS, named=lambda number: f"{number:,}")
    show_row(found[WIDTHS.index(width)])


SCENE = Scene(
    name="scaling",
    draw=draw,
    formulas=("variance", "attention", "softmax_gradient"),
    more=(on_worksheet(),),
    reads=False,
)
