"""How far influence travels in the encoders: measured at once or when asked, and drawn against distance."""

from collections.abc import Mapping

import streamlit as st

from model.experiments.attribution import encoder_reach, projections_for
from model.records import Floats, Translation
from viz import models
from viz.analysis.influence import by_distance
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series, lines
from viz.i18n import t
from viz.state import Key
from viz.widgets.long_work import begin, finished
from viz.widgets.model_names import model_name

QUICK = 40
"""Pieces up to which the encoders are measured at once."""


def reach(read: Mapping[str, Translation], progress: models.Progress) -> dict[str, Floats]:
    """How much each state of each model's encoder changes with each source piece, [S, S]."""
    return {
        model: models.ask(
            encoder_reach, each.source, projections_for(each.source), model=model,
            progress=models.portion(progress, i, len(read)),
        )
        for i, (model, each) in enumerate(read.items())
    }  # fmt: skip


def known_reach(read: Mapping[str, Translation]) -> dict[str, Floats] | None:
    """The same if it has been measured for every model; None if any is missing."""
    found = {
        model: models.known(encoder_reach, each.source, projections_for(each.source), model=model)
        for model, each in read.items()
    }
    return None if any(each is None for each in found.values()) else found


def measure(read: Mapping[str, Translation], *, key: Key) -> dict[str, Floats] | None:
    """`reach`, of a long sentence only when asked for, by a button of this key, and None before that."""
    found = known_reach(read)
    if found is None and max(len(each.source) for each in read.values()) <= QUICK:
        bar = st.progress(0.0, t("distance.working"))

        def progress(done: float) -> None:
            bar.progress(done, t("distance.working"))

        found = reach(read, progress)
        bar.empty()
    elif found is None:
        if st.button(t("parallel.measure"), key=key, type="primary", help=t("distance.long")):
            begin("distance", lambda progress: reach(read, progress))
        finished("distance", t("distance.working"))
        found = known_reach(read)
    if found is None:
        st.info(t("distance.long"))
    return found


def against_distance(found: Mapping[str, Floats], *, key: Key, reading: str) -> None:
    """A line for each model: the mean over all pairs that are so far apart."""
    series = []
    for model, matrix in found.items():
        means, counts = by_distance(matrix)
        notes = [t("distance.pairs", count=count) for count in counts.tolist()]
        series.append(Series(name=model_name(model), x=range(len(means)), y=means.tolist(), notes=notes))
    figure = lines(series, x_title=t("distance.apart"), y_title=t("distance.ratio"), y_axis="log", scheme=scheme_now())
    show.chart(figure, key=key, alt=reading, file="regard-distance", caption=reading)
