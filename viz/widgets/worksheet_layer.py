"""The steps around the attention of a layer: residual connection, LayerNorm and feed-forward."""

import numpy as np

from model.experiments.head_steps import NormSteps
from model.records import Floats
from viz.analysis.worksheet import above_zero, addition, inner_lengths, largest, moments, norming
from viz.components.matrix_sheet import Axis, Matrix
from viz.i18n import t
from viz.widgets.worksheet_frame import Frame, Step, shaped, strip


def add_step(frame: Frame, stages: tuple[Floats, Floats, Floats], names: tuple[str, str, str]) -> Step:
    """A residual connection: what came in, what was said about it, and the sum."""
    before, said, after = names
    kept = frame.sheet.what_if.residual
    title = t("worksheet.strip")
    return Step(
        name="add",
        title=t("worksheet.step.add"),
        equation=f"{after} = {before} + {said}" if kept else f"{after} = {said}",
        says=t("worksheet.say.add") if kept else t("worksheet.say.alone"),
        whole=(
            Matrix(
                title=after, rows=frame.axes.query, columns=frame.axes.model, values=stages[2],
                limit=largest(stages[2]),
            ),
        ),
        chosen=(strip(title, names, frame.axes.model, addition(*stages, frame.query)),),
    )  # fmt: skip


def norm_step(frame: Frame, norm: NormSteps, before: Floats, x: str, y: str, rows: Axis) -> Step:
    """LayerNorm, row by row."""
    model, i = frame.axes.model, frame.query
    both = moments(norm)
    two = Axis(names=(), word=t("worksheet.axis.moments"), labels=("μ", "σ"), count=2)

    def measured(of: str, values: Floats) -> Matrix:
        return Matrix(title=f"μ({of}), σ({of})", rows=rows, columns=two, values=values, limit=largest(*both))

    return Step(
        name="norm",
        title=t("worksheet.step.norm"),
        equation=rf"{y} = \gamma \odot \frac{{{x} - \mu}}{{\sigma}} + \beta,\qquad "
        rf"\mu = {norm.mean[i]:.3f},\quad \sigma = {norm.deviation[i]:.3f}",
        says=t("worksheet.say.norm"),
        whole=(
            measured(x, both[0]),
            Matrix(title=y, rows=rows, columns=model, values=norm.normed, limit=largest(norm.normed), sign="→"),
            measured(y, both[1]),
        ),
        chosen=(
            strip(t("worksheet.strip"), (x, f"({x} − μ) / σ", "γ", "β", y), model, norming(norm, before, i)),
        ),
    )  # fmt: skip


def feed_forward_step(frame: Frame, x: str) -> Step:
    """Two more matrices with an activation between them; the many numbers inside only for the chosen query."""
    model, i, after = frame.axes.model, frame.query, frame.sheet.feed_forward
    w_1, w_2 = frame.weights.w_1, frame.weights.w_2
    assert after is not None
    assert w_1 is not None
    assert w_2 is not None
    inner, lengths = inner_axis(w_1), inner_lengths(w_1, w_2)
    inside = np.stack((after.hidden[i], after.activated[i]))
    name = {"relu": "ReLU", "gelu": "GELU"}[after.activation]
    title = t("worksheet.strip")
    return Step(
        name="feed",
        title=t("worksheet.step.feed"),
        equation=rf"F = \text{{{name}}}({shaped(x, after.output)}\;\,{shaped('W_1', w_1)} + b_1)\;"
        rf"{shaped('W_2', w_2)} + b_2",
        says=t("worksheet.say.feed", inner=inner.count, above=above_zero(after.hidden[i])),
        whole=(
            strip(
                t("worksheet.lengths"), (t("worksheet.lengths.column"), t("worksheet.lengths.row")), inner, lengths,
                signed=False,
            ),
        ),
        chosen=(
            strip(title, (f"{x} W₁ + b₁", name), inner, inside),
            strip(title, ("F",), model, after.output[i : i + 1]),
        ),
    )  # fmt: skip


def inner_axis(w_1: Floats) -> Axis:
    return Axis(names=("inner",), word=t("worksheet.axis.inner"), count=w_1.shape[1])


def feed_forward_weights(frame: Frame) -> tuple[Matrix, ...]:
    """All of W_1 and W_2: the largest matrices of a layer, by far."""
    w_1, w_2 = frame.weights.w_1, frame.weights.w_2
    assert w_1 is not None
    assert w_2 is not None
    inner, model = inner_axis(w_1), frame.axes.model
    return (
        Matrix(title="W_1", rows=model, columns=inner, values=w_1, limit=largest(w_1)),
        Matrix(title="W_2", rows=inner, columns=model, values=w_2, limit=largest(w_2), breaks=True),
    )
