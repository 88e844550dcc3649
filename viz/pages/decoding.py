"""Decoding: how a translation is found, one piece after the other, and what would follow from another piece."""

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from model.records import Decoding, Found, Translation
from viz import models, state
from viz.analysis import playback
from viz.analysis.playback import ChosenPiece
from viz.components.player import AVERAGE, SPEEDS, Force, Look, PlayedTranslation, player
from viz.document import show
from viz.document.page import page_frame
from viz.escape import escape
from viz.i18n import message, t, words_under
from viz.state import Choice, Memory, Space
from viz.widgets.bundled import loaded
from viz.widgets.inputs import choose, option, slide, type_in
from viz.widgets.sentence import ask_sentence, explain_signs, note_translation, tell_limits

SPACE = Space("decoding", __file__)
METHODS = ("greedy", "beam", "sample", "typed")
METHOD = SPACE.choice("method", METHODS[0])
BEAM = SPACE.choice("beam", 4)
TEMPERATURE, TOP_K, SEED = SPACE.choice("temperature", 1.0), SPACE.choice("top_k", 0), SPACE.choice("seed", 0)
TYPED, TYPED_FOR = SPACE.choice("typed", ""), SPACE.memory("filled", str)
"""A whole translation, and the sentence for which the box was filled."""
CHOSEN: Choice[tuple[ChosenPiece, ...]] = SPACE.choice("choices", ())
CHOSEN_FOR = SPACE.memory("sentence", str)
STEP, LAYER, HEAD = SPACE.choice("step", 0), SPACE.choice("layer", 0), SPACE.choice("head", AVERAGE)
SPEED = SPACE.choice("speed", 1.0)
"""What the visitor looks at in the player."""
DRAWS: Memory[tuple[object, dict[int, Found]]] = SPACE.memory("draws", lambda: (None, {}))
"""What was drawn of, and what each seed led to."""
AGAIN, UNDO, OVER, PLAYER = (SPACE.key(name) for name in ("again", "undo", "over", "player"))
MOUNT: Memory[tuple[int, object, Look | None]] = SPACE.memory("mount", lambda: (0, None, None))
"""How often the player was put on the page, what it plays, and where it began."""
MOST = 1000
"""Pieces that sampling may be held to."""
DRAWN = 10
"""Draws that are listed."""


def ask_method(text: str) -> dict[str, Any]:
    """How the translation is found, as `models.explore` takes it; "typed" is no search."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        method = choose(
            METHOD, t("decoding.method"), METHODS, hint=t("decoding.method_help"),
            named=lambda name: t(f"decoding.method.{name}"),
        )  # fmt: skip
        how: dict[str, Any] = {"method": method}
        if method == "beam":
            how["beam"] = slide(BEAM, t("decoding.beam"), 2, 8, hint=t("decoding.beam_help"))
        elif method == "sample":
            how["temperature"] = slide(
                TEMPERATURE, t("decoding.temperature"), 0.1, 2.0, step=0.1, hint=t("decoding.temperature_help")
            )
            TOP_K.begin(option(range(MOST + 1)))
            how["top_k"] = st.number_input(
                t("decoding.top_k"), 0, MOST, key=TOP_K.key, width=160, help=t("decoding.top_k_help"),
                persist_state="session",
            )  # fmt: skip
            how["seed"] = SEED.begin(lambda text: int(text) if re.fullmatch("[0-9]{1,9}", text) else None)
            st.button(t("decoding.again"), key=AGAIN, on_click=lambda: SEED.set(SEED.get() + 1), type="primary")
        elif method == "typed":
            begin_for(text, TYPED.within(models.translate(text).text), TYPED_FOR)
            how["typed"] = type_in(
                TYPED.within(models.translate(text).text), t("decoding.typed"),
                placeholder=t("decoding.typed_placeholder"), typed=lambda: CHOSEN.set(()),
            )  # fmt: skip
    show.caption(t(f"decoding.says.{method}"))
    return how


def begin_for(text: str, choice: Choice[Any], of: Memory[str]) -> None:
    """What was chosen for another sentence is forgotten."""
    if of.get() != text:
        choice.set(choice.default)
    of.set(text)


def find(text: str, how: dict[str, Any], chosen: tuple[ChosenPiece, ...]) -> tuple[Translation, Decoding | None]:
    """The translation, and how it was found unless the visitor gave all of it. ValueError says what is wrong."""
    if how["method"] == "typed":
        if not chosen:
            return models.hold_to(models.translate(text), models.TRANSFORMER, how["typed"]), None
        how = {"method": "greedy"}
    decoding = models.explore(text, prefix=chosen[-1].prefix if chosen else (), **how)
    return decoding.best, decoding


def chosen_pieces(text: str) -> tuple[ChosenPiece, ...]:
    """The pieces that the visitor chose for this sentence."""
    tokenizer = models.translator().tokenizer
    begin_for(text, CHOSEN, CHOSEN_FOR)
    return CHOSEN.begin(
        lambda given: playback.read_choices(given, tokenizer.label, len(tokenizer)), playback.write_choices
    )


def tell_chosen(chosen: tuple[ChosenPiece, ...], *, typed: bool) -> None:
    """What the visitor chose, one after the other, and the way back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        chain = " → ".join(t("decoding.chosen", step=len(each.prefix), piece=escape(each.label)) for each in chosen)
        show.markdown(t("decoding.choices", chain=chain), width="content")
        st.button(t("decoding.undo"), key=UNDO, on_click=lambda: CHOSEN.set(chosen[:-1]))
        st.button(t("decoding.start_over"), key=OVER, on_click=lambda: CHOSEN.set(()))
    if typed:
        show.caption(t("decoding.not_typed"))


