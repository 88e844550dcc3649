"""What shows positions, on their own page and in the lessons."""

from model.experiments.position_encoding import move, some_dimensions
from viz import models
from viz.document import show
from viz.document.page import scheme_now
from viz.figures.positions import Axes, dials
from viz.i18n import t
from viz.state import Key


def table_axes() -> Axes:
    """Of the table of positions."""
    return Axes(rows=t("positions.position"), columns=t("positions.dimension"), value=t("positions.value"), limit=1)


def piece_axes(limit: float) -> Axes:
    """Of a vector for each piece."""
    return Axes(rows=t("positions.piece"), columns=t("positions.dimension"), value=t("positions.value"), limit=limit)


def draw_hands(position: int, k: int, *, key: Key) -> None:
    """Four pairs of a position's vector as clock hands, before and after M_k."""
    width = models.sizes().d_model
    found, pairs = move(position, k, width), some_dimensions(width)
    figure = dials(
        [found.before[pair : pair + 2] for pair in pairs],
        [found.moved[pair : pair + 2] for pair in pairs],
        [
            t("positions.shift.hand", sine=pair, cosine=pair + 1, degrees=f"{found.degrees[pair // 2]:,.0f}")
            for pair in pairs
        ],
        names=(
            t("positions.shift.before", position=position),
            t("positions.shift.moved", position=position, k=k),
        ),
        scheme=scheme_now(),
    )
    reading = t("positions.shift.hands_reading")
    show.chart(figure, key=key, alt=reading, file="regard-positions-dials", caption=reading)
