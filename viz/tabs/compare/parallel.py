"""What waits for what: time of encoding and of a training step against length, measured when asked."""

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from model.experiments.timing import REPEATS, Timing, timings
from viz import models, session
from viz.escape import table
from viz.figures import Series, lines
from viz.i18n import t
from viz.widgets.model_names import model_name
from viz.widgets.parts import chart, finished, scheme_now

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


def ask(names: Sequence[str], *, key: str) -> dict[str, list[Timing]] | None:
    """A button that measures these models, and what was measured last; None, and a word about it, before that."""
    if st.button(t("parallel.measure"), key=key, type="primary", help=t("parallel.measure_help")):
        session.start("timings", lambda progress: measure(names, progress))
    found: dict[str, list[Timing]] = session.kept(session.TIMINGS, {})
    if measured := finished("timings", t("parallel.working")):
        found = found | measured
        session.keep(session.TIMINGS, found)
    if all(model in found for model in names):
        return {model: found[model] for model in names}
    st.info(t("parallel.not_yet"))
    return None


def curve(
    measured: Mapping[str, Sequence[Timing]],
    what: Literal["encode", "train"],
    *,
    key: str,
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
    chart(figure, key=key, alt=title, file=f"regard-time-{what}", caption=reading)


def reading() -> str:
    """How it was measured, and what to make of it."""
    return t(
        "parallel.reading",
        device=models.translator().device.type,
        repeats=REPEATS,
        layers=models.sizes().encoder_layers,
    )


@st.fragment
def draw(text: str, rnn: str) -> None:
    st.caption(t("parallel.intro"))
    shown = ask((rnn, models.TRANSFORMER), key="parallel_measure")
    if shown is None:
        return
    curve(shown, "encode", key="time-encode")
    curve(shown, "train", key="time-train")
    names = [model_name(model) for model in shown]
    head = [t("parallel.pieces"), *(t(f"parallel.column.{what}", name=name) for what in ("waits", "encode", "train")
                                    for name in names)]  # fmt: skip
    rows = [
        (
            str(row[0].length),
            *(str(each.sequential_encode) for each in row),
            *(f"{1000 * each.encode_seconds:.1f}" for each in row),
            *(f"{1000 * each.train_seconds:.1f}" for each in row),
        )
        for row in zip(*shown.values(), strict=True)
    ]
    st.markdown(table(head, rows))
    st.caption(reading())
