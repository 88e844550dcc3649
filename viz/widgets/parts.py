"""What several pages begin with: the sentence box, and what a reader must know of a translation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.records import Translation
from viz import models, session
from viz.document import show
from viz.document.page import fragment as fragment
from viz.document.page import page_frame
from viz.document.page import scheme_now as scheme_now
from viz.escape import escape
from viz.i18n import message, t
from viz.saved import Text
from viz.state import Key

P = ParamSpec("P")
T = TypeVar("T")
N = TypeVar("N", int, float)


def loaded(read: Callable[[], T]) -> T | None:
    """What `read` makes of the bundled files; None, and a sentence that says what to do, if they are not right."""
    try:
        return read()
    except ValueError as error:
        st.error(t("parts.no_model", reason=escape(message(error))))
        return None


def choose(
    label: str,
    options: Sequence[T],
    *,
    key: str,
    default: T,
    named: Callable[[T], str] = str,
    hint: str | None = None,
    labelled: bool = True,
) -> T:
    """One of a few, all of them to be seen; the choice is kept and is in the address."""
    session.linked(key, default, lambda text: next((each for each in options if str(each) == text), None))
    session.valid(key, options, default)
    chosen = st.segmented_control(
        label, options, key=key, required=True, format_func=named, help=hint,
        label_visibility="visible" if labelled else "collapsed", persist_state="session",
    )  # fmt: skip
    return default if chosen is None else chosen


def switch(label: str, *, key: str, default: bool = False, hint: str | None = None, disabled: bool = False) -> bool:
    """On or off, kept and in the address."""
    session.linked(key, default, {"True": True, "False": False}.get)
    return st.toggle(label, key=key, help=hint, disabled=disabled, persist_state="session")


def slide(
    label: str,
    low: N,
    high: N,
    *,
    key: str,
    default: N,
    step: N | None = None,
    hint: str | None = None,
    width: int = 260,
) -> N:
    """A number, kept and in the address."""

    def read(text: str) -> N | None:
        try:
            number = type(low)(text)
        except ValueError:
            return None
        return number if low <= number <= high else None

    session.linked(key, default, read)
    return st.slider(label, low, high, step=step, key=key, help=hint, width=width, persist_state="session")


def choose_piece(word: str, pieces: tuple[str, ...], key: str, start: int) -> int:
    """One of the pieces; other pieces begin with `start` again. Numbers keep equal pieces apart."""
    places = range(len(pieces))
    if session.kept(f"{key}_of", pieces) != pieces:
        session.keep(key, start)
    session.keep(f"{key}_of", pieces)
    session.linked(key, start, lambda text: next((place for place in places if str(place) == text), None))
    session.valid(key, places, start)
    if len(pieces) > 1:  # a slider needs two ends

        def named(place: int) -> str:
            return f"{place + 1}\u2002{pieces[place]}"

        # Other pieces make another slider: a browser would look for the old piece among the new ones.
        chosen = st.select_slider(
            word, places, session.kept(key, start), key=f"{key}_{hash(pieces)}", format_func=named
        )
        session.keep(key, chosen)
    return session.kept(key, start)


def open_tab(titles: Mapping[str, str], *, key: str) -> tuple[str, DeltaGenerator]:
    """Tabs of which only the open one is drawn: its name, and where to draw. The first is open at first; the address
    says which one is."""
    first = next(iter(titles))
    session.linked(key, first, lambda text: text if text in titles else None)
    if session.kept(f"{key}_tab", None) not in titles.values():
        # Not by `default`: tabs with another one are other tabs, whose state begins anew.
        session.keep(f"{key}_tab", titles[session.kept(key, first)])
    tabs = st.tabs(list(titles.values()), key=f"{key}_tab", on_change="rerun")
    name, tab = next((each for each in zip(titles, tabs, strict=True) if each[1].open), (first, tabs[0]))
    session.keep(key, name)
    return name, tab


linked_page = page_frame


def note_translation(translation: Translation) -> None:
    """What was translated into what, and by which checkpoint, for whoever saves the page."""
    record, made_by = session.record(), translation.checkpoint
    whose = t("saved.given") if translation.forced else t("saved.found")
    record.note("sentence", Text(text=f"**{t('saved.sentence')}** {escape(translation.source_text)}"))
    if translation.left_out:
        total, read = translation.typed_pieces, translation.typed_pieces - translation.left_out
        record.note("left_out", Text(text=t("saved.left_out", total=total, read=read), quiet=True))
    record.note(f"french_{made_by.name}", Text(text=f"**{whose}** {escape(translation.text or t('strip.nothing'))}"))
    record.note(
        f"made_by_{made_by.name}",
        Text(text=t("saved.made_by", name=escape(made_by.name), fingerprint=escape(made_by.fingerprint)), quiet=True),
    )


def ask_sentence(examples: Sequence[str], taken: Callable[[], None] = session.take_example) -> str | None:
    """The sentence box and a list of examples; None, and a word of advice, while there is nothing in it."""
    session.linked(session.SENTENCE, examples[0], str)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            t("translate.sentence"), key=session.SENTENCE, placeholder=t("translate.placeholder"),
            persist_state="session",
        )  # fmt: skip
        st.selectbox(
            t("translate.examples"), examples, key=session.EXAMPLE, index=None, width=400,
            placeholder=t("translate.choose"), on_change=taken,
        )  # fmt: skip
    if text is None or not text.strip():
        st.info(t("translate.empty"))
        return None
    return text


def ask_translation(examples: Sequence[str]) -> Translation | None:
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
    return translation


def tell_limits(translation: Translation, model: str = models.TRANSFORMER) -> None:
    """What of the sentence was left out, and what else the model has to say."""
    for note in translation.notes:
        st.info(escape(message(note)))
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


def chart(figure: go.Figure, *, key: str, **options: Any) -> None:
    show.chart(figure, key=Key(key), **options)


def show_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, key: str) -> None:
    show.table(head, rows)


def finished(name: str, doing: str) -> Any:
    """What long work has brought, once; while it is going on, how far it is, and None. It can be stopped."""
    job = session.job(name)
    if job is None:
        return None
    if job.running:
        _watch(name, doing)
        return None
    session.forget(name)
    if job.error:
        st.error(escape(str(job.error)))
    return job.result


@st.fragment(run_every=0.5)
def _watch(name: str, doing: str) -> None:
    job = session.job(name)
    if job is None or not job.running:
        st.rerun()
    job.seen()
    st.progress(job.share, doing)
    st.button(t("parts.stop"), key=f"stop-{name}", on_click=job.stop)
