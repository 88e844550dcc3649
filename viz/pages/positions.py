"""Positions: how the model is told where a word stands, and what becomes of a sentence when it is not."""

import re

import plotly.graph_objects as go
import streamlit as st

from model.experiments.position_encoding import (
    dot_products,
    embedded,
    lengths,
    move,
    position_schemes,
    shift,
    shift_error,
    some_dimensions,
    table,
    wavelength,
)
from model.experiments.word_order import OrderExperiment, order_text, read_order, shuffled, word_order
from model.records import Translation
from viz import models, session
from viz.analysis.words import side
from viz.escape import escape
from viz.escape import table as text_table
from viz.examples import EXAMPLES
from viz.figures import Series
from viz.figures.positions import Axes, Panel, bars_of_pieces, overlay, square, stacked, waves
from viz.i18n import message, t
from viz.number_format import scientific
from viz.widgets.dials import draw_hands, piece_axes, table_axes
from viz.widgets.parts import ask_translation, chart, linked_page, loaded, open_tab, scheme_now, switch

FARTHEST = 64
"""Positions that the sliders reach."""
MOST_WAVES = 6
"""Lines in one picture, each with a colour of its own."""
BLOCKS = 4
"""Of the rotation, drawn large."""


def draw(figure: go.Figure, name: str, reading: str) -> None:
    """A picture, and under it what its axes and colours are."""
    chart(figure, key=f"positions_chart_{name}", alt=reading, file=f"regard-positions-{name}", caption=reading)


def square_charts(panels: dict[str, Panel], axes: Axes, reading: str, size: int) -> None:
    """Square pictures, as many in a row as the page has room for, and what they all are."""
    with st.container(horizontal=True):
        for name, panel in panels.items():
            chart(
                square(panel, axes, numbers=len(panel.values) <= 2 * BLOCKS, size=size, scheme=scheme_now()),
                key=f"positions_chart_{name}",
                alt=f"{panel.title}. {reading}",
                file=f"regard-positions-{name}",
                width=size,
            )
    st.caption(reading)


def wave_name(dimension: int) -> str:
    """ "32 (sine)"."""
    if dimension % 2:
        return t("positions.table.cosine", dimension=dimension)
    return t("positions.table.sine", dimension=dimension)


def read_dimensions(text: str) -> list[int] | None:
    """Of the address: "[0, 32]"."""
    known = {str(dimension): dimension for dimension in range(models.sizes().d_model)}
    found = [known[number] for number in re.findall("[0-9]+", text) if number in known]
    return found if str(found) == text and len(set(found)) == len(found) <= MOST_WAVES else None


def slider(label: str, key: str, default: int, hint: str) -> int:
    """A number of positions, kept and in the address."""
    session.linked(key, default, {str(number): number for number in range(FARTHEST + 1)}.get)
    chosen: int = st.slider(label, 0, FARTHEST, key=key, help=hint, persist_state="session")
    return chosen


def draw_table() -> None:
    config = models.sizes()
    vectors = table(config.max_length, config.d_model)
    st.caption(t("positions.table.intro"))
    st.latex(
        r"PE_{(pos,\,2i)} = \sin(\omega_i\, pos) \qquad PE_{(pos,\,2i+1)} = \cos(\omega_i\, pos)"
        r"\qquad \omega_i = 10000^{-2i/d}"
    )
    draw(
        stacked(
            [Panel(title=t("positions.table.all"), values=vectors)],
            table_axes(),
            scheme=scheme_now(),
        ),
        "table",
        t("positions.table.reading", length=config.max_length, width=config.d_model),
    )
    st.subheader(t("positions.table.waves"), anchor=False)
    session.linked("positions_dimensions", list(some_dimensions(config.d_model)), read_dimensions)
    # A box of its own for each language: a browser knows what is chosen by the names it was first given.
    box = f"positions_dimensions_{session.language()}"
    session.keep(box, session.kept("positions_dimensions", []))
    chosen = st.multiselect(
        t("positions.table.dimensions"), range(config.d_model), key=box, max_selections=MOST_WAVES,
        format_func=wave_name, help=t("positions.table.dimensions_help"),
        on_change=lambda: session.keep("positions_dimensions", session.kept(box, [])),
    )  # fmt: skip
    if chosen:
        series = [
            Series(
                name=t(
                    "positions.table.wave",
                    dimension=wave_name(dimension),
                    wavelength=f"{wavelength(dimension, config.d_model):,.1f}",
                ),
                x=list(range(config.max_length)),
                y=vectors[:, dimension].tolist(),
            )
            for dimension in chosen
        ]
        draw(
            waves(series, x_title=t("positions.position"), y_title=t("positions.value"), scheme=scheme_now()),
            "waves",
            t("positions.table.waves_reading"),
        )
    else:
        st.info(t("positions.table.none_chosen"))
    st.subheader(t("positions.table.dots"), anchor=False)
    st.latex(r"PE_p \cdot PE_q = \sum_i \cos\bigl(\omega_i\,(p - q)\bigr)")
    dots, position = dot_products(vectors), t("positions.position")
    largest = float(dots[0, 0])
    square_charts(
        {"dots": Panel(title=t("positions.table.dots_title"), values=dots)},
        Axes(rows=position, columns=position, value=t("positions.dot"), limit=largest),
        t("positions.table.dots_reading", largest=f"{largest:g}"),
        size=480,
    )


