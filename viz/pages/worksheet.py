"""Worksheet: one attention head step by step, with the numbers of the visitor's sentence."""

from typing import Literal

import numpy as np
import streamlit as st

from model.experiments.head_steps import AS_IT_IS, WhatIf, Worksheet, head_steps, layer_matrices
from model.intervention import Kind
from viz import models, session
from viz.analysis.maps import sharpest
from viz.analysis.worksheet import change
from viz.escape import escape
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.saved import Heading, Text
from viz.widgets.parts import ask_translation, choose, choose_piece, linked_page, loaded, switch
from viz.widgets.worksheet import begin, choose_number, draw, show
from viz.widgets.worksheet_steps import Frame, axes_of, entering, feed_forward_weights, labels, steps, strip

KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
SHEET = "worksheet"
"""The name by which all pictures of the page belong together."""
# The two sliders stay in sight, for what they choose is marked in every step, and cover nothing that is focused.
STYLE = """<style>
.stApp :has(.st-key-worksheet_pair), .st-key-worksheet_pair { background-color: inherit; }
[data-testid="stLayoutWrapper"]:has(> .st-key-worksheet_pair) { position: sticky; top: 3.75rem; z-index: 90; }
.stMain:has(.st-key-worksheet_pair) { scroll-padding: 9rem 0 1rem; }
.st-key-worksheet_pair { padding-bottom: 0.5rem; }
</style>"""


# ---- what is asked for ---------------------------------------------------------------------------------------------


def ask_head() -> tuple[Kind, int, int]:
    """Which head; at first the one that the first page opens with."""
    config, first = models.sizes(), sharpest(models.translate(EXAMPLES[0]).cross)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = choose(
            t("worksheet.kind"), KINDS, key="worksheet_kind", default="cross", named=lambda name: t(f"kind.{name}")
        )
        layers = config.encoder_layers if kind == "encoder" else config.decoder_layers
        layer = choose_number(t("compare.layer"), layers, key="worksheet_layer", default=min(first[0], layers - 1))
        head = choose_number(t("compare.head"), config.n_heads, key="worksheet_head", default=first[1])
    return kind, layer, head


def ask_what_if(kind: Kind) -> WhatIf:
    """What this layer is to do differently; what it does not do anyway cannot be left out."""
    other: Literal["gelu", "relu"] = "gelu" if models.sizes().activation == "relu" else "relu"
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


# ---- the page ------------------------------------------------------------------------------------------------------


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
        picture = strip(t("worksheet.strip"), names, frame.axes.key, rows, 1, signed=False)
        draw([picture], sheet=SHEET, name="change", chosen=frame)
    st.caption(t("worksheet.change.note"))


def show_feed_forward_weights(frame: Frame) -> None:
    """Only when asked for: they are several times as much to send as all the rest."""
    matrices = feed_forward_weights(frame)
    count = sum(matrix.values.size for matrix in matrices)
    if switch(t("worksheet.large", count=f"{count:,}"), key="worksheet_large"):
        draw(matrices, sheet=SHEET, name="large")


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    st.html(STYLE)
    begin(SHEET)
    with linked_page():
        st.caption(t("worksheet.intro"))
        translation = ask_translation(EXAMPLES)
        if translation is None:
            return
        st.text(f"\u2192 {translation.text or t('strip.nothing')}")
        kind, layer, head = ask_head()
        what_if = ask_what_if(kind)
        plain = models.ask(head_steps, translation, kind, layer, head)
        sheet = models.ask(head_steps, translation, kind, layer, head, what_if)
        queries, keys = labels(translation, sheet)
        roles = t("worksheet.roles", query=t(f"kind.{kind}.query"), key=t(f"kind.{kind}.key"))
        st.caption(f"{roles} {t('worksheet.legend')}")
        where = t("grid.where", title=t(f"kind.{kind}"), layer=layer + 1, head=head + 1)
        session.record().note("worksheet-head", Heading(text=where))
        session.record().note("worksheet-roles", Text(text=f"{roles} {t('worksheet.legend')}", quiet=True))
        with st.container(key="worksheet_pair"):
            one, other = st.columns(2)
            with one:
                query = choose_piece(t("worksheet.query"), queries, "worksheet_query", len(queries) // 2)
            with other:
                key = choose_piece(t("worksheet.key"), keys, "worksheet_key", int(plain.weights[query].argmax()))
        axes = axes_of(sheet, queries, keys)
        frame = Frame(
            sheet=sheet, weights=models.ask(layer_matrices, kind, layer), queries=queries, keys=keys, axes=axes,
            query=query, key=key,
        )  # fmt: skip
        if what_if != AS_IT_IS:
            tell_change(frame, plain)
        st.caption(entering(sheet))
        for number, step in enumerate(steps(frame), start=1):
            show(frame, step, sheet=SHEET, name=str(number), number=number)
            if step.name == "feed":
                show_feed_forward_weights(frame)
        st.caption(t("worksheet.attended") if kind == "decoder" else t("worksheet.leaves"))
        models.settle("worksheet")


page()
