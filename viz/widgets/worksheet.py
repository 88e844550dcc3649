"""What shows the steps of a worksheet, on its own page and in the lessons."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.head_steps import Worksheet, layer_matrices
from model.intervention import Kind
from model.records import Translation
from viz import models, session
from viz.analysis.maps import sharpest
from viz.components.matrix_sheet import Matrix, matrix_sheet, matrix_sheet_script
from viz.examples import EXAMPLES
from viz.i18n import t, words_under
from viz.saved import Heading, Text
from viz.widgets.parts import choose, choose_piece
from viz.widgets.worksheet_steps import Frame, Step, axes_of, labels

# Formulas keep what is above and below them.
STYLE = """<style>
[class*="st-key-matrix_sheet_script"] { display: none; }
.katex-display { padding-block: 0.5em; }
</style>"""


def begin(sheet: str) -> None:
    """Once before the pictures of a sheet, which belong together."""
    st.html(STYLE)
    matrix_sheet_script(f"matrix_sheet_script_{sheet}")


def choose_number(label: str, count: int, *, key: str, default: int) -> int:
    """One of `count` layers or heads."""
    return choose(label, tuple(range(count)), key=key, default=default, named=lambda number: str(number + 1))


def ask_head(kind: Kind, *, sheet: str, heads: bool = True) -> tuple[int, int]:
    """Layer and head of one kind of attention; at first the head with the sharpest weights on the first example."""
    config, first = models.sizes(), models.translate(EXAMPLES[0])
    layer, head = sharpest({"encoder": first.encoder, "decoder": first.decoder, "cross": first.cross}[kind])
    layers = config.encoder_layers if kind == "encoder" else config.decoder_layers
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        layer = choose_number(t("compare.layer"), layers, key=f"{sheet}_layer", default=layer)
        if heads:
            head = choose_number(t("compare.head"), config.n_heads, key=f"{sheet}_head", default=head)
    return layer, head


def framed(translation: Translation, found: Worksheet, *, sheet: str, keyed: bool = True) -> Frame:
    """A worksheet with a slider for its query; the key is the one that gets most of the query's weight, which is said
    where keys are drawn."""
    queries, keys = labels(translation, found)
    query = choose_piece(t("worksheet.query"), queries, f"{sheet}_query", len(queries) // 2)
    st.caption(f"{t('worksheet.best')} {t('worksheet.legend')}" if keyed else t("worksheet.legend"))
    return Frame(
        sheet=found,
        weights=models.ask(layer_matrices, found.kind, found.layer),
        queries=queries,
        keys=keys,
        axes=axes_of(found, queries, keys),
        query=query,
        key=int(found.weights[query].argmax()),
    )


def draw(matrices: Sequence[Matrix], *, sheet: str, name: str, chosen: Frame | None = None) -> None:
    """A line of pictures; of all that belong together, some tell which query and key are chosen."""
    pair = {"query": chosen.query, "key": chosen.key} if chosen else None
    matrix_sheet(matrices, sheet=sheet, texts=words_under("sheet"), chosen=pair, key=f"{sheet}-{name}")


def show(frame: Frame, step: Step, *, sheet: str, name: str, number: int | None = None) -> None:
    """A step: its title, with its number where it has one, its equation, a few sentences, and its pictures."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if number is None:
            st.markdown(f"**{step.title}**", width="content")
        else:
            st.subheader(f"{number}\u2002{step.title}", anchor=False, width="content")
        st.latex(step.equation, width="content")
    st.caption(step.says)
    session.record().note(f"{sheet}-{name}-title", Heading(text=f"{number or ''}\u2002{step.title}".strip(), level=3))
    session.record().note(f"{sheet}-{name}-says", Text(text=step.says, quiet=True))
    if step.whole:
        draw(step.whole, sheet=sheet, name=f"{name}-whole")
    if step.chosen:
        draw(step.chosen, sheet=sheet, name=f"{name}-chosen", chosen=frame)
