"""Positions in pictures: signed numbers as heatmaps on one scale, waves, clock hands, one vector over another."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from model.records import Floats
from viz.figures.curves import Series, bars, lines
from viz.figures.labels import label
from viz.theme import CATEGORICAL, DIVERGING, GOLD, GRID, INK, Scheme, colorscale, surface

GAP = 34
"""Pixels above each map for its title."""


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One heatmap."""

    title: str
    values: NDArray[np.floating]
    """[rows, columns]."""


@dataclass(frozen=True, kw_only=True)
class Axes:
    """What the rows, the columns and the colour of a heatmap are."""

    rows: str
    columns: str
    value: str
    limit: float
    """Colour runs from -`limit` to `limit`."""


def stacked(
    panels: Sequence[Panel],
    axes: Axes,
    *,
    rows: Sequence[str] = (),
    marked: Sequence[int] = (),
    height: int = 400,
    scheme: Scheme = "light",
) -> go.Figure:
    """Heatmaps of equally many columns, one under the other, on one horizontal axis and one scale of colours. Rows have
    names, or else numbers from 0, as columns have; row 0 is on top. Each is about `height` pixels high if it has many
    rows. Rows `marked` in the first one have a frame: the first of them a solid one, the others a dotted one."""
    count, total = len(panels), sum(len(panel.values) for panel in panels)
    cell = float(np.clip(height / max(len(panel.values) for panel in panels), 4, 20))
    figure = make_subplots(
        rows=count,
        shared_xaxes=True,
        vertical_spacing=GAP / (cell * total + GAP * (count - 1)) if count > 1 else 0,
        subplot_titles=[label(panel.title, 80) for panel in panels],
    )
    every = math.ceil(13 / cell)  # names of fewer rows where they would overlap
    for i, panel in enumerate(panels, start=1):
        figure.add_trace(_heat(panel, axes), row=i, col=1)
        size = len(panel.values)
        figure.update_yaxes(range=[size - 0.5, -0.5], title=label(axes.rows, 80), row=i)
        if rows:
            figure.update_yaxes(
                tickvals=np.arange(size)[::every], ticktext=[label(row) for row in rows][::every], row=i
            )
    width = panels[0].values.shape[1]
    for i, row in enumerate(marked):
        figure.add_shape(
            x0=-0.5, x1=width - 0.5, y0=row - 0.5, y1=row + 0.5, row=1, col=1,
            line={"color": GOLD[scheme], "width": 2.5, "dash": "dot" if i else "solid"},
        )  # fmt: skip
    figure.update_xaxes(range=[-0.5, width - 0.5])
    figure.update_xaxes(title=label(axes.columns, 80), row=count)
    return _finish(_colour(figure, axes, scheme), int(cell * total + GAP * count + 76), scheme)


def square(panel: Panel, axes: Axes, *, numbers: bool = False, size: int = 360, scheme: Scheme = "light") -> go.Figure:
    """One heatmap with square cells in a figure `size` pixels wide; `numbers` writes each value into its cell."""
    figure = go.Figure(_heat(panel, axes))
    if numbers:
        figure.update_traces(texttemplate="%{z:.2f}", textfont={"size": 12})
    rows, columns = panel.values.shape
    figure.update_xaxes(range=[-0.5, columns - 0.5], title=label(axes.columns, 80), constrain="domain")
    figure.update_yaxes(
        range=[rows - 0.5, -0.5], title=label(axes.rows, 80), constrain="domain", scaleanchor="x",
        constraintoward="top",
    )  # fmt: skip
    figure.add_annotation(
        text=label(panel.title, 80), x=0.5, y=1, xref="x domain", yref="y domain", yanchor="bottom", showarrow=False
    )
    return _finish(_colour(figure, axes, scheme), size, scheme)


def _heat(panel: Panel, axes: Axes) -> go.Heatmap:
    names = [label(each, 80) for each in (axes.rows, axes.columns, axes.value)]
    return go.Heatmap(
        z=np.asarray(panel.values, np.float32),
        coloraxis="coloraxis",
        hovertemplate=f"{names[0]}: %{{y}}<br>{names[1]}: %{{x}}<br>{names[2]}: %{{z:.4f}}<extra></extra>",
    )


