"""Self-attention as matrices: one encoder head on the sentence, from X to Q, K, V, scores, weights and output."""

from dataclasses import replace

import streamlit as st

from model.experiments.head_steps import head_steps
from model.records import Translation
from viz import models
from viz.lessons.scene import More, Scene
from viz.widgets.worksheet import ask_head, begin, framed, show
from viz.widgets.worksheet_steps import entering, steps

NAME = "matrices"
STEPS = ("project", "scores", "softmax", "context")


def draw(translation: Translation) -> None:
    begin(NAME)
    layer, head = ask_head("encoder", sheet=NAME)
    frame = framed(translation, models.ask(head_steps, translation, "encoder", layer, head), sheet=NAME)
    st.caption(entering(frame.sheet))
    for step in steps(frame):
        if step.name in STEPS:
            rows = step.name == "softmax"  # all of A is drawn with the output
            show(frame, replace(step, whole=()) if rows else step, sheet=NAME, name=step.name)


SCENE = Scene(
    name=NAME,
    draw=draw,
    formulas=("projections", "attention"),
    more=(
        More(page="viz/pages/worksheet.py", title="worksheet.title", chosen={"worksheet_kind": "encoder"}),
        More(page="viz/pages/translate.py", title="translate.title"),
    ),
)
