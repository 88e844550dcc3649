"""Positions: what the encoder makes of shuffled words without them and with them, the table, and the shift."""

import streamlit as st

from model.experiments.position_encoding import shift_error, table
from model.experiments.word_order import order_text, shuffled, word_order
from model.records import Translation, word_groups
from viz import models
from viz.analysis.worksheet import largest
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures.positions import Panel, stacked
from viz.i18n import t
from viz.lessons.more import on_positions
from viz.lessons.scene import Scene
from viz.number_format import scientific
from viz.state import Space
from viz.widgets.dials import draw_hands, piece_axes, table_axes
from viz.widgets.inputs import slide

FARTHEST = 24
"""Positions that each slider reaches; the table has a row for wherever they lead."""
SPACE = Space("lesson_positions", __file__, page="lessons")
SHUFFLE, FROM, BY = SPACE.choice("shuffle", 1), SPACE.choice("from", 10), SPACE.choice("k", 5)
ORDER, TABLE, HANDS = (SPACE.key(name) for name in ("order", "table", "hands"))


def draw_order(translation: Translation) -> None:
    """The encoder's vectors of shuffled words less those of the words as typed, without positions and with them."""
    count = len(word_groups(translation.source))
    if count < 2:
        show.notice(t("positions.order.one_word"))
        return
    seed = slide(SHUFFLE, t("scene.positions.shuffle"), 1, 20)
    order = shuffled(count, seed)
    found = {
        "without": models.ask(word_order, translation.source, order, False),
        "given": models.ask(word_order, translation.source, order, True),
    }
    show.markdown(
        t(
            "scene.positions.measured",
            text=escape(order_text(translation.source_text, translation.source, order)),
            without=scientific(found["without"].difference),
            given=scientific(found["given"].difference),
            size=scientific(found["given"].size),
        )
    )
    limit = largest(*(each.change for each in found.values()))
    figure = stacked(
        [Panel(title=t(f"scene.positions.panel.{name}"), values=each.change) for name, each in found.items()],
        piece_axes(limit),
        rows=[token.label for token in translation.source],
        height=220,
        scheme=scheme_now(),
    )
    reading = t("scene.positions.order_reading", largest=f"{limit:.3g}")
    show.chart(figure, key=ORDER, alt=reading, file="regard-order", caption=reading)


def draw_shift() -> None:
    """The table with two rows marked, and how the one is made of the other."""
    config = models.sizes()
    with st.container(horizontal=True):
        position = slide(FROM, t("positions.shift.from"), 0, FARTHEST)
        k = slide(BY, t("positions.shift.by"), 0, FARTHEST)
    figure = stacked(
        [Panel(title=t("positions.table.all"), values=table(2 * FARTHEST + 1, config.d_model))],
        table_axes(),
        marked=(position, position + k),
        height=300,
        scheme=scheme_now(),
    )
    reading = t("scene.positions.table_reading", position=position, other=position + k)
    show.chart(figure, key=TABLE, alt=reading, file="regard-positions", caption=reading)
    error = scientific(shift_error(k, config.d_model, config.max_length))
    show.markdown(t("scene.positions.error", k=k, count=config.max_length, error=error))
    draw_hands(position, k, key=HANDS)


def draw(translation: Translation) -> None:
    draw_order(translation)
    draw_shift()


SCENE = Scene(
    name="positions",
    draw=draw,
    formulas=("permutation", "sine", "cosine", "embedded", "shift"),
    more=(on_positions("order"),),
)
