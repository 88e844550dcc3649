"""Activations as curves, above the histogram of the numbers to which they are applied."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from model.records import Floats
from viz.figures.curves import DASHES, Series
from viz.figures.labels import label
from viz.theme import BACKGROUND, CATEGORICAL, GRID, INK, Scheme, surface

HEIGHT = 430


def activations(
    curves: Sequence[Series],
    edges: Floats,
    counts: NDArray[np.int_],
    *,
    off: str,
    on: str,
    x_title: str,
    y_title: str,
    count_title: str,
    top: float,
    scheme: Scheme = "light",
) -> go.Figure:
    """Curves over x, cut off above `top`; below them, over the same x, how many numbers lie between `edges` [bins + 1],
    as `counts` [bins]. Bars of numbers below 0 are hatched and named `off`, the others `on`."""
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.06)
    colours = CATEGORICAL[scheme]
    for i, each in enumerate(curves):
        figure.add_scatter(
            x=list(each.x), y=list(each.y), name=label(each.name, 60), mode="lines",
            line={"color": colours[i], "dash": DASHES[i], "width": 2.5},
            hovertemplate=f"{label(each.name, 60)}(%{{x:.3f}}) = %{{y:.3f}}<extra></extra>", row=1, col=1,
        )  # fmt: skip
    middles = (edges[:-1] + edges[1:]) / 2
    for name, chosen, look, colour in ((off, middles < 0, "/", colours[5]), (on, middles >= 0, "", colours[2])):
        figure.add_bar(
            x=middles[chosen].tolist(),
            y=counts[chosen].tolist(),
            width=np.diff(edges)[chosen].tolist(),
            name=label(name, 60),
            customdata=np.stack((edges[:-1][chosen], edges[1:][chosen]), axis=1).tolist(),
            marker={
                "color": colour,
                "line": {"width": 0},
                "pattern": {"shape": look, "fillmode": "overlay", "fgcolor": BACKGROUND[scheme]},
            },
            hovertemplate="%{customdata[0]:.3f} \u2026 %{customdata[1]:.3f}: %{y}<extra></extra>",
            row=2,
            col=1,
        )
    axis = {"gridcolor": GRID[scheme], "zerolinecolor": INK[scheme], "linecolor": GRID[scheme], "automargin": True}
    figure.update_xaxes(**axis, range=[float(edges[0]), float(edges[-1])])
    figure.update_xaxes(title=label(x_title, 120), row=2)
    figure.update_yaxes(**axis)
    figure.update_yaxes(title=label(y_title, 60), range=[-top / 6, top], row=1)
    figure.update_yaxes(title=label(count_title, 60), row=2)
    figure.update_layout(
        height=HEIGHT,
        bargap=0,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        **surface(scheme),
    )
    return figure
