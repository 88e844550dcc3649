"""What waits for what: time of encoding and of a training step against length, measured when asked."""

import streamlit as st

from model.timing import REPEATS, Timing
from viz import service, session
from viz.figures import Series, lines
from viz.i18n import t
from viz.markdown import table
from viz.pages.compare.names import model_name
from viz.pages.parts import chart_options, finished, scheme_now

LENGTHS = (10, 20, 50, 100, 200, 400)
"""Pieces."""


@st.fragment
def draw(text: str, rnn: str) -> None:
    st.caption(t("parallel.intro"))
    models = (rnn, service.TRANSFORMER)
    if st.button(t("parallel.measure"), type="primary", help=t("parallel.measure_help")):
        session.start("timings", service.timings(models, LENGTHS))
    found: dict[str, list[Timing]] = session.kept(session.TIMINGS, {})
    if measured := finished("timings", t("parallel.working")):
        found = found | measured
        session.keep(session.TIMINGS, found)
    shown = {model: found[model] for model in models if model in found}
    if len(shown) < len(models):
        st.info(t("parallel.not_yet"))
        return
    for what in ("encode", "train"):
        series = [
            Series(
                name=model_name(model),
                x=[each.length for each in timings],
                y=[1000 * getattr(each, f"{what}_seconds") for each in timings],
                notes=[t("parallel.steps", steps=getattr(each, f"sequential_{what}")) for each in timings],
            )
            for model, timings in shown.items()
        ]
        st.plotly_chart(
            lines(
                series, x_title=t("parallel.pieces"), y_title=t(f"parallel.time.{what}"), from_zero=True,
                scheme=scheme_now(),
            ),
            key=f"time-{what}", theme=None, alt=t(f"parallel.time.{what}"), config=chart_options(f"regard-time-{what}"),
        )  # fmt: skip
    names = [model_name(model) for model in models]
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
    st.caption(
        t(
            "parallel.reading",
            device=service.translator().device.type,
            repeats=REPEATS,
            layers=service.sizes().encoder_layers,
        )
    )
