"""Colours, once, for the canvas components and for Plotly; plain data."""

from typing import Literal

Scheme = Literal["light", "dark"]

SEQUENTIAL: dict[Scheme, tuple[str, ...]] = {
    "light": ("#fbfbf8", "#e3efcf", "#a9d9bd", "#5cbac0", "#2a8fbd", "#2460a4", "#1f3580", "#0b1550"),
    "dark": ("#12151d", "#17254f", "#1c4787", "#2372a9", "#3d9fb4", "#7cc8b4", "#c6e6b6", "#fbfbd8"),
}
"""Weight 0 to weight 1, evenly spaced. Lightness moves one way only, so it reads in grey and for every kind of
colour vision; weight 0 is nearly the page."""

IMPOSSIBLE: dict[Scheme, str] = {"light": "#dcdcdc", "dark": "#3a3d45"}
"""Cells that the mask forbids, which is not the same as weight 0."""

BACKGROUND: dict[Scheme, str] = {"light": "#ffffff", "dark": "#12151d"}
"""Of the page, as in .streamlit/config.toml: a saved picture takes it along, so that it can be read anywhere."""

INK: dict[Scheme, str] = {"light": "#1d2129", "dark": "#e8eaf0"}


def colorscale(scheme: Scheme) -> list[tuple[float, str]]:
    """The sequential palette as Plotly wants it."""
    stops = SEQUENTIAL[scheme]
    return [(i / (len(stops) - 1), colour) for i, colour in enumerate(stops)]
