"""Other ways to tell a model where a word stands: learnt vectors, and nothing."""

from model.experiments.position_encoding import position_schemes
from viz import models
from viz.document import show
from viz.figures.positions import Axes, Panel
from viz.i18n import t
from viz.tabs.positions.pictures import squares


def draw() -> None:
    config = models.sizes()
    show.caption(t("positions.ways.intro"))
    found = position_schemes(config.max_length, config.d_model)
    show.notice(t("positions.ways.untrained"))
    position = t("positions.position")
    squares(
        {way.name: Panel(title=t(f"positions.ways.name.{way.name}"), values=way.dots) for way in found},
        Axes(rows=position, columns=position, value=t("positions.ways.value"), limit=1),
        t("positions.ways.reading"),
        size=350,
    )
    show.table(
        [t(f"positions.ways.column.{name}") for name in ("way", "parameters", "largest", "count")],
        [
            (
                t(f"positions.ways.name.{way.name}"),
                f"{way.parameters:,}",
                f"{way.largest:.2g}" if way.largest < 1 else f"{way.largest:.0f}",
                t(f"positions.ways.count.{way.name}"),
            )
            for way in found
        ],
    )
