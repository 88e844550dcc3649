"""How far influence travels: gradients of one target piece, and of encoder states, against distance."""

from collections.abc import Mapping

import streamlit as st

from model.experiments.attribution import encoder_reach, projections_for, step_gradient
from model.records import Floats, Translation
from viz import models, session
from viz.analysis.influence import by_distance, shares
from viz.escape import escape
from viz.figures import Series, bars, lines
from viz.i18n import message, t
from viz.widgets.model_names import model_name
from viz.widgets.parts import chart, finished, scheme_now, tell_limits

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


def measure(read: Mapping[str, Translation], *, key: str) -> dict[str, Floats] | None:
    """`reach`, of a long sentence only when asked for, and None before that."""
    found = known_reach(read)
    if found is None and max(len(each.source) for each in read.values()) <= QUICK:
        bar = st.progress(0.0, t("distance.working"))

        def progress(done: float) -> None:
            bar.progress(done, t("distance.working"))

        found = reach(read, progress)
        bar.empty()
    elif found is None:
        if st.button(t("parallel.measure"), key=key, type="primary", help=t("distance.long")):
            session.start("distance", lambda progress: reach(read, progress))
        finished("distance", t("distance.working"))
        found = known_reach(read)
    if found is None:
        st.info(t("distance.long"))
    return found


def against_distance(found: Mapping[str, Floats], *, key: str, reading: str) -> None:
    """A line for each model: the mean over all pairs that are so far apart."""
    series = []
    for model, matrix in found.items():
        means, counts = by_distance(matrix)
        notes = [t("distance.pairs", count=count) for count in counts.tolist()]
        series.append(Series(name=model_name(model), x=range(len(means)), y=means.tolist(), notes=notes))
    figure = lines(series, x_title=t("distance.apart"), y_title=t("distance.ratio"), y_axis="log", scheme=scheme_now())
    chart(figure, key=key, alt=reading, file="regard-distance", caption=reading)


@st.fragment
def draw(text: str, rnn: str) -> None:
    st.caption(t("distance.intro"))
    names = (rnn, models.TRANSFORMER)
    try:
        found = models.translate(text)
        forced = {model: models.hold_to(found, model) for model in names}
    except ValueError as error:
        st.warning(escape(message(error)))
        return
    common = forced[models.TRANSFORMER]
    tell_limits(common)
    st.subheader(t("distance.target"), anchor=False)
    st.text(found.text)
    # Numbered, because equal labels would be one choice; the key has the text, because other options are others.
    step = st.pills(
        t("distance.step"), range(len(common.target)), key=f"step {text} {found.text}", default=0, required=True,
        format_func=lambda number: f"{number + 1} {escape(common.target[number].label)}", help=t("distance.step_help"),
    )  # fmt: skip
    pieces = [token.label for token in common.source]
    gradients = {model: models.ask(step_gradient, forced[model], step, model=model) for model in names}
    figure = bars(
        pieces,
        [
            Series(name=model_name(model), x=[], y=shares(gradients[model]).tolist())
            for model in names
        ],
        x_title=t("distance.piece"), y_title=t("distance.share"), scheme=scheme_now(),
    )  # fmt: skip
    chart(figure, key="influence", alt=t("distance.reading"), file="regard-influence", caption=t("distance.reading"))
    st.subheader(t("distance.encoders"), anchor=False)
    st.caption(t("distance.encoders_intro", steps=len(pieces[1:]), layers=models.sizes().encoder_layers))
    reading = t("distance.encoders_reading", directions=projections_for(common.source))
    if measured := measure(forced, key="distance_measure"):
        against_distance(measured, key="reach", reading=reading)
