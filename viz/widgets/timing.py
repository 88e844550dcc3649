"""Time of encoding and of a training step against length, measured when somebody asks."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from model.experiments.timing import REPEATS, Timing, timings
from viz import models
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series, lines
from viz.i18n import t
from viz.state import Key, Memory, Space
from viz.widgets.long_work import begin, finished
from viz.widgets.model_names import model_name

SPACE = Space("timing", __file__, page="")
MEASURED: Memory[dict[str, list[Timing]]] = SPACE.memory("measured", dict)
LENGTHS = (10, 20, 50, 100, 200, 400)
"""Pieces."""


def measure(names: Sequence[str], progress: models.Progress) -> dict[str, list[Timing]]:
    """Anew each time: it is about here and now."""
    return {
        model: models.ask(
            timings, LENGTHS, model=model, progress=models.portion(progress, i, len(names)), remember=False
        )
        for i, model in enumerate(names)
    }


def ask(names: Sequence[str], *, key: Key) -> dict[str, list[Timing]] | None:
    """A button that measures these models, and what was measured last; None, and a word about it, before that."""
    if st.button(t("parallel.measure"), key=key, type="primary", help=t("parallel.measure_help")):
        begin("timings", lambda progress: measure(names, progress))
    if measured := finished("timings", t("parallel.working")):
        MEASURED.set(MEASURED.get() | measured)
    found = MEASURED.get()
    if all(model in found for model in names):
        return {model: found[model] for model in names}
    st.info(t("parallel.not_yet"))
    return None


def curve(
    measured: Mapping[str, Sequence[Timing]],
    what: Literal["encode", "train"],
    *,
    key: Key,
    reading: str | None = None,
) -> None:
    """Milliseconds against pieces, a line for each model."""
    series = [
        Series(
            name=model_name(model),
            x=[each.length for each in found],
            y=[1000 * getattr(each, f"{what}_seconds") for each in found],
            notes=[t("parallel.steps", steps=getattr(each, f"sequential_{what}")) for each in found],
        )
        for model, found in measured.items()
    ]
    title = t(f"parallel.time.{what}")
    figure = lines(series, x_title=t("parallel.pieces"), y_title=title, from_zero=True, scheme=scheme_now())
    show.chart(figure, key=key, alt=title, file=f"regard-time-{what}", caption=reading)


def reading() -> str:
    """How it was measured, and what to make of it."""
    return t(
        "parallel.reading",
        device=models.translator().device.type,
        repeats=REPEATS,
        layers=models.sizes().encoder_layers,
    )
