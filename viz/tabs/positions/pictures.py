"""Pictures of positions, each with what its axes and colours are under it."""

from collections.abc import Mapping

import plotly.graph_objects as go
import streamlit as st

from viz.document import show
from viz.document.page import scheme_now
from viz.figures.positions import Axes, Panel, square
from viz.state import Space

CHART = Space("positions_pictures", __file__, page="positions").key("chart")
NUMBERED = 8
"""Rows of a square up to which its cells have their numbers written in."""


def draw(figure: go.Figure, name: str, reading: str) -> None:
    show.chart(figure, key=CHART.at(name), alt=reading, file=f"regard-positions-{name}", caption=reading)


def squares(panels: Mapping[str, Panel], axes: Axes, reading: str, size: int) -> None:
    """As many in a row as the page has room for, and what they all are."""
    with st.container(horizontal=True):
        for name, panel in panels.items():
            show.chart(
                square(panel, axes, numbers=len(panel.values) <= NUMBERED, size=size, scheme=scheme_now()),
                key=CHART.at(name),
                alt=f"{panel.title}. {reading}",
                file=f"regard-positions-{name}",
                width=size,
            )
    show.caption(reading)
