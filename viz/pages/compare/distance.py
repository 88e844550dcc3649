"""How far influence travels: gradients of one target piece, and of encoder states, against distance."""

import streamlit as st

from viz import service
from viz.analysis import by_distance, shares
from viz.figures import Series, bars, lines
from viz.i18n import t, told
from viz.markdown import escape
from viz.pages.compare.names import model_name
from viz.pages.parts import chart_options, scheme_now, tell_limits


@st.fragment
def draw(text: str, rnn: str) -> None:
    st.caption(t("distance.intro"))
    models = (rnn, service.TRANSFORMER)
    try:
        french = service.translate(text).text
        forced = {model: service.translate(text, model=model, target=french) for model in models}
    except ValueError as error:
        st.warning(escape(told(error)))
        return
    common = forced[service.TRANSFORMER]
    tell_limits(common)
    st.subheader(t("distance.target"), anchor=False)
    st.text(french)
    # Numbered, because equal labels would be one choice; the key has the text, because other options are others.
    step = st.pills(
        t("distance.step"), range(len(common.target)), key=f"step {text} {french}", default=0, required=True,
        format_func=lambda number: f"{number + 1} {escape(common.target[number].label)}", help=t("distance.step_help"),
    )  # fmt: skip
    pieces = [token.label for token in common.source]
    st.plotly_chart(
        bars(
            pieces,
            [
                Series(name=model_name(model), x=[], y=shares(service.influence(forced[model], model, step)).tolist())
                for model in models
            ],
            x_title=t("distance.piece"),
            y_title=t("distance.share"),
            scheme=scheme_now(),
        ),
        key="influence", theme=None, alt=t("distance.reading"), config=chart_options("regard-influence"),
    )  # fmt: skip
    st.caption(t("distance.reading"))
    st.subheader(t("distance.encoders"), anchor=False)
    st.caption(t("distance.encoders_intro", steps=len(pieces[1:]), layers=service.sizes().encoder_layers))
    bar = st.progress(0.0, t("distance.working"))
    series = []
    for i, model in enumerate(models):

        def progress(done: float, i: int = i) -> None:
            bar.progress((i + done) / len(models), t("distance.working"))

        matrix = service.encoder_influence(forced[model], model, progress)
        means, counts = by_distance(matrix)
        series.append(
            Series(
                name=model_name(model),
                x=list(range(len(means))),
                y=means.tolist(),
                notes=[t("distance.pairs", count=count) for count in counts.tolist()],
            )
        )
    bar.empty()
    st.plotly_chart(
        lines(series, x_title=t("distance.apart"), y_title=t("distance.ratio"), y_axis="log", scheme=scheme_now()),
        key="reach", theme=None, alt=t("distance.encoders"), config=chart_options("regard-distance"),
    )  # fmt: skip
    st.caption(t("distance.encoders_reading", directions=service.projections(common)))
