"""No parallelism: which piece is worked on when, counted, and what that takes, measured."""

import streamlit as st

from model.records import Translation
from viz import models
from viz.analysis.growth import waiting
from viz.figures import heatmap
from viz.i18n import t
from viz.lessons.rnn import attending
from viz.lessons.scene import More, Scene
from viz.widgets import timing
from viz.widgets.model_names import model_name
from viz.widgets.parts import chart, scheme_now


def show_waiting(translation: Translation, names: tuple[str, str]) -> None:
    """For each model a row for each step that must wait for the one before it, and in it the pieces worked on."""
    pieces = [token.label for token in translation.source]
    layers = models.sizes().encoder_layers
    columns = st.columns(2)
    for column, model, steps in zip(columns, names, waiting(len(pieces), layers), strict=True):
        kind = "transformer" if models.kind(model) == "transformer" else "rnn"
        caption = t(f"scene.parallel.waits.{kind}", steps=len(steps))
        figure = heatmap(
            steps, [str(number) for number in range(1, len(steps) + 1)], pieces,
            query_axis=t("scene.parallel.step"), key_axis=t("positions.piece"), weight=t("scene.parallel.busy"),
            title=model_name(model), scheme=scheme_now(),
        )  # fmt: skip
        figure.update_traces(showscale=False)  # it is 0 or 1
        with column:
            chart(figure, key=f"parallel_{kind}", alt=caption, file=f"regard-waiting-{kind}", caption=caption)


def draw(translation: Translation) -> None:
    rnn = attending()
    if rnn is None:
        return
    names = (rnn, models.TRANSFORMER)
    show_waiting(translation, names)
    st.markdown(f"**{t('scene.parallel.measured')}**")
    if timings := timing.ask(names, key="parallel_ask"):
        timing.curve(timings, "encode", key="parallel_encode")
        timing.curve(timings, "train", key="parallel_train", reading=timing.reading())


SCENE = Scene(
    name="parallel",
    draw=draw,
    formulas=("encoder_state",),
    more=(More(page="viz/pages/compare.py", title="compare.title", chosen={"part": "parallel"}),),
)
