"""Decoding: how a translation is found, one piece after the other, and what would follow from another piece."""

import re
from typing import Any

import streamlit as st

from model.records import Decoding, Found, Translation
from viz import models, session
from viz.analysis import playback
from viz.analysis.playback import Choice
from viz.components.player import player
from viz.escape import escape, table
from viz.examples import EXAMPLES
from viz.i18n import message, t, words_under
from viz.widgets.parts import ask_sentence, choose, linked_page, loaded, note_translation, slide, tell_limits

METHODS = ("greedy", "beam", "sample", "typed")
MOST = 1000
"""Pieces that sampling may be held to."""


def ask_method(text: str) -> dict[str, Any]:
    """How the translation is found, as `models.explore` takes it; "typed" is no search."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        method = choose(
            t("decoding.method"), METHODS, key="decoding_method", default="greedy", hint=t("decoding.method_help"),
            named=lambda name: t(f"decoding.method.{name}"),
        )  # fmt: skip
        how: dict[str, Any] = {"method": method}
        if method == "beam":
            how["beam"] = slide(t("decoding.beam"), 2, 8, key="decoding_beam", default=4, hint=t("decoding.beam_help"))
        elif method == "sample":
            how["temperature"] = slide(
                t("decoding.temperature"), 0.1, 2.0, step=0.1, key="decoding_temperature", default=1.0,
                hint=t("decoding.temperature_help"),
            )  # fmt: skip
            session.linked("decoding_top_k", 0, {str(number): number for number in range(MOST + 1)}.get)
            how["top_k"] = st.number_input(
                t("decoding.top_k"), 0, MOST, key="decoding_top_k", width=160, help=t("decoding.top_k_help"),
                persist_state="session",
            )  # fmt: skip
            session.linked(session.SEED, 0, lambda text: int(text) if re.fullmatch("[0-9]{1,9}", text) else None)
            how["seed"] = session.kept(session.SEED, 0)
            st.button(t("decoding.again"), on_click=session.draw_again, type="primary")
        elif method == "typed":
            session.start_typed(text, models.translate(text).text)
            st.text_input(
                t("decoding.typed"), key=session.TYPED, placeholder=t("decoding.typed_placeholder"),
                persist_state="session",
            )  # fmt: skip
    st.caption(t(f"decoding.says.{method}"))
    return how


def find(text: str, how: dict[str, Any], choices: tuple[Choice, ...]) -> tuple[Translation, Decoding | None]:
    """The translation, and how it was found unless the visitor gave all of it. ValueError says what is wrong."""
    if how["method"] == "typed":
        if not choices:
            return models.hold_to(models.translate(text), models.TRANSFORMER, session.typed()), None
        how = {"method": "greedy"}
    decoding = models.explore(text, prefix=choices[-1].prefix if choices else (), **how)
    return decoding.best, decoding


def choices_of(text: str) -> tuple[Choice, ...]:
    """The pieces that the visitor chose for this sentence."""
    tokenizer = models.translator().tokenizer

    def read(given: str) -> tuple[Choice, ...] | None:
        return playback.read_choices(given, tokenizer.label, len(tokenizer))

    return read(session.choices(text, lambda given: given if read(given) else None)) or ()


def keep(choices: tuple[Choice, ...]) -> None:
    session.keep(session.CHOICES, playback.write_choices(choices))


def tell_choices(choices: tuple[Choice, ...]) -> None:
    """What the visitor chose, one after the other, and the way back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        chain = " → ".join(t("decoding.chosen", step=len(each.prefix), piece=escape(each.label)) for each in choices)
        st.markdown(t("decoding.choices", chain=chain), width="content")
        if st.button(t("decoding.undo")):
            keep(choices[:-1])
            st.rerun()
        if st.button(t("decoding.start_over")):
            keep(())
            st.rerun()


def number(value: float) -> str:
    return f"{value:.2f}".replace("-", "\u2212")


def hypotheses(found: list[Found]) -> str:
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
    return table(head, rows)


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    with linked_page():
        st.caption(t("decoding.intro"))
        text = ask_sentence(EXAMPLES)
        if text is None:
            return
        choices = choices_of(text)
        try:
            how = ask_method(text)
            if choices:
                tell_choices(choices)
            translation, decoding = find(text, how, choices)
            before = find(text, how, choices[:-1])[0] if choices else None
        except ValueError as error:
            st.warning(escape(message(error)))
            return
        tell_limits(translation)
        note_translation(translation)
        asked = player(
            playback.play(
                translation,
                models.never_predicted(),
                choices=choices,
                before=before,
                drawn=playback.tree(decoding, how["beam"]) if decoding and how["method"] == "beam" else None,
            ),
            texts=words_under("player"),
            key="player",
        )
        if asked:
            keep(playback.chosen(choices, translation, asked.step, asked.id))
            st.rerun()
        if decoding:
            found, order = list(decoding.found), "found"
            if how["method"] == "sample":
                of = (text, choices, how["temperature"], how["top_k"])
                found, order = session.draws(of, how["seed"], found[0]), "drawn"
            st.subheader(t("decoding.found"), anchor=False)
            st.markdown(hypotheses(found))
            st.caption(f"{t(f'decoding.order.{order}')} {t('decoding.score')}")
        st.caption(
            t(
                "decoding.made_by",
                name=translation.checkpoint.name,
                fingerprint=translation.checkpoint.fingerprint,
                log_prob=number(translation.log_prob),
                mean=f"{translation.mean_probability:.1%}",
            )
        )
    models.settle("decoding")


page()
