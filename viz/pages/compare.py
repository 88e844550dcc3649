"""RNN vs Transformer: one sentence, two ways to translate it, held against each other."""

import streamlit as st

from viz import models, session
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.tabs.compare import distance, gold, long_sentences, parallel, side_by_side
from viz.tabs.compare import models as models_tab
from viz.widgets.model_names import model_name
from viz.widgets.parts import ask_sentence, choose, linked_page, loaded, open_tab

TABS = {
    "sides": side_by_side.draw,
    "gold": gold.draw,
    "long": long_sentences.draw,
    "distance": distance.draw,
    "parallel": parallel.draw,
    "models": models_tab.draw,
}


@st.fragment
def page() -> None:
    files = loaded(lambda: (models.translator(), models.recurrent(), models.gold()))
    if files is None:
        return
    _, names, pairs = files
    if not names:
        st.error(t("compare.no_rnn"))
        return
    with linked_page():
        st.caption(t("compare.intro"))
        target_of = {pair.source: pair.target for pair in pairs}
        text = ask_sentence((*EXAMPLES, *target_of), lambda: session.take_pair(target_of))
        rnn = choose(t("compare.rnn"), names, key="rnn", default=names[0], named=model_name, hint=t("compare.rnn_help"))
        st.caption(t("compare.not_equal"))
        name, tab = open_tab({name: t(f"compare.tab.{name}") for name in TABS}, key="part")
        with tab:
            if text is not None:
                TABS[name](text, rnn)
    models.settle("compare")


page()
