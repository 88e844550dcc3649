"""Around a page's content: its address, its record, and the button that saves it."""

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz import state
from viz.components.stage import stage
from viz.document.file import document
from viz.document.show import record
from viz.escape import escape
from viz.i18n import t
from viz.theme import Scheme

P = ParamSpec("P")

SPACE = state.Space("save", __file__, page="")
SAVE, STAGE = SPACE.key("page"), SPACE.key("stage")


@contextmanager
def page_frame(turning: Mapping[str, str] | None = None) -> Iterator[None]:
    """The address says what is chosen in the page, and what it asked for in vain is said on top. At the end the page
    can be saved, if it has pictures. In front of a room it is shown build by build; `turning` has the classes of the
    buttons that turn to the "next" and the "previous" scene."""
    top, noted = st.container(), record()
    noted.clear()
    state.begin_page()
    yield
    if state.presenting():
        _on_stage(turning or {})
    elif noted.has_pictures():
        _save_button()
    if bad := state.bad_links():
        top.warning(t("parts.bad_link", what=escape(", ".join(each[:60] for each in bad[:5]))))
    state.write_address()


def fragment(draw: Callable[P, None], *, run_every: float | None = None) -> Callable[P, None]:
    """A part of a page that can be drawn again alone, by itself every so many seconds; what it shows then takes the
    place of what it showed before, and the address follows."""

    @st.fragment(run_every=run_every)
    @functools.wraps(draw)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        own = getattr(get_script_run_ctx(suppress_warning=True), "current_fragment_id", None)
        with record().part(own or f"{draw.__module__}.{draw.__qualname__}") as alone:
            draw(*args, **kwargs)
        if alone:
            state.write_address()

    return run


@fragment
def _on_stage(turning: Mapping[str, str]) -> None:
    begun = state.begin_build()
    scene = state.scene()
    state.BUILD.set(stage(scene, begun, turning, key=STAGE.at(scene)))


def _save_button() -> None:
    """The file is made when it is asked for, and then holds what fragments drew meanwhile."""
    (name, title), noted = state.page(), record()
    language, scheme, foot = state.language(), scheme_now(), t("saved.foot")
    st.download_button(
        t("saved.button"),
        lambda: document(noted.blocks(), title=title, language=language, scheme=scheme, foot=foot),
        file_name(name or "translate", state.SENTENCE.get(), "html"), "text/html", key=SAVE, type="tertiary",
        on_click="ignore",
    )  # fmt: skip


def file_name(what: str, sentence: str, form: str) -> str:
    """Of a file that a visitor saves: what is in it, and the beginning of the sentence that it is about."""
    letters = re.sub(r"[^\w]+", "-", sentence.replace("'", "")).strip("-_")[:40].strip("-_")
    return f"regard-{what}{letters and '-'}{letters}.{form}"


def scheme_now() -> Scheme:
    """The colour scheme of the visitor's browser, as far as the server knows it."""
    return "dark" if st.context.theme.type == "dark" else "light"
