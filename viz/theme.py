"""Colours, once, for the canvas components and for Plotly; plain data."""

from collections.abc import Mapping, Sequence
from typing import Literal

Scheme = Literal["light", "dark"]

SEQUENTIAL: dict[Scheme, tuple[str, ...]] = {
    "light": ("#fbfbf8", "#e3efcf", "#a9d9bd", "#5cbac0", "#2a8fbd", "#2460a4", "#1f3580", "#0b1550"),
    "dark": ("#12151d", "#17254f", "#1c4787", "#2372a9", "#3d9fb4", "#7cc8b4", "#c6e6b6", "#fbfbd8"),
}
"""Weight 0 to weight 1, evenly spaced. Lightness moves one way only, so it reads in grey and for every kind of
colour vision; weight 0 is nearly the page."""

DIVERGING: dict[Scheme, tuple[str, ...]] = {
    "light": ("#0b3d7a", "#2a75bd", "#8fbfe6", "#fbfbf8", "#f5b98a", "#d1651c", "#7a2e00"),
    "dark": ("#a9d4ff", "#4e9fe8", "#1c4a80", "#12151d", "#7a3a12", "#e07b39", "#ffd2ae"),
}
"""-1 to 1, evenly spaced; the middle is nearly the page. Blue and orange differ for every kind of colour vision."""

GOLD: dict[Scheme, str] = {"light": "#d12a7b", "dark": "#ff7ab8"}
"""Outline of a cell that a hand-made alignment has: a hue that no scale here holds."""

IMPOSSIBLE: dict[Scheme, str] = {"light": "#dcdcdc", "dark": "#3a3d45"}
"""Cells that the mask forbids, which is not the same as weight 0."""

BACKGROUND: dict[Scheme, str] = {"light": "#ffffff", "dark": "#12151d"}
"""Of the page, as in .streamlit/config.toml: a saved picture takes it along, so that it can be read anywhere."""

INK: dict[Scheme, str] = {"light": "#1d2129", "dark": "#e8eaf0"}

PRIMARY: dict[Scheme, str] = {"light": "#1f5fa8", "dark": "#6fb7e8"}
SECONDARY: dict[Scheme, str] = {"light": "#f2f4f7", "dark": "#1c212c"}
BORDER: dict[Scheme, str] = {"light": "#d5d9e0", "dark": "#39404d"}
"""What is chosen, a box's ground, and its frame, as in .streamlit/config.toml: a saved page has none of it at hand."""

GRID: dict[Scheme, str] = {"light": "#dfe2e6", "dark": "#363b47"}
"""Lines behind curves."""

CATEGORICAL: dict[Scheme, tuple[str, ...]] = {
    "light": ("#0072b2", "#c44f00", "#007a5a", "#9b4f82", "#b08a00", "#333333", "#6a3fd0", "#7a2a12"),
    "dark": ("#56b4e9", "#f0894a", "#2fc49a", "#dd9ac2", "#e6c84c", "#d0d0d0", "#8c8cff", "#c4f5b0"),
}
"""Things without an order: hues of Okabe and Ito, darker on white, lighter on black, and two more that no kind of
colour vision takes for one of them. Never the only sign."""


def colorscale(scheme: Scheme, palette: Mapping[Scheme, Sequence[str]] = SEQUENTIAL) -> list[tuple[float, str]]:
    """A palette as Plotly wants it."""
    stops = palette[scheme]
    return [(i / (len(stops) - 1), colour) for i, colour in enumerate(stops)]


def surface(scheme: Scheme) -> dict[str, object]:
    """Letters, toolbar and background of a figure, for its layout in Plotly."""
    ink, paper = INK[scheme], BACKGROUND[scheme]
    return {
        "font": {"color": ink},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": ink, "activecolor": ink},
        "paper_bgcolor": paper,
        "plot_bgcolor": paper,
    }
