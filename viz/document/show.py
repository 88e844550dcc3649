"""Draws on the page and notes for the saved file, by one call: nothing can be shown and not saved."""

from collections.abc import Sequence
from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from viz import components, state
from viz.document.blocks import Block, Canvas, Chart, Code, Formula, Heading, Question, Table, Text
from viz.document.record import Record
from viz.escape import escape
from viz.escape import table as markdown_table
from viz.figures.room import for_a_room
from viz.formulas import FORMULAS
from viz.state import Key

_RECORD = state.Space("document", __file__, page="").memory("record", Record)
"""A visitor has one, which each page empties, for Streamlit may hold on to the buttons of earlier pages."""


def record() -> Record:
    """What has been drawn of the page so far, for whoever saves it."""
    return _RECORD.get()


def only_saved(block: Block, key: str = "") -> None:
    """For what the page shows in a way that paper cannot, as a button or a slider does."""
    record().note(block, key)


def heading(text: str, level: Literal[2, 3] = 2, *, drawn: bool = True, **layout: Any) -> None:
    """Plain text. Streamlit's subheader; `drawn` is False where the page says it otherwise, as by an open tab."""
    if drawn:
        st.subheader(escape(text), anchor=False, **layout)
    only_saved(Heading(text=text, level=level))


def markdown(text: str, **layout: Any) -> None:
    """What a person typed in it went through `escape`."""
    st.markdown(text, **layout)
    only_saved(Text(text=text))


def plain(text: str, **layout: Any) -> None:
    """Exactly as it is."""
    st.text(text, **layout)
    only_saved(Text(text=escape(text)))


def caption(text: str, **layout: Any) -> None:
    """Markdown, small: how to read the picture beside it."""
    st.caption(text, **layout)
    only_saved(Text(text=text, quiet=True))


def notice(text: str, kind: Literal["info", "warning"] = "info") -> None:
    """Markdown in a box: what the reader must know before believing what follows."""
    (st.info if kind == "info" else st.warning)(text)
    only_saved(Text(text=f"**{text}**"))


def formula(name: str, **layout: Any) -> None:
    """An equation of viz/formulas.json."""
    st.latex(FORMULAS[name].latex, **layout)
    only_saved(Formula(mathml=FORMULAS[name].mathml))


def equation(latex: str, **layout: Any) -> None:
    """One that is made for the moment, with its numbers: the saved file has it as it is written in TeX."""
    st.latex(latex, **layout)
    only_saved(Code(text=latex))


def code(text: str, **layout: Any) -> None:
    """A line of this project."""
    st.code(text, **layout)
    only_saved(Code(text=text))


def question(text: str, answer: str) -> None:
    """Both Markdown; the answer waits to be opened."""
    with st.expander(f"**{text}**"):
        st.markdown(answer)
    only_saved(Question(question=text, answer=answer))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Plain text; every column but the first stands to the right."""
    st.markdown(markdown_table(head, rows))
    only_saved(Table(head=head, rows=rows))


def chart(
    figure: go.Figure,
    *,
    key: Key,
    alt: str,
    file: str,
    caption: str | None = None,
    image: str = "png",
    width: int | None = None,
) -> None:
    """A Plotly picture, what it shows in words for those who cannot see it, and below it what everybody should read.
    `file` names what its toolbar saves. `width` is in pixels; None is all that there is."""
    options = {
        "displaylogo": False,
        "displayModeBar": True,
        "toImageButtonOptions": {"format": image, "scale": 3, "filename": file},  # a lecture's resolution
    }
    shown = for_a_room(figure) if state.presenting() else figure
    st.plotly_chart(shown, width=width or "stretch", key=key, theme=None, alt=alt, config=options)
    if caption:
        st.caption(caption)
    only_saved(Chart(figure=figure, caption=caption or alt, options=options, width=width), key)


def _note_canvas(mounted: components.Mounted) -> None:
    only_saved(Canvas(component=mounted.component, data=mounted.data, header=mounted.header), mounted.key)


components.listen(_note_canvas)
