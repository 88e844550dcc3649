"""The sentence box, and what a reader must know of the translation of what stands in it."""

from collections.abc import Callable, Sequence

import streamlit as st

from model.records import Translation
from model.tokenizer import SIGNS, signs_in
from viz import models
from viz.document import show
from viz.document.blocks import Text
from viz.escape import escape
from viz.examples import EXAMPLES
from viz.i18n import message, t
from viz.state import SENTENCE, Memory, Space
from viz.widgets.inputs import type_in

SPACE = Space("sentence", __file__, page="")
EXAMPLE: Memory[str | None] = SPACE.memory("example", lambda: None)
SIGN_NAMES = dict(zip(SIGNS, ("space", "continued", "numbered", "nothing"), strict=True))


def take_example() -> None:
    """Put the chosen example into the sentence box (a callback: it runs before the page does)."""
    if example := EXAMPLE.get():
        SENTENCE.set(example)
        EXAMPLE.set(None)


def ask_sentence(examples: Sequence[str] = EXAMPLES, taken: Callable[[], None] = take_example) -> str | None:
    """The sentence box and a list of examples; None, and a word of advice, while there is nothing in it. `taken` is
    called when an example has been chosen."""
    row, below = st.container(horizontal=True, vertical_alignment="bottom"), st.container()
    with row:
        text = type_in(
            SENTENCE.within(examples[0]), t("translate.sentence"), placeholder=t("translate.placeholder"), below=below
        )
        st.selectbox(
            t("translate.examples"), examples, key=EXAMPLE.key, index=None, width=400,
            placeholder=t("translate.choose"), on_change=taken,
        )  # fmt: skip
    if not text.strip():
        st.info(t("translate.empty"))
        return None
    return text


def ask_translation(examples: Sequence[str] = EXAMPLES) -> Translation | None:
    """The sentence box, and what the Transformer makes of it; None, and a word about why, if it makes nothing."""
    text = ask_sentence(examples)
    if text is None:
        return None
    try:
        translation = models.translate(text)
    except ValueError as error:
        st.warning(escape(message(error)))
        return None
    tell_limits(translation)
    note_translation(translation)
    explain_signs(translation)
    return translation


def read_sentence() -> None:
    """For a page without the box: the sentence stays in its address all the same."""
    SENTENCE.within(EXAMPLES[0]).begin(str)


def tell_limits(translation: Translation, model: str = models.TRANSFORMER) -> None:
    """What of the sentence was left out or cannot be understood, and what else the model has to say."""
    with st.container():  # one place, whatever is in it: what moves on the page is drawn anew
        for note in translation.notes:
            st.info(escape(message(note)))
        if translation.unknown_characters:
            show.caption(t("parts.unknown", count=translation.unknown_characters))
        if translation.left_out:
            st.warning(
                t(
                    "translate.left_out",
                    total=translation.typed_pieces,
                    limit=models.translator(model).config.max_length - 1,
                    left_out=translation.left_out,
                )
            )
            with st.container(height=120):
                st.text(translation.source_text[translation.left_out_from :])


def note_translation(translation: Translation) -> None:
    """What was translated into what, and by which checkpoint, for whoever saves the page."""
    made_by = translation.checkpoint
    whose = t("saved.given") if translation.forced else t("saved.found")
    show.only_saved(Text(text=f"**{t('saved.sentence')}** {escape(translation.source_text)}"), "sentence")
    if translation.left_out:
        total, read = translation.typed_pieces, translation.typed_pieces - translation.left_out
        show.only_saved(Text(text=t("saved.left_out", total=total, read=read), quiet=True), "left out")
    show.only_saved(Text(text=f"**{whose}** {escape(translation.text or t('strip.nothing'))}"))
    made = t("saved.made_by", name=escape(made_by.name), fingerprint=escape(made_by.fingerprint))
    show.only_saved(Text(text=made, quiet=True))


def explain_signs(*translations: Translation) -> None:
    """What the signs mean that nobody typed and the pieces' labels have, as far as they occur."""
    texts = [tokens for each in translations for tokens in (each.source, each.target)]
    found = {sign for tokens in texts for sign in signs_in(tokens)}
    with st.container():  # as above
        if found:
            show.caption(" ".join(t(f"sign.{name}", sign=sign) for sign, name in SIGN_NAMES.items() if sign in found))
