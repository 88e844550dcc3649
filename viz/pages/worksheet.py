"""Worksheet: one attention head step by step, with the numbers of the visitor's sentence."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import streamlit as st

from model.sheet import AS_IT_IS, Kind, WhatIf, Worksheet
from viz import service, session
from viz.analysis import sharpest
from viz.components.matrix_sheet import Matrix, matrix_sheet, matrix_sheet_script
from viz.examples import EXAMPLES
from viz.i18n import t, words_under
from viz.markdown import escape
from viz.pages.parts import ask_translation, choose, linked_page, loaded, switch
from viz.pages.worksheet_steps import Frame, Step, axes_of, entering, labels, steps, strip
from viz.worksheet import change

KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
SHEET = "worksheet"
"""The name by which all pictures of the page belong together."""
# The two sliders stay in sight, for what they choose is marked in every step, and cover nothing that is focused.
# Formulas keep what is above and below them.
STYLE = """<style>
.stApp :has(.st-key-worksheet_pair), .st-key-worksheet_pair { background-color: inherit; }
[data-testid="stLayoutWrapper"]:has(> .st-key-worksheet_pair) { position: sticky; top: 3.75rem; z-index: 90; }
.stMain:has(.st-key-worksheet_pair) { scroll-padding: 9rem 0 1rem; }
.st-key-worksheet_pair { padding-bottom: 0.5rem; }
.st-key-matrix_sheet_script { display: none; }
.katex-display { padding-block: 0.5em; }
</style>"""


# ---- what is asked for ---------------------------------------------------------------------------------------------


def ask_head() -> tuple[Kind, int, int]:
    """Which head; at first the one that the first page opens with."""
    config, first = service.sizes(), sharpest(service.translate(EXAMPLES[0]).cross)

    def numbers(label: str, key: str, count: int, default: int) -> int:
        return choose(label, tuple(range(count)), key=key, default=default, named=lambda number: str(number + 1))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choose(
            t("worksheet.kind"), KINDS, key="worksheet_kind", default="cross", named=lambda name: t(f"kind.{name}")
        )
        layers = config.encoder_layers if kind == "encoder" else config.decoder_layers
        layer = numbers(t("compare.layer"), "worksheet_layer", layers, min(first[0], layers - 1))
        head = numbers(t("compare.head"), "worksheet_head", config.n_heads, first[1])
    return kind, layer, head


def ask_what_if(kind: Kind) -> WhatIf:
    """What this layer is to do differently; what it does not do anyway cannot be left out."""
    other: Literal["gelu", "relu"] = "gelu" if service.sizes().activation == "relu" else "relu"
    there = {"scale": True, "mask": kind == "decoder", "residual": True, other: kind != "decoder"}
    on = {}
    st.markdown(f"**{t('worksheet.whatif')}**")
    for column, (name, possible) in zip(st.columns(len(there)), there.items(), strict=True):
        key = f"worksheet_{name}"
        with column:
            asked = switch(t(f"worksheet.whatif.{name}"), key=key, disabled=not possible)
            st.caption(t(f"worksheet.whatif.{name}.says"))
        on[name] = asked and possible
    return WhatIf(
        scale=not on["scale"],
        mask=not on["mask"],
        residual=not on["residual"],
        activation=other if on[other] else None,
    )


def choose_piece(word: str, pieces: tuple[str, ...], key: str, start: int) -> int:
    """One of the pieces; other pieces begin with `start` again. Numbers keep equal pieces apart."""
    places = range(len(pieces))
    if session.kept(f"{key}_of", pieces) != pieces:
        session.keep(key, start)
    session.keep(f"{key}_of", pieces)
    session.linked(key, start, lambda text: next((place for place in places if str(place) == text), None))
    session.valid(key, places, start)
    if len(pieces) > 1:  # a slider needs two ends

        def named(place: int) -> str:
            return f"{place + 1}\u2002{pieces[place]}"

        # Other pieces make another slider: a browser would look for the old piece among the new ones.
        chosen = st.select_slider(
            word, places, session.kept(key, start), key=f"{key}_{hash(pieces)}", format_func=named
        )
        session.keep(key, chosen)
    return session.kept(key, start)


# ---- the page ------------------------------------------------------------------------------------------------------


def draw(name: str, matrices: Sequence[Matrix], chosen: Frame | None = None) -> None:
    """A line of pictures; of all that belong together, some tell which query and key are chosen."""
    pair = {"query": chosen.query, "key": chosen.key} if chosen else None
    matrix_sheet(matrices, sheet=SHEET, texts=words_under("sheet"), chosen=pair, key=f"worksheet-{name}")


def show(frame: Frame, number: int, step: Step) -> None:
    """A step: its name and equation, a few sentences, and its pictures."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.subheader(f"{number}\u2002{step.title}", anchor=False, width="content")
        st.latex(step.equation, width="content")
    st.caption(step.says)
    if step.whole:
        draw(f"{number}-whole", step.whole)
    if step.chosen:
        draw(f"{number}-chosen", step.chosen, frame)


def tell_change(frame: Frame, plain: Worksheet) -> None:
    """How far the what-if is from what the model does, and the chosen query's weights in both."""
    found, i = change(plain, frame.sheet), frame.query
    moved, row = f"{found.moved:.0%}", escape(frame.queries[found.row])
    if not found.weight:
        st.markdown(t("worksheet.same", moved=moved, row=row))
    else:
        weight = f"{found.weight:+.3f}".replace("-", "\u2212")
        query, key = escape(frame.queries[found.query]), escape(frame.keys[found.key])
        st.markdown(t("worksheet.change", weight=weight, query=query, key=key, moved=moved, row=row))
        rows = np.stack((plain.weights[i], frame.sheet.weights[i]))
        names = (t("worksheet.before"), t("worksheet.after"))
        draw("change", [strip(t("worksheet.strip"), names, frame.axes.key, rows, 1, signed=False)], frame)
    st.caption(t("worksheet.change.note"))


@st.fragment
def page() -> None:
    if loaded(service.translator) is None:
        return
    st.html(STYLE)
    matrix_sheet_script()
    with linked_page():
        st.caption(t("worksheet.intro"))
        translation = ask_translation(EXAMPLES)
        if translation is None:
            return
        st.text(f"\u2192 {translation.text or t('strip.nothing')}")
        kind, layer, head = ask_head()
        what_if = ask_what_if(kind)
        plain = service.worksheet(translation, kind, layer, head)
        sheet = service.worksheet(translation, kind, layer, head, what_if)
        queries, keys = labels(translation, sheet)
        roles = t("worksheet.roles", query=t(f"kind.{kind}.query"), key=t(f"kind.{kind}.key"))
        st.caption(f"{roles} {t('worksheet.legend')}")
        with st.container(key="worksheet_pair"):
            one, other = st.columns(2)
            with one:
                query = choose_piece(t("worksheet.query"), queries, "worksheet_query", len(queries) // 2)
            with other:
                key = choose_piece(t("worksheet.key"), keys, "worksheet_key", int(plain.weights[query].argmax()))
        axes = axes_of(sheet, queries, keys)
        frame = Frame(sheet=sheet, queries=queries, keys=keys, axes=axes, query=query, key=key)
        if what_if != AS_IT_IS:
            tell_change(frame, plain)
        st.caption(entering(sheet))
        for number, step in enumerate(steps(frame), start=1):
            show(frame, number, step)
        st.caption(t("worksheet.attended") if kind == "decoder" else t("worksheet.leaves"))
        service.settle("worksheet")


page()
