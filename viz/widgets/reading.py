"""Which target word a row of attention is said to belong to: one switch, the same wherever such rows are drawn."""

from model.experiments.alignment import VIEWS, View
from viz.i18n import t
from viz.state import Choice, Space
from viz.widgets.inputs import choose

SPACE = Space("reading", __file__, page="")
READING: Choice[View] = SPACE.choice("rows", VIEWS[0], address="reading")


def choose_reading() -> View:
    return choose(
        READING, t("compare.view"), VIEWS, named=lambda name: t(f"compare.view.{name}"), hint=t("compare.view_help")
    )
