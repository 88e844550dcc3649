"""Worksheet: one attention head step by step, with the numbers of the visitor's sentence."""

from typing import Literal

import numpy as np
import streamlit as st

from model.experiments.head_steps import AS_IT_IS, WhatIf, Worksheet, head_steps
from model.intervention import Kind
from viz import models
from viz.analysis.worksheet import change
from viz.document import show as document
from viz.document.blocks import Text
from viz.document.page import page_frame
from viz.escape import escape
from viz.i18n import t
from viz.state import Space
from viz.widgets.bundled import loaded
from viz.widgets.inputs import choose, choose_piece, switch
from viz.widgets.sentence import ask_translation
from viz.widgets.worksheet import ask_head, begin, draw, frame_of, show
from viz.widgets.worksheet_frame import Frame, entering, labels, strip
from viz.widgets.worksheet_layer import feed_forward_weights
from viz.widgets.worksheet_steps import steps

SPACE = Space("worksheet", __file__)
KINDS: tuple[Kind, ...] = ("encoder", "decoder", "cross")
KIND = SPACE.choice("kind", KINDS[2])
LAYER, HEAD = SPACE.choice("layer", 0), SPACE.choice("head", 0)
QUERY, KEY = SPACE.choice("query", 0), SPACE.choice("key", 0)
WHAT_IFS = {name: SPACE.choice(name, False) for name in ("scale", "mask", "residual", "gelu", "relu")}
LARGE = SPACE.choice("large", False)
PAIR, CHANGE, MATRICES = (SPACE.key(name) for name in ("pair", "change", "matrices"))
SHEET = SPACE.name
"""The name by which all pictures of the page belong together."""
# The two sliders stay in sight, for what they choose is marked in every step, and cover nothing that is focused.
STYLE = """<style>
.stApp :has(.st-key-worksheet-pair), .st-key-worksheet-pair { background-color: inherit; }
[data-testid="stLayoutWrapper"]:has(> .st-key-worksheet-pair) { position: sticky; top: 3.75rem; z-index: 90; }
.stMain:has(.st-key-worksheet-pair) { scroll-padding: 9rem 0 1rem; }
.st-key-worksheet-pair { padding-bottom: 0.5rem; }
</style>"""


def ask_what_if(kind: Kind) -> WhatIf:
    """What this layer is to do differently; what it does not do anyway cannot be left out."""
    other: Literal["gelu", "relu"] = "gelu" if models.sizes().activation == "relu" else "relu"
    there = {"scale": True, "mask": kind == "decoder", "residual": True, other: kind != "decoder"}
    on = {}
    st.markdown(f"**{t('worksheet.whatif')}**")
    for column, (name, possible) in zip(st.columns(len(there)), there.items(), strict=True):
        with column:
            asked = switch(WHAT_IFS[name], t(f"worksheet.whatif.{name}"), disabled=not possible)
            st.caption(t(f"worksheet.whatif.{name}.says"))
        on[name] = asked and possible
        if on[name]:
            document.only_saved(Text(text=f"**{t(f'worksheet.whatif.{name}')}** {t(f'worksheet.whatif.{name}.says')}"))
    return WhatIf(
        scale=not on["scale"],
        mask=not on["mask"],
        residual=not on["residual"],
        activation=other if on[other] else None,
    )


def tell_change(frame: Frame, plain: Worksheet) -> None:
    """How far the what-if is from what the model does, and the chosen query's weights in both."""
    found, i = change(plain, frame.sheet), frame.query
    moved, row = f"{found.moved:.0%}", escape(frame.queries[found.row])
    if not found.weight:
        document.markdown(t("worksheet.same", moved=moved, row=row))
    else:
        weight = f"{found.weight:+.3f}".replace("-", "\u2212")
        query, key = escape(frame.queries[found.query]), escape(frame.keys[found.key])
        document.markdown(t("worksheet.change", weight=weight, query=query, key=key, moved=moved, row=row))
        rows = np.stack((plain.weights[i], frame.sheet.weights[i]))
        names = (t("worksheet.before"), t("worksheet.after"))
        picture = strip(t("worksheet.strip"), names, frame.axes.key, rows, 1, signed=False)
        draw([picture], sheet=SHEET, key=CHANGE, chosen=frame)
    document.caption(t("worksheet.change.note"))


def show_feed_forward_weights(frame: Frame) -> None:
    """Only when asked for: they are several times as much to send as all the rest."""
    matrices = feed_forward_weights(frame)
    count = sum(matrix.values.size for matrix in matrices)
    if switch(LARGE, t("worksheet.large", count=f"{count:,}")):
        draw(matrices, sheet=SHEET, key=MATRICES)


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    st.html(STYLE)
    begin(SHEET)
    with page_frame():
        st.caption(t("worksheet.intro"))
        translation = ask_translation()
        if translation is None:
            return
        st.text(f"\u2192 {translation.text or t('strip.nothing')}")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            kind = choose(KIND, t("worksheet.kind"), KINDS, named=lambda name: t(f"kind.{name}"))
            layer, head = ask_head(kind, layer=LAYER, head=HEAD)
        where = t("grid.where", title=t(f"kind.{kind}"), layer=layer + 1, head=head + 1)
        document.heading(where, drawn=False)
        what_if = ask_what_if(kind)
        plain = models.ask(head_steps, translation, kind, layer, head)
        sheet = models.ask(head_steps, translation, kind, layer, head, what_if)
        queries, keys = labels(translation, sheet)
        roles = t("worksheet.roles", query=t(f"kind.{kind}.query"), key=t(f"kind.{kind}.key"))
        document.caption(f"{roles} {t('worksheet.legend')}")
        with st.container(key=PAIR):
            one, other = st.columns(2)
            with one:
                query = choose_piece(QUERY.within(len(queries) // 2), t("worksheet.query"), queries)
            with other:
                key = choose_piece(KEY.within(int(plain.weights[query].argmax())), t("worksheet.key"), keys)
        frame = frame_of(sheet, queries, keys, query=query, key=key)
        if what_if != AS_IT_IS:
            tell_change(frame, plain)
        document.caption(entering(sheet))
        for number, step in enumerate(steps(frame), start=1):
            show(frame, step, sheet=SHEET, name=str(number), number=number)
            if step.name == "feed":
                show_feed_forward_weights(frame)
        document.caption(t("worksheet.attended") if kind == "decoder" else t("worksheet.leaves"))
        models.freeze_garbage("worksheet")


if __name__ == "__main__":
    page()