def draw_shift() -> None:
    config = models.sizes()
    width = config.d_model
    st.caption(t("positions.shift.intro"))
    st.latex(
        r"PE_{pos+k} = M_k\, PE_{pos} \qquad M_k = \begin{pmatrix} R_0 & & \\ & \ddots & \\ & & R_{d/2-1} \end{pmatrix}"
    )
    st.latex(
        r"R_i = \begin{pmatrix} \cos \omega_i k & \sin \omega_i k \\ -\sin \omega_i k & \cos \omega_i k \end{pmatrix}"
    )
    left, right = st.columns(2)
    with left:
        k = slider(t("positions.shift.by"), "positions_shift", 5, t("positions.shift.by_help"))
    with right:
        position = slider(t("positions.shift.from"), "positions_from", 10, t("positions.shift.from_help"))
    st.markdown(
        t(
            "positions.shift.error",
            k=k,
            count=config.max_length,
            single=scientific(shift_error(k, width, config.max_length)),
            double=scientific(shift_error(k, width, config.max_length, float)),
        )
    )
    matrix, found = shift(k, width), move(position, k, width)
    square_charts(
        {
            "blocks": Panel(title=t("positions.shift.blocks", count=BLOCKS), values=matrix[: 2 * BLOCKS, : 2 * BLOCKS]),
            "rotation": Panel(title=t("positions.shift.whole", k=k), values=matrix),
        },
        Axes(
            rows=t("positions.shift.after"),
            columns=t("positions.shift.dimension"),
            value=t("positions.shift.entry"),
            limit=1,
        ),
        t("positions.shift.rotation_reading"),
        size=500,
    )
    st.subheader(t("positions.shift.hands"), anchor=False)
    draw_hands(position, k, key="positions_chart_dials")
    st.subheader(t("positions.shift.vector"), anchor=False)
    dimensions = list(range(width))
    draw(
        overlay(
            Series(name=t("positions.shift.before", position=position), x=dimensions, y=found.before.tolist()),
            Series(name=t("positions.shift.true", position=position + k), x=dimensions, y=found.true.tolist()),
            Series(name=t("positions.shift.moved", position=position, k=k), x=dimensions, y=found.moved.tolist()),
            x_title=t("positions.dimension"), y_title=t("positions.value"), scheme=scheme_now(),
        ),
        "moved",
        t("positions.shift.vector_reading"),
    )  # fmt: skip


def draw_sentence() -> None:
    st.caption(t("positions.sentence.intro"))
    translation = ask_translation(EXAMPLES)
    if translation is None:
        return
    st.latex(r"x_{pos} = \sqrt{d}\; E(\mathrm{piece}) + PE_{pos}")
    found = models.ask(embedded, translation.source)
    parts = {"pieces": found.pieces, "positions": found.positions, "sum": found.sum}
    pieces = [token.label for token in translation.source]
    draw(
        stacked(
            [Panel(title=t(f"positions.sentence.part.{name}"), values=part) for name, part in parts.items()],
            piece_axes(found.largest),
            rows=pieces,
            scheme=scheme_now(),
        ),
        "sentence",
        t("positions.sentence.reading", largest=f"{found.largest:.3g}"),
    )
    st.subheader(t("positions.sentence.lengths"), anchor=False)
    draw(
        bars_of_pieces(
            pieces,
            [
                Series(name=t(f"positions.sentence.part.{name}"), x=[], y=lengths(part).tolist())
                for name, part in parts.items()
            ],
            x_title=t("positions.piece"), y_title=t("positions.sentence.length"), scheme=scheme_now(),
        ),
        "lengths",
        t(
            "positions.sentence.lengths_reading",
            length=f"{lengths(found.positions)[0]:.1f}",
            factor=f"{found.factor:.3g}",
        ),
    )  # fmt: skip


