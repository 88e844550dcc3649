"""Each model's quality against the length of what it translates, as its checkpoint has it."""

from collections.abc import Sequence

import streamlit as st

from viz import models
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series, lines
from viz.i18n import t
from viz.state import Key
from viz.widgets.model_names import model_name


def by_length(names: Sequence[str], *, key: Key, reading: str) -> None:
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
    show.chart(figure, key=key, alt=t("long.intro"), file="regard-bleu-by-length", caption=reading)
