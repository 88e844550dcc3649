"""Attention is a weighted average: the weights as sliders, the context among the encoder's states, the next piece."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.rnn_step import decoder_step
from model.records import DecoderStep, Floats, Token, Translation
from viz import models
from viz.analysis.candidates import probable
from viz.analysis.vectors import amounts, averaged, distance, hull, plane
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures import Series, bars
from viz.figures.plane import Mark, average
from viz.i18n import t
from viz.lessons.more import on_compare
from viz.lessons.rnn import ask_step, own_translation
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets.inputs import choose, option, slide

MOST, EQUAL = 100, 50
"""Where a slider ends, and where all of them begin."""
AT_ONCE = 16
"""Sliders in sight: of a longer sentence one group after the other."""
SPACE = Space("average", __file__, page="lessons")
STEP, GROUP = SPACE.choice("step", 0), SPACE.choice("group", 0)
WEIGHT = SPACE.choice("weight", EQUAL)
"""A slider for each source piece."""
SENTENCE = SPACE.memory("sentence", str)
"""For which the sliders are set; "" is whichever comes first."""
MEAN, OWN, ONLY, PLANE, WEIGHTS = (SPACE.key(name) for name in ("mean", "own", "only", "plane", "weights"))


def put(values: Sequence[int]) -> None:
    """Move the sliders."""
    for place, value in enumerate(values):
        WEIGHT.at(place).set(value)


def ask_weights(source: Sequence[Token], own: Floats, text: str) -> list[int]:
    """Where the sliders are, one for each source piece. Another sentence begins with mean pooling again."""
    count = len(source)
    names = [f"{place + 1}\u2002{escape(token.label)}" for place, token in enumerate(source)]
    if SENTENCE.get() not in ("", text):
        put([EQUAL] * count)
    SENTENCE.set(text)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(t("scene.average.mean"), key=MEAN, on_click=put, args=([EQUAL] * count,))
        st.button(t("scene.average.own"), key=OWN, on_click=put, args=(amounts(own, MOST),))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(t("scene.average.only"), width="content")
        for place, name in enumerate(names):
            st.button(
                name, key=ONLY.at(place), type="tertiary", on_click=put,
                args=([MOST * (other == place) for other in range(count)],),
            )  # fmt: skip
    show.caption(t("scene.average.sliders"))
    groups, group = [range(count)[start : start + AT_ONCE] for start in range(0, count, AT_ONCE)], 0
    if len(groups) > 1:
        group = choose(
            GROUP, t("scene.average.group"), range(len(groups)),
            named=lambda at: f"{groups[at][0] + 1}\u2013{groups[at][-1] + 1}",
        )  # fmt: skip
    with st.container(horizontal=True):
        return [
            slide(WEIGHT.at(place), name, 0, MOST, width=120)
            if place in groups[group]
            else WEIGHT.at(place).begin(option(range(MOST + 1)))
            for place, name in enumerate(names)
        ]


def show_next(given: DecoderStep, own: DecoderStep) -> None:
    """What the decoder would write with either context."""
    found = [probable(step) for step in (given, own)]
    (piece, share), (usual, before) = found[0][0], found[1][0]
    show.markdown(
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
    show.table(head, [(str(rank), *line) for rank, line in enumerate(lines, start=1)])


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
    show.chart(figure, key=PLANE, alt=caption, file="regard-average", caption=caption)


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
    show.chart(figure, key=WEIGHTS, alt=caption, file="regard-average-weights", caption=caption)


def draw(translation: Translation) -> None:
    found = own_translation(translation)
    if found is None:
        return
    model, french, recurrent = found
    step = ask_step(STEP, french)
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
    more=(on_compare(),),
)
