"""The bottleneck: quality against source length, with one vector for the sentence and with attention."""

import streamlit as st

from viz import service
from viz.figures import Series, lines
from viz.i18n import t, told
from viz.markdown import escape
from viz.pages.compare.names import all_models, model_name
from viz.pages.parts import chart_options, scheme_now


def by_length() -> None:
    """Each model's BLEU on test sentences of growing length."""
    st.caption(t("long.intro"))
    strung = {model: service.by_length(model, "strung") for model in all_models()}
    measured = {model: groups for model, groups in strung.items() if groups}
    if measured:
        series = [
            Series(
                name=model_name(model),
                x=[group["words"] for group in groups],
                y=[group["bleu"] for group in groups],
                notes=[
                    t("long.note", low=group["from"], high=group["to"], texts=group["sentences"]) for group in groups
                ],
            )
            for model, groups in measured.items()
        ]
        st.plotly_chart(
            lines(series, x_title=t("long.words"), y_title="BLEU", from_zero=True, scheme=scheme_now()),
            key="bottleneck", theme=None, alt=t("long.intro"), config=chart_options("regard-bleu-by-length"),
        )  # fmt: skip
        st.caption(t("long.reading"))
    else:
        st.info(t("long.not_measured"))


@st.fragment
def draw(text: str, rnn: str) -> None:
    by_length()
    st.subheader(t("long.yours"), anchor=False)
    for model in all_models():
        try:
            translation = service.translate(text, model=model)
        except ValueError as error:
            st.warning(escape(told(error)))
            return
        st.markdown(f"**{model_name(model)}** · {t('long.mean', mean=f'{translation.mean_probability:.1%}')}")
        st.text(translation.text or t("strip.nothing"))
