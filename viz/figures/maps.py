"""Several attention maps over the same pieces, two in a line, on common axes and one scale of colours."""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.figures.labels import label
from viz.figures.positions import Panel
from viz.theme import INK, SEQUENTIAL, Scheme, colorscale, surface

GAP = 40
"""Pixels above each map for its title."""


def maps(
    panels: Sequence[Panel],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    query_axis: str,
    key_axis: str,
    weight: str,
    scheme: Scheme = "light",
) -> go.Figure:
    """Weights [Q, K] in 0..1, each panel with a title; row 0 is on top. Whoever zooms into one zooms into all."""
    lines = math.ceil(len(panels) / 2)
    cell = float(np.clip(260 / len(queries), 9, 22))
    names = 8 + 7 * max(min(len(key), 16) for key in keys)  # pixels of the slanted labels under a map
    height = lines * (cell * len(queries) + GAP + names)
    figure = make_subplots(
        rows=lines, cols=2, shared_xaxes="all", shared_yaxes="all", horizontal_spacing=0.03,
        vertical_spacing=(GAP + names) / height, subplot_titles=[label(panel.title, 60) for panel in panels],
    )  # fmt: skip
    for i, panel in enumerate(panels):
        figure.add_trace(
            go.Heatmap(
                z=np.asarray(panel.values, np.float32),
                coloraxis="coloraxis",
                xgap=1 if len(keys) <= 40 else 0,
                ygap=1 if len(queries) <= 40 else 0,
                hovertemplate=f"{label(panel.title, 60)}<br>{label(query_axis, 80)}: %{{y}}<br>{label(key_axis, 80)}: "
                f"%{{x}}<br>{label(weight)}: %{{z:.4f}}<extra></extra>",
            ),
            row=i // 2 + 1,
            col=i % 2 + 1,
        )
    across, down = math.ceil(len(keys) / 36), math.ceil(12 / cell)  # labels of fewer where they would overlap
    axis = {"showgrid": False, "zeroline": False, "automargin": True, "ticks": ""}
    figure.update_xaxes(
        **axis, range=[-0.5, len(keys) - 0.5], tickangle=-60, showticklabels=True,
        tickvals=np.arange(len(keys))[::across], ticktext=[label(key) for key in keys][::across],
    )  # fmt: skip
    figure.update_yaxes(
        **axis, range=[len(queries) - 0.5, -0.5],
        tickvals=np.arange(len(queries))[::down], ticktext=[label(query) for query in queries][::down],
    )  # fmt: skip
    figure.update_xaxes(title=label(key_axis, 80), row=lines)
    figure.update_yaxes(title=label(query_axis, 80), col=1)
    figure.update_annotations(font={"size": 14, "color": INK[scheme]})
    figure.update_layout(
        height=int(height + 100),
        coloraxis={
            "cmin": 0,
            "cmax": 1,
            "colorscale": colorscale(scheme, SEQUENTIAL),
            "colorbar": {"title": {"text": label(weight), "side": "right"}, "thickness": 14, "len": 1},
        },
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        **surface(scheme),
    )
    return figure