def draw_player(play: PlayedTranslation) -> Force | None:
    """The translation step by step. Returns the piece that the visitor has just asked for."""
    steps, (layers, heads) = len(play.predicted), play.decoder.shape[:2]
    content = tuple(play.source), tuple(play.predicted), tuple(play.forced)
    count, before, _ = MOUNT.get()
    step = STEP.within(steps - 1 if play.start is None else play.start)
    if content != before:
        step.set(step.default)
    read_speed = option(SPEEDS, short)
    now = Look(
        step=begin_number(step, range(steps)),
        layer=begin_number(LAYER.within(layers - 1), range(layers)),
        head=begin_number(HEAD, range(AVERAGE, heads)),
        speed=SPEED.begin(read_speed, short),
    )
    # Where a browser begins, not where it is: another one would send all weights again. It begins elsewhere where the
    # visitor comes from elsewhere, by a link or by Back and Forward.
    if count == 0 or state.moved() or state.arrived():
        MOUNT.set((count + 1, content, now))
    elif content != before:
        MOUNT.set((count, content, now))
    count, _, begun = MOUNT.get()
    reported = player(play, texts=words_under("player"), key=PLAYER.at(count), look=begun)
    if reported.look:
        for choice, value in zip((STEP, LAYER, HEAD), reported.look[:3], strict=True):
            choice.set(value)
        SPEED.set(reported.look.speed)
    return reported.asked


def begin_number(choice: Choice[int], numbers: Sequence[int]) -> int:
    """A step, a layer or a head, which the address counts from 1."""

    def write(number: int) -> str:
        return str(number + 1)

    read = option(numbers, write)
    return choice.begin(read, write)


def short(speed: float) -> str:
    return f"{speed:g}"


def number(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def show_hypotheses(found: list[Found]) -> None:
    """Finished translations in figures."""
    head = [t(f"decoding.column.{name}") for name in ("text", "pieces", "log", "score")]
    rows = [
        (
            playback.on_one_line(each.text) or t("decoding.nothing"),
            str(len(each.nodes)),
            number(each.log_prob),
            number(each.score),
        )
        for each in found
    ]
    show.table(head, rows)


def show_found(decoding: Decoding, of: object, how: dict[str, Any]) -> None:
    """All translations that the search finished; of sampling, what was drawn lately `of` the same."""
    found, order = list(decoding.found), "found"
    if how["method"] == "sample":
        drawn_of, before = DRAWS.get()
        drawn = (before if drawn_of == of else {}) | {how["seed"]: found[0]}
        newest = dict(sorted(drawn.items(), reverse=True)[:DRAWN])
        DRAWS.set((of, newest))
        found, order = list(newest.values()), "drawn"
    show.heading(t("decoding.found"))
    show_hypotheses(found)
    show.caption(f"{t(f'decoding.order.{order}')} {t('decoding.score')}")


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    with page_frame():
        st.caption(t("decoding.intro"))
        text = ask_sentence()
        if text is None:
            return
        chosen = chosen_pieces(text)
        try:
            how = ask_method(text)
            if chosen:
                tell_chosen(chosen, typed=how["method"] == "typed")
            translation, decoding = find(text, how, chosen)
            before = find(text, how, chosen[:-1])[0] if chosen else None
        except ValueError as error:
            st.warning(escape(message(error)))
            return
        tell_limits(translation)
        note_translation(translation)
        explain_signs(translation)
        asked = draw_player(
            playback.play(
                translation,
                models.never_predicted(),
                choices=chosen,
                before=before,
                drawn=playback.tree(decoding, how["beam"]) if decoding and how["method"] == "beam" else None,
            )
        )
        if asked:
            CHOSEN.set(playback.chosen(chosen, translation, asked.step, asked.id))
            st.rerun()
        if decoding:
            show_found(decoding, (text, chosen, how.get("temperature"), how.get("top_k")), how)
        show.caption(
            t(
                "decoding.made_by",
                name=translation.checkpoint.name,
                fingerprint=translation.checkpoint.fingerprint,
                log_prob=number(translation.log_prob),
                mean=f"{translation.mean_probability:.1%}",
            )
        )
    models.freeze_garbage("decoding")


if __name__ == "__main__":
    page()
