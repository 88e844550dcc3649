"""A weighted average among the vectors that it is made of, in a plane."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from model.records import Floats
from viz.figures.labels import label
from viz.theme import CATEGORICAL, GRID, Scheme, surface

THICKEST = 12
"""Pixels of the line of weight 1."""
HEIGHT = 480
MARGINS = (0.06, 0.12)
"""Below and above all points, as a share of their height: a name stands above its point."""
LOOKS = ((0, "diamond", 1), (1, "square-open", 3), (3, "x-thin-open", 3))
"""Of the marks: colour, symbol, and how thick its line is."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A point of the plane with a name."""

    name: str
    at: Floats
    """[2]."""


def average(
    points: Floats,
    names: Sequence[str],
    weights: Floats,
    marks: Sequence[Mark],
    corners: Sequence[int],
    *,
    title: str,
    reach: str,
    x_title: str,
    y_title: str,
    scheme: Scheme = "light",
) -> go.Figure:
    """Points [S, 2] of weights [S], and up to three marks. The first one is the average: a line leads from it to each
    point, as thick as the point's weight. The `corners` of the points' hull are joined. `title` is what the points are,
    `reach` what lies within the hull.

    Both axes have one scale, so that distances can be compared.
    """
    figure = go.Figure()
    outline = [*corners, *corners[:1]]
    figure.add_scatter(
        x=points[outline, 0], y=points[outline, 1], name=label(reach, 60), mode="lines", hoverinfo="skip",
        line={"color": GRID[scheme], "width": 1.5, "dash": "dot"}, fill="toself", fillcolor="rgba(128,128,128,0.07)",
    )  # fmt: skip
    for point, weight in zip(points.tolist(), weights.tolist(), strict=True):
        (x0, y0), (x1, y1) = marks[0].at.tolist(), point
        figure.add_shape(
            type="line", x0=x0, y0=y0, x1=x1, y1=y1, layer="below", opacity=0.55,
            line={"color": CATEGORICAL[scheme][0], "width": THICKEST * weight},
        )  # fmt: skip
    figure.add_scatter(
        x=points[:, 0], y=points[:, 1], name=label(title, 60), mode="markers+text",
        text=[label(name) for name in names], textposition="top center",
        marker={"color": CATEGORICAL[scheme][5], "size": 8}, customdata=weights, cliponaxis=False,
        hovertemplate="%{text}: %{customdata:.3f}<extra></extra>",
    )  # fmt: skip
    for mark, (colour, symbol, line) in zip(marks, LOOKS, strict=False):
        figure.add_scatter(
            x=mark.at[:1], y=mark.at[1:], name=label(mark.name, 60), mode="markers",
            marker={"color": CATEGORICAL[scheme][colour], "symbol": symbol, "size": 15, "line": {"width": line}},
            hovertemplate=f"{label(mark.name, 60)}<extra></extra>",
        )  # fmt: skip
    axis = {"gridcolor": GRID[scheme], "zeroline": False, "automargin": True}
    figure.update_xaxes(**axis, title=label(x_title, 120))
    heights = np.concatenate((points[:, 1], [mark.at[1] for mark in marks]))
    low, high = float(heights.min()), float(heights.max())
    span = high - low or float(np.ptp(points[:, 0])) or 1  # all at one height, or at one place
    reach_y = (low - MARGINS[0] * span, high + MARGINS[1] * span)
    figure.update_yaxes(**axis, title=label(y_title, 120), scaleanchor="x", range=reach_y)
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"},
        **surface(scheme),
    )
    return figure
