"""The same word in several sentences: how alike the encoder's states of it are, and which French becomes of it."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.experiments.causal_encoder import encoder_states
from model.experiments.position_encoding import embedded
from model.records import Floats, Translation
from viz import models
from viz.analysis.alignment import Pick, alignment
from viz.analysis.heads import aligned, in_both, levels, other_words, same_word, words
from viz.document import show
from viz.document.blocks import Text
from viz.document.page import scheme_now
from viz.escape import escape
from viz.examples import SAME_WORD
from viz.figures import Series, lines
from viz.i18n import message, t
from viz.state import Space
from viz.widgets.inputs import choose, type_in

SPACE = Space("same_word", __file__, page="lessons")
BOXES = ("first", "second", "third")
SENTENCES = tuple(SPACE.choice(box, start) for box, start in zip(BOXES, next(iter(SAME_WORD.values())), strict=True))
WORD = SPACE.choice("word", "")
FILL, SIMILARITY = SPACE.key("fill"), SPACE.key("similarity")


def fill(sentences: tuple[str, ...]) -> None:
    for choice, sentence in zip(SENTENCES, sentences, strict=True):
        choice.set(sentence)


def ask(columns: Sequence[DeltaGenerator]) -> list[Translation] | None:
    """The three sentences, each with its translation in a column; None, and why, if one cannot be translated."""
    found = []
    for column, box, choice in zip(columns, BOXES, SENTENCES, strict=True):
        with column:
            text = type_in(choice, t(f"scene.heads.box.{box}"))
            show.only_saved(Text(text=f"**{t(f'scene.heads.box.{box}')}:** {escape(text)}"))
            try:
                translation = models.translate(text)
            except ValueError as error:
                show.notice(escape(message(error)), "warning")
                continue
            show.plain(f"\u2192 {translation.text or t('strip.nothing')}")
            found.append(translation)
    return found if len(found) == len(BOXES) else None


def level_states(translation: Translation) -> Floats:
    return levels(models.ask(embedded, translation.source).pieces, models.ask(encoder_states, translation.source))


def draw() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("scene.heads.sets"), width="content")
        for word, sentences in SAME_WORD.items():
            st.button(word, key=FILL.at(word), on_click=fill, args=(sentences,))
    columns = st.columns(3)
    translations = ask(columns)
    if translations is None:
        return
    first, second, third = translations
    common = in_both(first, second)
    if not common:
        show.notice(t("scene.heads.nothing_common"))
        return
    word = choose(WORD.within(max(common, key=len)), t("scene.heads.word"), common, named=escape)
    compared = [first, second, third] if word in in_both(first, third) else [first, second]
    if third not in compared:
        show.caption(t("scene.heads.not_third", word=escape(word)))
    tell_french(compared, word, columns)
    draw_similarity(compared, word)


def tell_french(compared: Sequence[Translation], word: str, columns: Sequence[DeltaGenerator]) -> None:
    """Under each translation the word that the best head aligns with the chosen one."""
    rates, pick = models.recorded_rates(models.TRANSFORMER), Pick(view="predicted")
    if rates:
        view, layer, head = rates.best
        pick = Pick(view=view, layer=layer, head=head)
    found = []
    for translation, column in zip(compared, columns, strict=False):
        view_of = alignment(translation, pick, words=True, specials=False)
        if said := aligned(view_of, words(translation)[word].places):
            french, weight = said
            found.append(french)
            with column:
                show.markdown(t("scene.heads.french", word=escape(word), french=escape(french), weight=f"{weight:.0%}"))
    if len(found) == len(compared):
        if found[0].casefold() == found[1].casefold():
            show.markdown(t("scene.heads.same_french", word=escape(word), french=escape(found[0])))
        else:
            show.markdown(
                t("scene.heads.other_french", word=escape(word), one=escape(found[0]), other=escape(found[1]))
            )
    if rates:
        show.caption(t("scene.heads.by_best", layer=layer + 1, head=head + 1, rate=f"{rates.lowest:.0%}"))
    else:
        show.caption(t("scene.heads.by_all"))


def draw_similarity(compared: list[Translation], word: str) -> None:
    """Cosine of the word's states, from its embedding to the last layer."""
    places = [words(each)[word].places for each in compared]
    found = [level_states(each) for each in compared]
    rounds = list(range(len(found[0])))
    curves = {
        name: same_word(found[0], places[0], states, place)
        for name, states, place in zip(("second", "third"), found[1:], places[1:], strict=False)
    }
    background = other_words(found[0], places[0], len(compared[0].source) - 1)
    series = [Series(name=t(f"scene.heads.line.{name}"), x=rounds, y=curve.tolist()) for name, curve in curves.items()]
    if background is not None:
        series.append(Series(name=t("scene.heads.line.background"), x=rounds, y=background.tolist()))
    figure = lines(
        series, x_title=t("scene.heads.level"), y_title=t("scene.heads.cosine"), scheme=scheme_now(), from_zero=True
    )
    names = [t("scene.heads.level.embedding"), t("scene.heads.level.position")]
    names += [t("scene.heads.level.layer", layer=layer) for layer in rounds[1:-1]]
    figure.update_xaxes(tickvals=rounds, ticktext=names)
    moved = len({each[0] for each in places}) > 1
    said = t(
        "scene.heads.similarity", word=escape(word), position=f"{curves['second'][1]:.3f}",
        last=f"{curves['second'][-1]:.3f}",
    )  # fmt: skip
    if "third" in curves:
        said += " " + t("scene.heads.similarity_third", last=f"{curves['third'][-1]:.3f}")
    place = "moved" if moved else "same"
    show.markdown(f"{said} {t(f'scene.heads.place.{place}')}")
    reading = t("scene.heads.similarity_reading")
    show.chart(figure, key=SIMILARITY, alt=reading, file="regard-same-word", caption=reading)
