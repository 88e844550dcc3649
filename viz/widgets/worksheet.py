"""What shows the steps of a worksheet, on its own page and in the lessons."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.head_steps import Worksheet, layer_matrices
from model.intervention import Kind
from model.records import Translation
from viz import models
from viz.analysis.maps import sharpest
from viz.components.matrix_sheet import Matrix, matrix_sheet, matrix_sheet_script
from viz.document import show as document
from viz.examples import EXAMPLES
from viz.i18n import t, words_under
from viz.state import Choice, Key, Space
from viz.widgets.inputs import choose_number, choose_piece
from viz.widgets.worksheet_frame import Frame, Step, axes_of, labels

SPACE = Space("sheet", __file__, page="")
SCRIPT, PICTURE = SPACE.key("script"), SPACE.key("picture")
# Formulas keep what is above and below them.
STYLE = """<style>
[class*="st-key-sheet-script"] { display: none; }
.katex-display { padding-block: 0.5em; }
</style>"""


def begin(sheet: str) -> None:
    """Once before the pictures of a sheet, which belong together."""
    st.html(STYLE)
    matrix_sheet_script(SCRIPT.at(sheet))


def ask_head(kind: Kind, *, layer: Choice[int], head: Choice[int] | None) -> tuple[int, int]:
    """Layer and head of one kind of attention; at first the head with the sharpest weights on the first example, which
    it stays where there is no head to choose."""
    config, first = models.sizes(), models.translate(EXAMPLES[0])
    sharp = sharpest({"encoder": first.encoder, "decoder": first.decoder, "cross": first.cross}[kind])
    layers = config.encoder_layers if kind == "encoder" else config.decoder_layers
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        chosen = choose_number(layer.within(sharp[0]), t("compare.layer"), layers)
        if head is None:
            return chosen, sharp[1]
        return chosen, choose_number(head.within(sharp[1]), t("compare.head"), config.n_heads)


def framed(translation: Translation, found: Worksheet, *, query: Choice[int], sheet: str, keyed: bool = True) -> Frame:
    """A worksheet with a slider for its query; the key is the one that gets most of the query's weight, which is said
    where keys are drawn."""
    queries, keys = labels(translation, found)
    chosen = choose_piece(query.within(len(queries) // 2), t("worksheet.query"), queries)
    document.caption(f"{t('worksheet.best')} {t('worksheet.legend')}" if keyed else t("worksheet.legend"))
    return frame_of(found, queries, keys, query=chosen, key=int(found.weights[chosen].argmax()))


def frame_of(found: Worksheet, queries: tuple[str, ...], keys: tuple[str, ...], *, query: int, key: int) -> Frame:
    """A worksheet with what its pieces are called and which are chosen."""
    return Frame(
        sheet=found,
        weights=models.ask(layer_matrices, found.kind, found.layer),
        queries=queries,
        keys=keys,
        axes=axes_of(found, queries, keys),
        query=query,
        key=key,
    )


def draw(matrices: Sequence[Matrix], *, sheet: str, key: Key, chosen: Frame | None = None) -> None:
    """A line of pictures; of all that belong together, some tell which query and key are chosen."""
    pair = {"query": chosen.query, "key": chosen.key} if chosen else None
    matrix_sheet(matrices, sheet=sheet, texts=words_under("sheet"), chosen=pair, key=key)


def show(frame: Frame, step: Step, *, sheet: str, name: str, number: int | None = None) -> None:
    """A step: its title, with its number where it has one, its equation, a few sentences, and its pictures."""
    title = f"{number or ''}\u2002{step.title}".strip()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if number is None:
            st.markdown(f"**{step.title}**", width="content")
        document.heading(title, 3, drawn=number is not None, width="content")
        document.equation(step.equation, width="content")
    document.caption(step.says)
    if step.whole:
        draw(step.whole, sheet=sheet, key=PICTURE.at(sheet, name, "whole"))
    if step.chosen:
        draw(step.chosen, sheet=sheet, key=PICTURE.at(sheet, name, "chosen"), chosen=frame)
