"""Attention is a weighted average: the weights as sliders, the context among the encoder's states, the next piece."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.rnn_step import decoder_step
from model.records import DecoderStep, Floats, Token, Translation
from viz import models, session
from viz.analysis.candidates import probable
from viz.analysis.vectors import amounts, averaged, distance, hull, plane
from viz.escape import escape
from viz.figures import Series, bars
from viz.figures.plane import Mark, average
from viz.i18n import t
from viz.lessons.rnn import ask_step, own_translation
from viz.lessons.scene import More, Scene
from viz.widgets.parts import chart, choose, scheme_now, show_table, slide

MOST, EQUAL = 100, 50
"""Where a slider ends, and where all of them begin."""
AT_ONCE = 16
"""Sliders in sight: of a longer sentence one part after the other."""


def put(values: Sequence[int]) -> None:
    """Move the sliders."""
    for place, value in enumerate(values):
        session.keep(f"average_weight_{place}", value)


def ask_weights(source: Sequence[Token], own: Floats, text: str) -> list[int]:
    """Where the sliders are, one for each source piece. Another sentence begins with mean pooling again."""
    count = len(source)
    names = [f"{place + 1}\u2002{escape(token.label)}" for place, token in enumerate(source)]
    if session.kept("average_of", text) != text:
        put([EQUAL] * count)
    session.keep("average_of", text)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(t("scene.average.mean"), key="average_mean", on_click=put, args=([EQUAL] * count,))
        st.button(t("scene.average.own"), key="average_own", on_click=put, args=(amounts(own, MOST),))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(t("scene.average.only"), width="content")
        for place, name in enumerate(names):
            st.button(
                name, key=f"average_only_{place}", type="tertiary", on_click=put,
                args=([MOST * (other == place) for other in range(count)],),
            )  # fmt: skip
    st.caption(t("scene.average.sliders"))
    parts, part = [range(count)[start : start + AT_ONCE] for start in range(0, count, AT_ONCE)], 0
    if len(parts) > 1:
        part = choose(
            t("scene.average.part"), range(len(parts)), key="average_part", default=0,
            named=lambda at: f"{parts[at][0] + 1}\u2013{parts[at][-1] + 1}",
        )  # fmt: skip
    with st.container(horizontal=True):
        for place, name in enumerate(names):
            key = f"average_weight_{place}"
            if place in parts[part]:
                slide(name, 0, MOST, key=key, default=EQUAL, width=120)
            else:
                session.linked(key, EQUAL, {str(number): number for number in range(MOST + 1)}.get)
    return [session.kept(f"average_weight_{place}", EQUAL) for place in range(count)]


def show_next(given: DecoderStep, own: DecoderStep) -> None:
    """What the decoder would write with either context."""
    found = [probable(step) for step in (given, own)]
    (piece, share), (usual, before) = found[0][0], found[1][0]
    st.markdown(
        t(
            "scene.average.next",
            piece=escape(piece),
            share=f"{share:.0%}",
            usual=escape(usual),
            before=f"{before:.0%}",
        )
    )
    head = [t(f"scene.average.column.{name}") for name in ("rank", "given", "own")]
    lines = [[f"{piece} {share:.1%}" for piece, share in line] for line in zip(*found, strict=True)]
    show_table(head, [(str(rank), *line) for rank, line in enumerate(lines, start=1)], key="average_table")


def show_plane(pieces: Sequence[str], weights: Floats, states: Floats, context: Floats, own: Floats) -> None:
    """The encoder's states, and the context among them."""
    view = plane(states)
    points = view.of(states)
    figure = average(
        points,
        pieces,
        weights,
        [
            Mark(name=t("scene.average.mark.given"), at=view.of(context)),
            Mark(name=t("scene.average.mark.own"), at=view.of(own)),
            Mark(name=t("scene.average.mark.mean"), at=view.of(view.centre)),
        ],
        hull(points),
        title=t("scene.average.states"),
        reach=t("scene.average.reach"),
        x_title=t("scene.average.axis.first", share=f"{view.shares[0]:.0%}"),
        y_title=t("scene.average.axis.second", share=f"{view.shares[1]:.0%}"),
        scheme=scheme_now(),
    )
    caption = t(
        "scene.average.reading",
        share=f"{view.share:.0%}",
        width=states.shape[1],
        distance=f"{distance(context, own):.2f}",
        mean=f"{distance(view.centre, own):.2f}",
    )
    chart(figure, key="average_plane", alt=caption, file="regard-average", caption=caption)


def show_weights(pieces: Sequence[str], weights: Floats, own: Floats) -> None:
    """Both sets of weights as bars."""
    caption = t("scene.average.bars")
    figure = bars(
        pieces,
        [
            Series(name=t("scene.average.column.given"), x=[], y=weights.tolist()),
            Series(name=t("scene.average.column.own"), x=[], y=own.tolist()),
        ],
        x_title=t("positions.piece"), y_title=t("axis.weight"), most=1, scheme=scheme_now(),
    )  # fmt: skip
    chart(figure, key="average_weights", alt=caption, file="regard-average-weights", caption=caption)


def draw(translation: Translation) -> None:
    found = own_translation(translation)
    if found is None:
        return
    model, french, recurrent = found
    step = ask_step(french, "average_step")
    own = french.cross[0, 0, step]
    weights, context = averaged(ask_weights(french.source, own, french.source_text), recurrent.source)
    pieces = [token.label for token in french.source]
    given = models.ask(decoder_step, french, step, tuple(weights.tolist()), model=model)
    with st.container(horizontal=True):  # side by side where there is room
        with st.container(width=570):
            show_plane(pieces, weights, recurrent.source, context, recurrent.contexts[step])
        with st.container(width=520):
            show_next(given, models.ask(decoder_step, french, step, model=model))
            show_weights(pieces, weights, own)


SCENE = Scene(
    name="average",
    draw=draw,
    formulas=("mean_pooling", "softmax", "context"),
    more=(More(page="viz/pages/compare.py", title="compare.title"),),
)