def _colour(figure: go.Figure, axes: Axes, scheme: Scheme) -> go.Figure:
    frame = {"showline": True, "mirror": True, "linecolor": GRID[scheme]}  # an empty map has edges too
    figure.update_xaxes(**frame, showgrid=False, zeroline=False, automargin=True)
    figure.update_yaxes(**frame, showgrid=False, zeroline=False, automargin=True, tickfont={"size": 11})
    figure.update_layout(
        coloraxis={
            "cmin": -axes.limit,
            "cmax": axes.limit,
            "colorscale": colorscale(scheme, DIVERGING),
            "colorbar": {
                "title": {"text": label(axes.value, 80), "side": "right"},
                "thickness": 14,
                "len": 1,
                "tickvals": [axes.limit * share for share in (-1, -0.5, 0, 0.5, 1)],
                "tickformat": ".3~g",
            },
        }
    )
    return figure


def waves(series: Sequence[Series], *, x_title: str, y_title: str, scheme: Scheme = "light") -> go.Figure:
    """Chosen dimensions over positions, as lines between -1 and 1 without markers."""
    figure = lines(series, x_title=x_title, y_title=y_title, scheme=scheme)
    figure.update_traces(mode="lines")
    figure.update_yaxes(range=[-1.08, 1.08])
    return figure


def bars_of_pieces(
    pieces: Sequence[str], series: Sequence[Series], *, x_title: str, y_title: str, scheme: Scheme = "light"
) -> go.Figure:
    """A group of bars for each piece of a sentence, however many there are: of a long one not all have their name."""
    figure = bars(pieces, series, x_title=x_title, y_title=y_title, scheme=scheme)
    every = math.ceil(len(pieces) / 50)
    ticks = figure.layout.xaxis
    figure.update_xaxes(tickvals=ticks.tickvals[::every], ticktext=ticks.ticktext[::every], showgrid=False)
    return figure


def overlay(
    before: Series, true: Series, moved: Series, *, x_title: str, y_title: str, scheme: Scheme = "light"
) -> go.Figure:
    """Three vectors, a mark for each number: `true` as rings, `moved` as dots that lie in them where both agree."""
    figure = lines([before, true, moved], x_title=x_title, y_title=y_title, scheme=scheme)
    figure.update_traces(mode="markers")
    for trace, marker in zip(
        figure.data,
        ({"symbol": "x-thin-open", "size": 5}, {"symbol": "circle-open", "size": 10}, {"symbol": "circle", "size": 4}),
        strict=True,
    ):
        trace.marker = marker
    figure.update_yaxes(range=[-1.08, 1.08])
    return figure


def dials(
    before: Sequence[Floats],
    after: Sequence[Floats],
    titles: Sequence[str],
    *,
    names: tuple[str, str],
    scheme: Scheme = "light",
) -> go.Figure:
    """Pairs (sin a, cos a) as clock hands at the angle a from the right, counter-clockwise: each pair [2] `before` and
    `after` a shift, one dial for each."""
    count = len(titles)
    figure = make_subplots(cols=count, horizontal_spacing=0.03, subplot_titles=[label(each, 60) for each in titles])
    for i in range(count):
        place = {"row": 1, "col": i + 1}
        figure.add_shape(type="circle", x0=-1, x1=1, y0=-1, y1=1, line={"color": GRID[scheme], "width": 2}, **place)
        for hands, name, look, colour in (
            (before, names[0], "dot", CATEGORICAL[scheme][0]),
            (after, names[1], "solid", CATEGORICAL[scheme][1]),
        ):
            sine, cosine = (float(number) for number in hands[i])
            figure.add_scatter(
                x=[0, cosine], y=[0, sine], name=label(name, 60), legendgroup=name, showlegend=i == 0,
                mode="lines+markers", line={"color": colour, "dash": look, "width": 3},
                marker={"size": [0, 9], "symbol": "circle"}, hovertemplate="(%{y:.4f}, %{x:.4f})<extra></extra>",
                **place,
            )  # fmt: skip
        figure.update_yaxes(scaleanchor=f"x{i + 1 if i else ''}", constrain="domain", constraintoward="top", **place)
    axis = {"visible": False, "range": [-1.12, 1.12], "constrain": "domain"}
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": 0, "yanchor": "top"})
    return _finish(figure, 280, scheme)


def _finish(figure: go.Figure, height: int, scheme: Scheme) -> go.Figure:
    figure.update_annotations(font={"size": 14, "color": INK[scheme]})
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        **surface(scheme),
    )
    return figure
