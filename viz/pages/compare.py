"""RNN vs Transformer: one sentence, two ways to translate it, held against each other."""

import streamlit as st

from viz import models
from viz.document import show
from viz.document.page import page_frame
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.state import Space
from viz.tabs.compare import distance, gold, long_sentences, parallel, side_by_side
from viz.tabs.compare import models as models_tab
from viz.widgets.bundled import loaded
from viz.widgets.inputs import choose, open_tab
from viz.widgets.model_names import model_name
from viz.widgets.sentence import ask_sentence

TABS = {
    "sides": side_by_side.draw,
    "gold": gold.draw,
    "long": long_sentences.draw,
    "distance": distance.draw,
    "parallel": parallel.draw,
    "models": models_tab.draw,
}
SPACE = Space("compare", __file__)
TAB = SPACE.choice("tab", "sides")
RNN = SPACE.choice("rnn", "")
"""A recurrent model's name; at first it is the largest with attention."""


@st.fragment
def page() -> None:
    files = loaded(lambda: (models.translator(), models.recurrent(), models.gold()))
    if files is None:
        return
    _, names, pairs = files
    if not names:
        st.error(t("compare.no_rnn"))
        return
    with page_frame():
        show.caption(t("compare.intro"))
        text = ask_sentence((*EXAMPLES, *(pair.source for pair in pairs)), side_by_side.take_pair)
        rnn = choose(RNN.within(names[0]), t("compare.rnn"), names, named=model_name, hint=t("compare.rnn_help"))
        show.caption(t("compare.not_equal"))
        titles = {name: t(f"compare.tab.{name}") for name in TABS}
        name, tab = open_tab(TAB, titles)
        with tab:
            if text is not None:
                show.heading(titles[name], drawn=False)
                TABS[name](text, rnn)
    models.settle("compare")


if __name__ == "__main__":
    page()
