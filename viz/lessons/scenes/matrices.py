"""Self-attention as matrices: one encoder head on the sentence, from X to Q, K, V, scores, weights and output."""

from dataclasses import replace

from model.experiments.head_steps import head_steps
from model.records import Translation
from viz import models
from viz.document import show
from viz.lessons.more import on_translate, on_worksheet
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets import worksheet
from viz.widgets.worksheet_steps import entering, steps

SPACE = Space("matrices", __file__, page="lessons")
LAYER, HEAD, QUERY = (SPACE.choice(name, 0) for name in ("layer", "head", "query"))
STEPS = ("project", "scores", "softmax", "context")


def draw(translation: Translation) -> None:
    worksheet.begin(SPACE.name)
    layer, head = worksheet.ask_head("encoder", layer=LAYER, head=HEAD)
    found = models.ask(head_steps, translation, "encoder", layer, head)
    frame = worksheet.framed(translation, found, query=QUERY, sheet=SPACE.name)
    show.caption(entering(frame.sheet))
    for step in steps(frame):
        if step.name in STEPS:
            rows = step.name == "softmax"  # all of A is drawn with the output
            shown = replace(step, whole=()) if rows else step
            worksheet.show(frame, shown, sheet=SPACE.name, name=step.name)


SCENE = Scene(
    name="matrices",
    draw=draw,
    formulas=("projections", "attention"),
    more=(on_worksheet("encoder"), on_translate()),
)
