"""The bottleneck: quality against source length, with one vector for the sentence and with attention."""

import streamlit as st

from viz import models
from viz.document import show
from viz.document.page import fragment
from viz.escape import escape
from viz.i18n import message, t
from viz.state import Space
from viz.widgets.bleu_by_length import by_length
from viz.widgets.model_names import all_models, model_name

SPACE = Space("compare_long", __file__, page="compare")
CHART = SPACE.key("chart")


@fragment
def draw(text: str, rnn: str) -> None:
    show.caption(t("long.intro"))
    by_length(all_models(), key=CHART, reading=t("long.reading"))
    show.heading(t("long.yours"))
    for model in all_models():
        try:
            translation = models.translate(text, model=model)
        except ValueError as error:
            st.warning(escape(message(error)))
            return
        show.markdown(f"**{model_name(model)}** · {t('long.mean', mean=f'{translation.mean_probability:.1%}')}")
        show.plain(translation.text or t("strip.nothing"))
