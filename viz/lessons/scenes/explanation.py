"""Is attention an explanation? The weight of each source word against what happens without it, and the gradient."""

import math

import streamlit as st

from model.experiments.attribution import step_gradients, word_drops
from model.records import Translation
from viz import models
from viz.analysis.alignment import Pick, picked
from viz.analysis.correlation import MODERATE, PAIRS, STRONG, WITNESSES, Witnesses, by_chance, strength, witnesses
from viz.analysis.words import left_out_weight
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures.stacked import Bars, stacked
from viz.i18n import message, t
from viz.lessons.more import on_compare, on_translate
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets.inputs import choose, choose_piece
from viz.widgets.model_names import model_name

FEWEST = 3
"""Words for which an order says anything."""
AT_ONCE = 20
"""Target pieces for which nobody needs to be told how far the work is."""
SPACE = Space("explanation", __file__, page="lessons")
MODEL = SPACE.choice("model", models.TRANSFORMER)
LAYER, STEP = SPACE.choice("layer", 0), SPACE.choice("step", 0)
BARS = SPACE.key("bars")


def ask_model() -> str:
    """The Transformer, or the first recurrent model that has attention."""
    recurrent = [name for name in models.recurrent() if models.attends(name)]
    return choose(MODEL, t("scene.explanation.model"), (models.TRANSFORMER, *recurrent[:1]), named=model_name)


def ask_weights() -> Pick:
    """Which of the Transformer's weights: the average of a layer's heads, or of all."""
    layers = models.sizes().decoder_layers
    layer = choose(
        LAYER, t("scene.explanation.weights"), (0, *range(1, layers + 1)),
        named=lambda number: t("scene.explanation.layer", layer=number) if number else t("scene.explanation.all"),
    )  # fmt: skip
    return Pick(view="predicted", layer=layer - 1 if layer else None)


def ask_witnesses(forced: Translation, model: str, pick: Pick) -> Witnesses:
    """All three, with a bar while the gradients of a long sentence take their time."""
    place = st.empty()

    def progress(share: float) -> None:
        if len(forced.target) > AT_ONCE:
            place.progress(share, t("scene.explanation.working"))

    gradients = models.ask(step_gradients, forced, model=model, progress=progress)
    place.empty()
    return witnesses(forced, picked(forced.cross, pick), models.ask(word_drops, forced, model=model), gradients)


def show_bars(found: Witnesses, step: int, forced: Translation) -> None:
    """The three answers for one target piece, word under word; the number on a bar is its rank."""
    panels = [
        Bars(
            title=t(f"scene.explanation.witness.{name}"),
            values=found.values[name][step].tolist(),
            notes=[str(place) for place in found.places(name, step)],
        )
        for name in WITNESSES
    ]
    hidden = left_out_weight(found.values["attention"][step])
    piece = forced.target[step].label
    alt, caption = (
        t("scene.explanation.reading", piece=each, hidden=f"{hidden:.0%}") for each in (piece, escape(piece))
    )
    show.chart(
        stacked(found.words.labels, panels, x_title=t("scene.explanation.word"), scheme=scheme_now()),
        key=BARS, alt=alt, file="regard-explanation", caption=caption,
    )  # fmt: skip


def show_agreement(found: Witnesses, step: int) -> None:
    """Rank correlations of each two, of this piece and on average."""

    def number(rho: float) -> str:
        return "\u2013" if math.isnan(rho) else f"{round(rho, 2) + 0.0:.2f}".replace("-", "\u2212")

    head = [t(f"scene.explanation.column.{name}") for name in ("pair", "piece", "mean", "words")]
    rows = []
    for pair in PAIRS:
        mean = found.mean(pair)
        rows.append(
            (
                t(f"scene.explanation.pair.{pair[0]}.{pair[1]}"),
                number(float(found.agreement[pair][step])),
                number(mean),
                t(f"scene.explanation.strength.{strength(mean)}"),
            )
        )
    show.table(head, rows)
    words = len(found.words.groups)
    show.caption(
        t(
            "scene.explanation.agreement",
            words=words,
            pieces=len(found.values["attention"]),
            chance=f"{by_chance(words):.2f}",
            moderate=MODERATE,
            strong=STRONG,
        )
    )


def draw(translation: Translation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = ask_model()
        pick = ask_weights() if model == models.TRANSFORMER else Pick(view="predicted")
    try:
        forced = translation if model == models.TRANSFORMER else models.hold_to(translation, model)
    except ValueError as error:  # as one of another vocabulary, when there is no French
        show.notice(escape(message(error)), "warning")
        return
    found = ask_witnesses(forced, model, pick)
    if len(found.words.groups) < FEWEST:
        show.notice(t("scene.explanation.few", fewest=FEWEST))
        return
    pieces = tuple(token.label for token in forced.target)
    step = choose_piece(STEP.within(int(forced.log_probs.argmin())), t("lessons.step"), pieces)
    show_bars(found, step, forced)
    show_agreement(found, step)
    against, other = st.columns(2, gap="large")
    with against:
        show.markdown(t("scene.explanation.against"))
    with other:
        show.markdown(t("scene.explanation.for"))


SCENE = Scene(
    name="explanation",
    draw=draw,
    formulas=("spearman",),
    more=(on_compare("distance"), on_translate()),
)
