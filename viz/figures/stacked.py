"""Bars under bars: several measures of the same things, each with a scale of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.figures.labels import label
from viz.theme import CATEGORICAL, GRID, INK, Scheme, surface

PANEL, GAP = 120, 36
"""Pixels of one measure's bars, and above them for its title."""
NUMBERED = 30
"""Groups beyond which the bars' notes would overlap; the hover says them."""


@dataclass(frozen=True, kw_only=True)
class Bars:
    """One measure."""

    title: str
    values: Sequence[float]
    """One for each group."""
    notes: Sequence[str]
    """What stands at the end of each bar."""


def stacked(groups: Sequence[str], panels: Sequence[Bars], *, x_title: str, scheme: Scheme = "light") -> go.Figure:
    """Each panel has a bar for every group; groups may have equal names, and stand in the same place in all panels."""
    names = [label(group) for group in groups]
    height = len(panels) * (PANEL + GAP)
    figure = make_subplots(
        rows=len(panels), cols=1, shared_xaxes=True, vertical_spacing=GAP / height,
        subplot_titles=[label(panel.title, 120) for panel in panels],
    )  # fmt: skip
    for row, panel in enumerate(panels, start=1):
        notes = [label(note) for note in panel.notes]
        figure.add_trace(
            go.Bar(
                x=list(range(len(groups))),
                y=list(panel.values),
                marker={"color": CATEGORICAL[scheme][(row - 1) % len(CATEGORICAL[scheme])]},
                text=notes if len(groups) <= NUMBERED else None,
                textposition="outside",
                textangle=0,
                cliponaxis=False,
                customdata=list(zip(names, notes, strict=True)),
                hovertemplate="%{customdata[0]}: %{y:.4g} (%{customdata[1]})<extra></extra>",
            ),
            row=row,
            col=1,
        )
        low, high = min(0.0, *panel.values), max(0.0, *panel.values)
        room = 0.22 * (high - low or 1)  # for the notes
        figure.update_yaxes(range=[low - room * (low < 0), high + room], row=row)
    axis = {"gridcolor": GRID[scheme], "zerolinecolor": INK[scheme], "automargin": True}
    figure.update_yaxes(**axis, nticks=4)
    figure.update_xaxes(
        showgrid=False, automargin=True, tickvals=list(range(len(groups))), ticktext=names,
        tickangle=-60 if len(groups) > 12 else 0, range=[-0.6, len(groups) - 0.4],
    )  # fmt: skip
    figure.update_xaxes(title=label(x_title, 80), row=len(panels))
    figure.update_annotations(font={"size": 14, "color": INK[scheme]}, x=0, xanchor="left", yshift=4)
    figure.update_layout(
        height=height + 90,
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
        showlegend=False,
        **surface(scheme),
    )
    return figure
