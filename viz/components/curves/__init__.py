"""Curves that grow while somebody watches: the browser draws them anew in place, where Plotly would go blank each time.

Python sends JSON; the browser (curves.js) draws one plot above the other over a common x axis and answers the pointer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from viz.components import declare, tell
from viz.theme import CATEGORICAL

MOST = 3
"""Lines that can be told apart by their dashes, and not by colour alone."""


@dataclass(frozen=True, kw_only=True)
class Plot:
    """What stands over one y axis."""

    title: str
    lines: Sequence[Sequence[float]]  # one y for each x, for each name
    end: float | None = None  # of the y axis, which begins at 0; None: the whole number above all that is drawn
    reference: tuple[str, float] | None = None  # a height, and what it means

    def __post_init__(self) -> None:
        assert all(0 <= y <= self.top for line in self.lines for y in line), "the axis must hold every value"

    @property
    def top(self) -> float:
        """Where the y axis ends."""
        heights = [y for line in self.lines for y in line] + [self.reference[1] if self.reference else 0.0]
        return self.end or max(1, math.ceil(max(heights)))


def ticks(end: float) -> list[float]:
    """From 0 up to `end`, six at most: steps of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(end / 5))
    step = next(each * power for each in (1, 2, 5, 10) if end / (each * power) <= 5 + 1e-9)
    return [float(f"{i * step:.6g}") for i in range(math.floor(end / step + 1e-9) + 1)]


def payload(
    plots: Sequence[Plot], names: Sequence[str], x: Sequence[float], *, x_title: str, x_end: float, about: str,
    mark: float | None = None,
) -> dict[str, object]:  # fmt: skip
    """What the browser needs, as plain JSON; it writes every text as text."""
    assert 0 < len(names) <= MOST, "lines must differ"
    assert all(0 <= each <= x_end for each in x), "the axis must hold every value"
    for plot in plots:
        assert [len(line) for line in plot.lines] == [len(x)] * len(names), "one line for each name, one y for each x"
    return {
        "plots": [
            {
                "title": plot.title,
                "lines": [[round(float(y), 5) for y in line] for line in plot.lines],
                "end": float(plot.top),
                "ticks": ticks(plot.top),
                "reference": plot.reference,
            }
            for plot in plots
        ],
        "names": list(names),
        "x": [float(each) for each in x],
        "title": x_title,
        "end": float(x_end),
        "ticks": ticks(x_end),
        "mark": mark,
        "about": about,
        "colours": CATEGORICAL,
    }


_mount = declare("curves", html="curves.html", css=("../shared/canvas.css", "curves.css"), js="curves.js")


def curves(
    plots: Sequence[Plot], names: Sequence[str], x: Sequence[float], *, x_title: str, x_end: float, about: str,
    key: str, mark: float | None = None,
) -> None:  # fmt: skip
    """Draw one line for each name in every plot, over x from 0 to `x_end`. `mark` is the x that other things of the
    page are about; `about` says what is drawn to those who cannot see it."""
    data = payload(plots, names, x, x_title=x_title, x_end=x_end, about=about, mark=mark)
    _mount(data=data, key=key)
    tell("curves", key, data)
