"""The bottleneck: quality against source length, with one vector for the sentence and with attention."""

from collections.abc import Sequence

import streamlit as st

from viz import models
from viz.escape import escape
from viz.figures import Series, lines
from viz.i18n import message, t
from viz.widgets.model_names import all_models, model_name
from viz.widgets.parts import chart, scheme_now


def by_length(names: Sequence[str], *, key: str, reading: str) -> None:
    """Each model's BLEU on test sentences of growing length, and below it how to read that."""
    series = [
        Series(
            name=model_name(model),
            x=[group["words"] for group in groups],
            y=[group["bleu"] for group in groups],
            notes=[t("long.note", low=group["from"], high=group["to"], texts=group["sentences"]) for group in groups],
        )
        for model in names
        if (groups := models.by_length(model, "strung"))
    ]
    if not series:
        st.info(t("long.not_measured"))
        return
    figure = lines(series, x_title=t("long.words"), y_title="BLEU", from_zero=True, scheme=scheme_now())
    chart(figure, key=key, alt=t("long.intro"), file="regard-bleu-by-length", caption=reading)


@st.fragment
def draw(text: str, rnn: str) -> None:
    st.caption(t("long.intro"))
    by_length(all_models(), key="bottleneck", reading=t("long.reading"))
    st.subheader(t("long.yours"), anchor=False)
    for model in all_models():
        try:
            translation = models.translate(text, model=model)
        except ValueError as error:
            st.warning(escape(message(error)))
            return
        st.markdown(f"**{model_name(model)}** · {t('long.mean', mean=f'{translation.mean_probability:.1%}')}")
        st.text(translation.text or t("strip.nothing"))
