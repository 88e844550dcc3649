"""One step of the recurrent decoder: scores, softmax, weighted states, context, concatenation, next piece."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.experiments.rnn_step import decoder_step
from model.records import Translation
from viz import models
from viz.analysis.candidates import probable
from viz.analysis.scores import powers
from viz.analysis.vectors import weighted
from viz.analysis.worksheet import largest
from viz.components.matrix_sheet import Axis, Matrix
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures import Series, bars
from viz.i18n import t
from viz.lessons.more import on_compare
from viz.lessons.rnn import ask_step, own_translation
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets import worksheet
from viz.widgets.worksheet_steps import strip

SPACE = Space("steps", __file__, page="lessons")
STEP, STAGE, NEXT = SPACE.choice("step", 0), SPACE.key("stage"), SPACE.key("next")


def draw_stage(name: str, formula: str, says: str, matrices: Sequence[Matrix] = ()) -> None:
    """A stage: its name and equation, a sentence, and its numbers."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        show.markdown(f"**{t(f'scene.steps.stage.{name}')}**", width="content")
        show.formula(formula, width="content")
    show.caption(says)
    if matrices:
        worksheet.draw(matrices, sheet=SPACE.name, key=STAGE.at(name))


def draw(translation: Translation) -> None:
    worksheet.begin(SPACE.name)
    found = own_translation(translation)
    if found is None:
        return
    model, french, recurrent = found
    assert recurrent.scores is not None
    number = ask_step(STEP, french)
    step = models.ask(decoder_step, french, number, model=model)
    scores, weights = recurrent.scores[number], french.cross[0, 0, number]
    joined = np.stack((step.state, step.context, step.embedded))
    pieces = tuple(token.label for token in french.source)
    piece = Axis(names=("steps_piece",), word=t("positions.piece"), count=len(pieces), labels=pieces)
    across = Axis(names=("steps_width",), word=t("worksheet.axis.model"), count=joined.shape[1])
    limit = largest(recurrent.source)
    show.caption(
        t(
            "scene.steps.reading",
            read=escape(french.decoder_input[number].label),
            predicted=escape(french.target[number].label),
        )
    )
    draw_stage(
        "score", "score", t(f"scene.steps.function.{models.kind(model)}"),
        (strip("s_t−1", ("s",), across, step.before[None]), strip("e_t", ("e",), piece, scores[None])),
    )  # fmt: skip
    draw_stage(
        "softmax", "softmax", t("scene.steps.say.softmax"),
        (strip("α_t", ("exp(e − m)", "α"), piece, np.stack((powers(scores), weights)), 1, signed=False),),
    )  # fmt: skip
    draw_stage(
        "context", "context", t("scene.steps.say.context"),
        (
            Matrix(
                title="α h", rows=piece, columns=across, values=weighted(weights, recurrent.source),
                limit=limit, wide=True,
            ),
            strip("c_t", ("c",), across, step.context[None], limit),
        ),
    )  # fmt: skip
    draw_stage(
        "join", "concatenation", t("scene.steps.say.join", width=joined.shape[1], total=joined.size),
        (strip("s, c, y", ("s", "c", "y"), across, joined),),
    )  # fmt: skip
    draw_stage("next", "readout", t("scene.steps.say.next"))
    options = probable(step)
    figure = bars(
        [label for label, _ in options],
        [Series(name=t("scene.steps.share"), x=[], y=[share for _, share in options])],
        x_title=t("scene.steps.options"), y_title=t("scene.steps.share"), most=1, scheme=scheme_now(),
    )  # fmt: skip
    show.chart(figure, key=NEXT, alt=t("scene.steps.say.next"), file="regard-steps")


SCENE = Scene(
    name="steps",
    draw=draw,
    formulas=("score", "softmax", "context", "readout"),
    more=(on_compare(),),
)
