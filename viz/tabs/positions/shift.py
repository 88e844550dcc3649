"""The shift: one matrix that leads from each position to the one k places on."""

import streamlit as st

from model.experiments.position_encoding import move, shift, shift_error
from viz import models
from viz.document import show
from viz.document.page import fragment, scheme_now
from viz.figures import Series
from viz.figures.positions import Axes, Panel, overlay
from viz.i18n import t
from viz.number_format import scientific
from viz.state import Space
from viz.tabs.positions.pictures import CHART, NUMBERED, squares
from viz.tabs.positions.pictures import draw as draw_picture
from viz.widgets.dials import draw_hands
from viz.widgets.inputs import slide

SPACE = Space("positions_shift", __file__, page="positions")
SHIFT, FROM = SPACE.choice("shift", 5, address="shift"), SPACE.choice("from", 10, address="from")
FARTHEST = 64
"""Positions that the sliders reach."""


@fragment
def draw() -> None:
    config = models.sizes()
    width = config.d_model
    show.caption(t("positions.shift.intro"))
    show.formula("shift_blocks")
    show.formula("shift_rotation")
    left, right = st.columns(2)
    with left:
        k = slide(SHIFT, t("positions.shift.by"), 0, FARTHEST, hint=t("positions.shift.by_help"), width=500)
    with right:
        position = slide(FROM, t("positions.shift.from"), 0, FARTHEST, hint=t("positions.shift.from_help"), width=500)
    show.markdown(
        t(
            "positions.shift.error",
            k=k,
            count=config.max_length,
            single=scientific(shift_error(k, width, config.max_length)),
            double=scientific(shift_error(k, width, config.max_length, float)),
        )
    )
    matrix, found = shift(k, width), move(position, k, width)
    blocks = t("positions.shift.blocks", count=NUMBERED // 2)
    squares(
        {
            "blocks": Panel(title=blocks, values=matrix[:NUMBERED, :NUMBERED]),
            "rotation": Panel(title=t("positions.shift.whole", k=k), values=matrix),
        },
        Axes(
            rows=t("positions.shift.after"),
            columns=t("positions.shift.dimension"),
            value=t("positions.shift.entry"),
            limit=1,
        ),
        t("positions.shift.rotation_reading"),
        size=500,
    )
    show.heading(t("positions.shift.hands"))
    draw_hands(position, k, key=CHART.at("dials"))
    show.heading(t("positions.shift.vector"))
    dimensions = list(range(width))
    draw_picture(
        overlay(
            Series(name=t("positions.shift.before", position=position), x=dimensions, y=found.before.tolist()),
            Series(name=t("positions.shift.true", position=position + k), x=dimensions, y=found.true.tolist()),
            Series(name=t("positions.shift.moved", position=position, k=k), x=dimensions, y=found.moved.tolist()),
            x_title=t("positions.dimension"), y_title=t("positions.value"), scheme=scheme_now(),
        ),
        "moved",
        t("positions.shift.vector_reading"),
    )  # fmt: skip
