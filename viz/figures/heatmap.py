"""One attention map, large: exact values on hover, zoom, export."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from model.records import Floats
from viz.figures.labels import LONGEST, label
from viz.theme import DIVERGING, GOLD, IMPOSSIBLE, SEQUENTIAL, Scheme, colorscale, surface

WIDTH = 900
"""Pixels that a page usually has for a figure, from which heights follow."""


def heatmap_height(queries: Sequence[str], keys: Sequence[str], width: int = WIDTH) -> int:
    """Pixels: cells are square while they are few, and a row never gets too low for its label."""
    rows, columns = max(len(queries), 1), max(len(keys), 1)
    cell = max(11.0, min(44.0, (width - 160) / columns, 700 / rows))
    return int(np.clip(cell * rows + 120 + 7 * longest_label(queries, keys), 260, 1700))


def longest_label(queries: Sequence[str], keys: Sequence[str]) -> int:
    return max((min(len(name), LONGEST) for name in (*queries, *keys)), default=1)


def heatmap(
    weights: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    query_axis: str = "query",
    key_axis: str = "key",
    weight: str = "weight",
    title: str = "",
    reach: Sequence[int] | None = None,
    gold: Sequence[tuple[int, int, bool]] = (),
    difference: bool = False,
    numbers: bool = False,
    width: int = WIDTH,
    scheme: Scheme = "light",
) -> go.Figure:
    """weights [Q, K] in 0..1 with one label per row and per column; `reach` says how many leading keys each query may
    see, and the rest is drawn as forbidden. Colour runs from 0 to 1, linear; of a `difference` from -1 to 1.

    `gold` outlines cells (row, column, sure): sure ones with a line, possible ones with dashes. `numbers` writes each
    value into its cell. `width` is how many pixels the figure will have.
    """
    z = np.asarray(weights, np.float32)
    rows, columns = z.shape
    if reach is not None:
        z = np.where(np.arange(columns) < np.asarray(reach)[:, None], z, np.nan)
    x_labels, y_labels = [label(key) for key in keys], [label(query) for query in queries]
    longest = longest_label(queries, keys)
    size = int(np.clip(640 / max(rows, columns, 1), 9, 13))
    every = math.ceil(columns * 11 / (width - 160))  # labels of fewer columns where they would overlap
    figure = go.Figure(
        go.Heatmap(
            z=z,
            x=np.arange(columns),
            y=np.arange(rows),
            zmin=-1 if difference else 0,
            zmax=1,
            colorscale=colorscale(scheme, DIVERGING if difference else SEQUENTIAL),
            texttemplate="%{z:.2f}" if numbers else None,
            colorbar={
                "title": {"text": label(weight), "side": "right"},
                "thickness": 14,
                "len": 1,
                "tickvals": [-1, -0.5, 0, 0.5, 1] if difference else [0, 0.25, 0.5, 0.75, 1],
            },
            xgap=1 if columns <= 60 else 0,
            ygap=1 if rows <= 60 else 0,
            hoverongaps=False,
            hovertemplate=f"{label(query_axis, 80)}: %{{y}}<br>{label(key_axis, 80)}: %{{x}}<br>"
            f"{label(weight)}: %{{z:.4f}}<extra></extra>",
        )
    )
    axis = {"showgrid": False, "zeroline": False, "tickfont": {"size": size}, "automargin": True, "ticks": ""}
    figure.update_xaxes(
        **axis,
        tickvals=np.arange(columns)[::every],
        ticktext=x_labels[::every],
        side="top",
        tickangle=-60 if longest > 3 or columns > 30 else 0,
        range=[-0.5, columns - 0.5],
    )
    figure.update_yaxes(
        **axis,
        title=label(query_axis, 80),
        tickvals=np.arange(rows),
        ticktext=y_labels,
        range=[rows - 0.5, -0.5],
    )
    for row, column, sure in gold:
        figure.add_shape(
            x0=column - 0.46, x1=column + 0.46, y0=row - 0.46, y1=row + 0.46, fillcolor="rgba(0,0,0,0)",
            line={"color": GOLD[scheme], "width": 2.5, "dash": "solid" if sure else "dot"},
        )  # fmt: skip
    # Below, where neither the labels nor the toolbar can meet it, however narrow the figure is.
    figure.add_annotation(
        text=f"{label(key_axis, 80)}<br><b>{label(title, 80)}</b>",
        xref="paper",
        yref="paper",
        x=0.5,
        y=0,
        yshift=-44,
        showarrow=False,
    )
    figure.update_layout(
        height=heatmap_height(queries, keys, width),
        margin={"l": 10, "r": 10, "t": 44 + 7 * longest, "b": 60},  # above the labels there is room for the toolbar,
        **surface(scheme),
    )
    if reach is not None:
        figure.update_layout(plot_bgcolor=IMPOSSIBLE[scheme])
    return figure
