"""Positions: how the model is told where a word stands, and what becomes of a sentence when it is not."""

import streamlit as st

from viz import models
from viz.document import show
from viz.document.page import page_frame
from viz.i18n import t
from viz.state import Space
from viz.tabs.positions import order, sentence, shift, table, ways
from viz.widgets.bundled import loaded
from viz.widgets.inputs import open_tab
from viz.widgets.sentence import read_sentence

TABS = {"table": table.draw, "shift": shift.draw, "sentence": sentence.draw, "order": order.draw, "ways": ways.draw}
SPACE = Space("positions", __file__)
TAB = SPACE.choice("tab", "table")


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    with page_frame():
        read_sentence()
        show.caption(t("positions.intro"))
        titles = {name: t(f"positions.tab.{name}") for name in TABS}
        name, tab = open_tab(TAB, titles)
        with tab:
            show.heading(titles[name], drawn=False)
            TABS[name]()
    models.settle("positions")


if __name__ == "__main__":
    page()