def ask_order(translation: Translation) -> tuple[int, ...] | None:
    """The words with their numbers, and the order in which they shall stand; None, and why, when there is none."""
    text = translation.source_text
    names = side(translation.source, text, words=True, specials=False).labels
    count = len(names)
    if count < 2:
        st.info(t("positions.order.one_word"))
        return None

    def read(order: str) -> str | None:
        try:
            read_order(order, count)
        except ValueError:
            return None
        return order

    shuffles = session.start_order(text, shuffled(count, 1), read)
    # Isolated, so that Arabic does not carry the numbers away.
    numbered = [f":gray[{number}]\u00a0\u2068{escape(name)}\u2069" for number, name in enumerate(names, start=1)]
    st.markdown(" \u2003".join(numbered))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            t("positions.order.box"), key=session.ORDER, help=t("positions.order.box_help"), persist_state="session"
        )
        for name, order, number in (
            ("shuffle", shuffled(count, shuffles + 1), shuffles + 1),
            ("backwards", range(count - 1, -1, -1), shuffles),
            ("typed", range(count), shuffles),
        ):
            st.button(
                t(f"positions.order.button.{name}"), key=f"positions_{name}", on_click=session.take_order,
                args=(order, text, number),
            )  # fmt: skip
    try:
        return read_order(session.order(), count)
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


def draw_order() -> None:
    st.caption(t("positions.order.intro"))
    translation = ask_translation(EXAMPLES)
    order = ask_order(translation) if translation else None
    if translation is None or order is None:
        return
    positions = switch(
        t("positions.order.toggle"), key="positions_on", default=True, hint=t("positions.order.toggle_help")
    )
    found = models.ask(word_order, translation.source, order, positions)
    for column, name, places, french in zip(
        st.columns(2), ("own", "moved"), (range(len(order)), order), found.translations, strict=True
    ):
        with column:
            st.markdown(f"**{t(f'positions.order.side.{name}')}**")
            st.text(order_text(translation.source_text, translation.source, places))
            st.caption(t("positions.order.translation"))
            st.text(french or t("strip.nothing"))
    st.markdown(verdict(found))
    with st.container(horizontal=True):
        st.metric(t("positions.order.difference"), scientific(found.difference), width="content")
        st.metric(t("positions.order.size"), scientific(found.size), width="content")
    parts = {"own": found.states, "moved": found.other, "minus": found.change}
    draw(
        stacked(
            [Panel(title=t(f"positions.order.states.{name}"), values=part) for name, part in parts.items()],
            piece_axes(found.largest),
            rows=[token.label for token in translation.source],
            scheme=scheme_now(),
        ),
        "order",
        t("positions.order.reading", largest=f"{found.largest:.3g}"),
    )
    st.subheader(t("positions.order.why"), anchor=False)
    st.markdown(t("positions.order.why_encoder"))
    st.latex(r"\mathrm{softmax}\bigl(P Q (P K)^{\top}\bigr)\, P V = P\, \mathrm{softmax}\bigl(Q K^{\top}\bigr)\, V")
    st.markdown(t("positions.order.why_decoder"))
    st.latex(r"\mathrm{softmax}\bigl(q\, (P K)^{\top}\bigr)\, P V = \mathrm{softmax}\bigl(q\, K^{\top}\bigr)\, V")


def draw_ways() -> None:
    config = models.sizes()
    st.caption(t("positions.ways.intro"))
    found = position_schemes(config.max_length, config.d_model)
    st.info(t("positions.ways.untrained"))
    position = t("positions.position")
    square_charts(
        {way.name: Panel(title=t(f"positions.ways.name.{way.name}"), values=way.dots) for way in found},
        Axes(rows=position, columns=position, value=t("positions.ways.value"), limit=1),
        t("positions.ways.reading"),
        size=350,
    )
    st.markdown(
        text_table(
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
    )


TABS = {
    "table": draw_table,
    "shift": draw_shift,
    "sentence": draw_sentence,
    "order": draw_order,
    "ways": draw_ways,
}


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    with linked_page():
        st.caption(t("positions.intro"))
        name, tab = open_tab({name: t(f"positions.tab.{name}") for name in TABS}, key="positions_part")
        with tab:
            TABS[name]()
    models.settle("positions")


page()
