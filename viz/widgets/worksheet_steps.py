"""The steps of a worksheet in the order of the computation."""

from collections.abc import Iterator

from viz.widgets.worksheet_attention import (
    context_step,
    heads_step,
    pair_step,
    project_step,
    scores_step,
    softmax_step,
)
from viz.widgets.worksheet_frame import Frame, Step
from viz.widgets.worksheet_frame import entering as entering
from viz.widgets.worksheet_frame import strip as strip
from viz.widgets.worksheet_layer import add_step, feed_forward_step, norm_step


def steps(frame: Frame, x: str = "X") -> Iterator[Step]:
    """From what enters the layer, called `x`, to what leaves it: pre-norm has LayerNorm first, post-norm last."""
    sheet, after = frame.sheet, frame.sheet.feed_forward
    rows = frame.axes.query
    if sheet.pre:
        yield norm_step(frame, sheet.norm, sheet.x_query, x, "N", frame.axes.entering)
    yield project_step(frame, x)
    yield pair_step(frame)
    yield scores_step(frame)
    yield softmax_step(frame)
    yield context_step(frame)
    yield heads_step(frame)
    yield add_step(frame, (sheet.x_query, sheet.output, sheet.residual), (x, "O", "R"))
    if sheet.pre and after:
        yield norm_step(frame, after.norm, sheet.residual, "R", "M", rows)
        yield feed_forward_step(frame, "M")
        yield add_step(frame, (sheet.residual, after.output, after.residual), ("R", "F", "Y"))
    elif not sheet.pre:
        yield norm_step(frame, sheet.norm, sheet.residual, "R", "N", rows)
        if after:
            yield feed_forward_step(frame, "N")
            yield add_step(frame, (sheet.norm.normed, after.output, after.residual), ("N", "F", "P"))
            yield norm_step(frame, after.norm, after.residual, "P", "Y", rows)
