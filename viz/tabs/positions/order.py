"""What the order of the words does to the encoder's vectors, with positions and without."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.word_order import OrderExperiment, order_text, read_order, shuffled, word_order
from model.records import Translation
from viz import models
from viz.analysis.words import side
from viz.document import show
from viz.document.blocks import Text
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures.positions import Panel, stacked
from viz.i18n import message, t
from viz.number_format import scientific
from viz.state import Space
from viz.tabs.positions.pictures import draw as draw_picture
from viz.widgets.dials import piece_axes
from viz.widgets.inputs import switch, type_in
from viz.widgets.sentence import ask_translation

SPACE = Space("positions_order", __file__, page="positions")
ORDER = SPACE.choice("order", "", address="order")
"""As it is typed; each sentence begins with one of its own."""
FILLED = SPACE.memory("filled", lambda: ("", 1))
"""The sentence for which the box was filled, and by how many shuffles."""
POSITIONS = SPACE.choice("on", True, address="on")
FILL = SPACE.key("fill")


def write_order(words: Sequence[int]) -> str:
    """As it stands in the box: words counted from 1."""
    return " ".join(str(word + 1) for word in words)


def fill(words: Sequence[int], text: str, shuffles: int) -> None:
    """The box for the order, of this sentence (a callback)."""
    ORDER.set(write_order(words))
    FILLED.set((text, shuffles))


def ask_order(translation: Translation) -> tuple[int, ...] | None:
    """The words with their numbers, and the order in which they shall stand; None, and why, when there is none."""
    text = translation.source_text
    names = side(translation.source, text, words=True, specials=False).labels
    count = len(names)
    if count < 2:
        show.notice(t("positions.order.one_word"))
        return None

    def read(order: str) -> str | None:
        try:
            read_order(order, count)
        except ValueError:
            return None
        return order

    first = shuffled(count, 1)
    filled_for, shuffles = FILLED.get()
    if filled_for != text:
        if filled_for:
            ORDER.set(write_order(first))
        FILLED.set((text, shuffles := 1))
    # Isolated, so that Arabic does not carry the numbers away.
    numbered = [f":gray[{number}]\u00a0\u2068{escape(name)}\u2069" for number, name in enumerate(names, start=1)]
    show.markdown(" \u2003".join(numbered))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = type_in(
            ORDER.within(write_order(first)), t("positions.order.box"), hint=t("positions.order.box_help"), read=read
        )
        for name, order, number in (
            ("shuffle", shuffled(count, shuffles + 1), shuffles + 1),
            ("backwards", range(count - 1, -1, -1), shuffles),
            ("typed", range(count), shuffles),
        ):
            st.button(t(f"positions.order.button.{name}"), key=FILL.at(name), on_click=fill, args=(order, text, number))
    try:
        return read_order(typed, count)
    except ValueError as error:
        st.warning(escape(message(error)))
        return None


def verdict(found: OrderExperiment) -> str:
    """What the numbers show, in words."""
    given = "with" if found.positions else "without"
    case = "equal" if found.reads_the_same else "alike" if found.alike else "apart"
    french = "same" if found.translations[0] == found.translations[1] else "other"
    return " ".join(
        (
            t(f"positions.order.given.{given}"),
            t(f"positions.order.says.{case}"),
            t(f"positions.order.french.{french}"),
        )
    )


def draw() -> None:
    show.caption(t("positions.order.intro"))
    translation = ask_translation()
    order = ask_order(translation) if translation else None
    if translation is None or order is None:
        return
    positions = switch(POSITIONS, t("positions.order.toggle"), hint=t("positions.order.toggle_help"))
    found = models.ask(word_order, translation.source, order, positions)
    for column, name, places, french in zip(
        st.columns(2), ("own", "moved"), (range(len(order)), order), found.translations, strict=True
    ):
        with column:
            show.markdown(f"**{t(f'positions.order.side.{name}')}**")
            show.plain(order_text(translation.source_text, translation.source, places))
            show.caption(t("positions.order.translation"))
            show.plain(french or t("strip.nothing"))
    show.markdown(verdict(found))
    with st.container(horizontal=True):
        for says, value in (
            (t("positions.order.difference"), found.difference),
            (t("positions.order.size"), found.size),
        ):
            st.metric(says, scientific(value), width="content")
            show.only_saved(Text(text=f"{says}: **{scientific(value)}**"))
    parts = {"own": found.states, "moved": found.other, "minus": found.change}
    draw_picture(
        stacked(
            [Panel(title=t(f"positions.order.states.{name}"), values=part) for name, part in parts.items()],
            piece_axes(found.largest),
            rows=[token.label for token in translation.source],
            scheme=scheme_now(),
        ),
        "order",
        t("positions.order.reading", largest=f"{found.largest:.3g}"),
    )
    show.heading(t("positions.order.why"))
    show.markdown(t("positions.order.why_encoder"))
    show.formula("order_encoder")
    show.markdown(t("positions.order.why_decoder"))
    show.formula("order_decoder")
