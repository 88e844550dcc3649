"""Lines and bars that hold a few models against each other."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from viz.figures.labels import label
from viz.theme import CATEGORICAL, GRID, Scheme, surface

DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star", "x", "triangle-down")
HEIGHT = 360
"""Pixels of a figure here; more if its legend needs it."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line, or one bar of each group."""

    name: str
    x: Sequence[float]
    """Of a bar chart not used: groups stand side by side."""
    y: Sequence[float]
    notes: Sequence[str] = ()
    """What the hover says besides, one for each point."""


def _layout(figure: go.Figure, x_title: str, y_title: str, scheme: Scheme) -> go.Figure:
    axis = {"gridcolor": GRID[scheme], "zerolinecolor": GRID[scheme], "linecolor": GRID[scheme], "automargin": True}
    figure.update_xaxes(**axis, title=label(x_title, 120))
    figure.update_yaxes(**axis, title=label(y_title, 120))
    # Room for the toolbar and, below it, for the legend, of which a narrow page has three or fewer in a line.
    top = max(80, 44 + 18 * math.ceil(len(figure.data) / 3))
    figure.update_layout(
        height=HEIGHT + top - 80,
        margin={"l": 10, "r": 10, "t": top, "b": 10},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        **surface(scheme),
    )
    return figure


def lines(
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    x_axis: Literal["linear", "log"] = "linear",
    y_axis: Literal["linear", "log"] = "linear",
    x_ticks: Mapping[float, str] | None = None,
    from_zero: bool = False,
    scheme: Scheme = "light",
) -> go.Figure:
    """One line with markers for each series, told apart by colour, dash and marker. `x_ticks`: what the x axis says
    where, and nothing elsewhere; of many not all. `from_zero`: the y axis starts at 0."""
    figure = go.Figure()
    for i, each in enumerate(series):
        name = label(each.name, 60)
        figure.add_scatter(
            x=list(each.x),
            y=list(each.y),
            name=name,
            mode="lines+markers",
            line={"color": CATEGORICAL[scheme][i % len(CATEGORICAL[scheme])], "dash": DASHES[i % len(DASHES)]},
            marker={"symbol": SYMBOLS[i % len(SYMBOLS)], "size": 8},
            customdata=[label(note, 120) for note in each.notes] or None,
            hovertemplate=f"{name}<br>{label(x_title, 120)}: %{{x}}<br>{label(y_title, 120)}: %{{y:.4g}}"
            + ("<br>%{customdata}" if each.notes else "")
            + "<extra></extra>",
        )
    figure.update_xaxes(type=x_axis)
    if x_ticks is not None:
        every = math.ceil(len(x_ticks) / 50)
        figure.update_xaxes(
            tickvals=list(x_ticks)[::every], ticktext=[label(each) for each in x_ticks.values()][::every],
            autotickangles=[0, -60],
        )  # fmt: skip
    figure.update_yaxes(type=y_axis, rangemode="tozero" if from_zero else "normal")
    values = [value for each in series for value in each.y if value > 0]
    if y_axis == "log" and values and max(values) < 1000 * min(values):
        figure.update_yaxes(dtick="D2")  # 1, 2, 5; without it the axis of a short range is crowded with 6, 7, 8, 9
    return _layout(figure, x_title, y_title, scheme)


def bars(
    groups: Sequence[str],
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    most: float | None = None,
    scheme: Scheme = "light",
) -> go.Figure:
    """For each group the bars of all series, side by side; groups may have equal names. The y axis ends at `most`, or
    where the highest bar does."""
    figure = go.Figure()
    names = [label(group) for group in groups]
    for i, each in enumerate(series):
        figure.add_bar(
            x=list(range(len(groups))),
            y=list(each.y),
            name=label(each.name, 60),
            marker={"color": CATEGORICAL[scheme][i % len(CATEGORICAL[scheme])]},
            customdata=names,
            hovertemplate=f"%{{customdata}}<br>{label(each.name, 60)}: %{{y:.4g}}<extra></extra>",
        )
    figure.update_xaxes(
        tickvals=list(range(len(groups))), ticktext=names, tickangle=-60 if len(groups) > 12 else 0,
        range=[-0.6, len(groups) - 0.4],
    )  # fmt: skip
    if most is not None:
        figure.update_yaxes(range=[0, most])
    figure.update_layout(barmode="group")
    return _layout(figure, x_title, y_title, scheme)
