"""Encoder, context vector, decoder: states and their summary in a model without attention, and its steps."""

import numpy as np
import streamlit as st

from model.records import Floats, Translation
from viz import models
from viz.analysis.candidates import candidates
from viz.analysis.vectors import averaged, least_alike, likeness, two_ways
from viz.analysis.worksheet import largest
from viz.components.matrix_sheet import Axis, Matrix, matrix_sheet
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures import Series, bars, lines
from viz.i18n import t, words_under
from viz.lessons.more import on_compare
from viz.lessons.rnn import alike, tell_own
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets import worksheet
from viz.widgets.inputs import choose, choose_piece
from viz.widgets.worksheet_steps import strip

SUMMARIES = ("last", "mean")
SPACE = Space("seq2seq", __file__, page="lessons")
SUMMARY, STEP = SPACE.choice("summary", SUMMARIES[0]), SPACE.choice("step", 0)
STATES, LIKENESS, VECTORS, NEXT = (SPACE.key(name) for name in ("states", "likeness", "vectors", "next"))


def show_states(pieces: tuple[str, ...], states: Floats, across: Axis, summaries: dict[str, Floats]) -> None:
    """The encoder's states in both directions, with the rows that become c marked, and what is made of them."""
    texts, last = words_under("sheet"), {"seq2seq_left": len(pieces) - 1, "seq2seq_right": 0}
    for column, name, title, values in zip(
        st.columns(2), ("left", "right"), ("→h_i", "←h_i"), two_ways(states), strict=True
    ):
        rows = Axis(names=(f"seq2seq_{name}",), word=t("positions.piece"), count=len(pieces), labels=pieces)
        numbers = Axis(names=(f"seq2seq_half_{name}",), word=t("worksheet.axis.model"), count=values.shape[1])
        half = Matrix(title=title, rows=rows, columns=numbers, values=values, limit=largest(states))
        with column:
            matrix_sheet([half], sheet=SPACE.name, texts=texts, chosen=last, key=STATES.at(name))
    names = [t(f"scene.seq2seq.short.{name}") for name in SUMMARIES]
    vectors = np.stack([summaries[name] for name in SUMMARIES])
    both = strip("", names, across, vectors, largest(states))
    matrix_sheet([both], sheet=SPACE.name, texts=texts, key=STATES.at("summaries"))
    show.caption(t("scene.seq2seq.states", count=len(pieces), width=states.shape[1], half=half.columns.count))


def show_likeness(pieces: tuple[str, ...], states: Floats, summary: Floats, which: str) -> None:
    """How much each state points where the summary does, for both directions."""
    found = [likeness(*half) for half in zip(two_ways(states), two_ways(summary), strict=True)]
    figure = lines(
        [
            Series(name=name, x=range(len(pieces)), y=values.tolist())
            for name, values in zip(("→h", "←h"), found, strict=True)
        ],
        x_title=t("positions.piece"), y_title=t("scene.seq2seq.cosine"), x_ticks=dict(enumerate(pieces)),
        scheme=scheme_now(),
    )  # fmt: skip
    place = least_alike(*found)
    caption = t(
        f"scene.seq2seq.reading.{which}",
        first=number(found[0][0]),
        end=number(found[1][-1]),
        piece=escape(pieces[place]),
        left=number(found[0][place]),
        right=number(found[1][place]),
    )
    show.chart(figure, key=LIKENESS, alt=caption, file="regard-seq2seq", caption=caption)


def number(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def show_step(own: Translation, across: Axis, step: int) -> None:
    """What the decoder has at a step, and what it makes of it."""
    assert own.recurrent is not None
    options = candidates(own)[step]
    show.markdown(
        t(
            "scene.seq2seq.step",
            read=escape(own.decoder_input[step].label),
            piece=escape(own.target[step].label),
            share=f"{next(each.probability for each in options if each.taken):.0%}",
        )
    )
    vectors = np.stack((own.recurrent.contexts[step], own.recurrent.states[step]))
    limit = largest(own.recurrent.contexts, own.recurrent.states)
    worksheet.draw([strip("", ("c", "sₜ"), across, vectors, limit)], sheet=SPACE.name, key=VECTORS)
    figure = bars(
        [each.label for each in options],
        [Series(name=t("scene.steps.share"), x=[], y=[each.probability for each in options])],
        x_title=t("scene.steps.options"), y_title=t("scene.steps.share"), most=1, scheme=scheme_now(),
    )  # fmt: skip
    caption = t("scene.seq2seq.next")
    show.chart(figure, key=NEXT, alt=caption, file="regard-seq2seq-next", caption=caption)


def draw(translation: Translation) -> None:
    names = alike()
    if names is None:
        return
    worksheet.begin(SPACE.name)
    own = models.translate(translation.source_text, model=names[0])
    assert own.recurrent is not None
    tell_own(names[0], own)
    states = own.recurrent.source
    pieces = tuple(token.label for token in own.source)
    across = Axis(names=("seq2seq_width",), word=t("worksheet.axis.model"), count=states.shape[1])
    summaries = {"last": own.recurrent.contexts[0], "mean": averaged([1] * len(pieces), states)[1]}
    show_states(pieces, states, across, summaries)
    encoder, decoder = st.columns(2, gap="large")
    with encoder:
        which = choose(SUMMARY, t("scene.seq2seq.summary"), SUMMARIES, named=lambda name: t(f"scene.seq2seq.q.{name}"))
        show_likeness(pieces, states, summaries[which], which)
    with decoder:
        step = choose_piece(STEP, t("lessons.step"), tuple(token.label for token in own.target))
        show_step(own, across, step)


SCENE = Scene(
    name="seq2seq",
    draw=draw,
    formulas=("encoder_state", "summary", "mean_pooling", "decoder_step"),
    more=(on_compare(),),
)
