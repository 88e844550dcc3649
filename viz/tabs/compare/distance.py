"""How far influence travels: gradients of one target piece, and of encoder states, against distance."""

import streamlit as st

from model.experiments.attribution import projections_for, step_gradient
from viz import models
from viz.analysis.influence import shares
from viz.document import show
from viz.document.page import fragment, scheme_now
from viz.escape import escape
from viz.figures import Series, bars
from viz.i18n import message, t
from viz.state import Space
from viz.widgets.distance import against_distance, measure
from viz.widgets.inputs import choose_piece
from viz.widgets.model_names import model_name
from viz.widgets.sentence import note_translation, tell_limits

SPACE = Space("compare_distance", __file__, page="compare")
STEP = SPACE.choice("step", 0, address="step")
"""Of the Transformer's translation, counted from 0."""
INFLUENCE, MEASURE, REACH = SPACE.key("influence"), SPACE.key("measure"), SPACE.key("reach")


@fragment
def draw(text: str, rnn: str) -> None:
    show.caption(t("distance.intro"))
    names = (rnn, models.TRANSFORMER)
    try:
        found = models.translate(text)
        forced = {model: models.hold_to(found, model) for model in names}
    except ValueError as error:
        st.warning(escape(message(error)))
        return
    common = forced[models.TRANSFORMER]
    tell_limits(common)
    note_translation(found)
    show.heading(t("distance.target"))
    st.text(found.text)
    step = choose_piece(
        STEP, t("distance.step"), tuple(token.label for token in common.target), hint=t("distance.step_help")
    )
    show.caption(t("distance.chosen", number=step + 1, piece=escape(common.target[step].label)))
    pieces = [token.label for token in common.source]
    gradients = {model: models.ask(step_gradient, forced[model], step, model=model) for model in names}
    figure = bars(
        pieces,
        [Series(name=model_name(model), x=[], y=shares(gradients[model]).tolist()) for model in names],
        x_title=t("distance.piece"), y_title=t("distance.share"), scheme=scheme_now(),
    )  # fmt: skip
    reading = t("distance.reading")
    show.chart(figure, key=INFLUENCE, alt=reading, file="regard-influence", caption=reading)
    show.heading(t("distance.encoders"))
    show.caption(t("distance.encoders_intro", steps=len(pieces[1:]), layers=models.sizes().encoder_layers))
    reading = t("distance.encoders_reading", directions=projections_for(common.source))
    if measured := measure(forced, key=MEASURE):
        against_distance(measured, key=REACH, reading=reading)
