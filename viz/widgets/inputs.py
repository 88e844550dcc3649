"""What a visitor chooses with: each function draws the widget of a `Choice`, keeps it and has it in the address."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.config import CHARACTERS
from viz import state
from viz.escape import escape
from viz.i18n import t
from viz.state import LONGEST, Choice, Memory

T = TypeVar("T")
N = TypeVar("N", int, float)


def option(options: Sequence[T], write: Callable[[T], str] = str) -> Callable[[str], T | None]:
    """Reads one of the options from the address."""
    return lambda text: next((each for each in options if write(each) == text), None)


def choose(
    choice: Choice[T],
    label: str,
    options: Sequence[T],
    *,
    named: Callable[[T], str] = str,
    hint: str | None = None,
    labelled: bool = True,
) -> T:
    """One of a few, all of them to be seen."""
    choice.begin(option(options))
    choice.among(options)
    chosen = st.segmented_control(
        label, options, key=choice.key, required=True, format_func=named, help=hint,
        label_visibility="visible" if labelled else "collapsed", persist_state="session",
    )  # fmt: skip
    return choice.default if chosen is None else chosen


def choose_number(choice: Choice[int], label: str, count: int) -> int:
    """One of `count` layers or heads, counted from 0, and shown counted from 1."""
    return choose(choice, label, tuple(range(count)), named=lambda number: str(number + 1))


def switch(choice: Choice[bool], label: str, *, hint: str | None = None, disabled: bool = False) -> bool:
    """On or off."""
    choice.begin({"True": True, "False": False}.get)
    return st.toggle(label, key=choice.key, help=hint, disabled=disabled, persist_state="session")


def slide(
    choice: Choice[N],
    label: str,
    low: N,
    high: N,
    *,
    step: N | None = None,
    hint: str | None = None,
    width: int = 260,
) -> N:
    """A number."""

    def read(text: str) -> N | None:
        try:
            number = type(low)(text)
        except ValueError:
            return None
        return number if low <= number <= high else None

    choice.begin(read)
    return st.slider(label, low, high, step=step, key=choice.key, help=hint, width=width, persist_state="session")


def type_in(
    choice: Choice[str],
    label: str,
    *,
    read: Callable[[str], str | None] = str,
    hint: str | None = None,
    placeholder: str | None = None,
    typed: Callable[[], None] | None = None,
    below: DeltaGenerator | None = None,
) -> str:
    """A line of text. `read` says whether one from the address can be right; what is typed may be wrong. `typed` is
    called when another one has been entered. One that is too long is cut, which is said `below`, as it is of one that
    no link can hold."""
    choice.begin(read)
    whole = Memory(key=choice.key.at("characters"), make=int)

    def entered() -> None:
        text = choice.get() or ""
        whole.set(len(text))
        choice.set(text[:CHARACTERS])
        if typed:
            typed()

    text = st.text_input(
        label, key=choice.key, help=hint, placeholder=placeholder, on_change=entered, persist_state="session"
    )
    if choice.address and len(text or "") > LONGEST:
        with below or st.container():
            if whole.get() > CHARACTERS == len(text or ""):
                st.warning(t("parts.cut", count=whole.get(), limit=CHARACTERS))
            st.caption(t("parts.not_linked", limit=LONGEST))
    return text or ""


def select(
    choice: Choice[T],
    label: str,
    options: Sequence[T],
    *,
    named: Callable[[T], str],
    labelled: bool = True,
    width: int | None = None,
) -> T:
    """One of many, in a list that opens. The box is another one in each language: a browser keeps the name of what is
    chosen as it was first written."""
    choice.begin(option(options))
    choice.among(options)
    box = Memory(key=choice.key.at("box", state.language()), make=choice.get)
    box.set(choice.get())
    st.selectbox(
        label, options, key=box.key, format_func=named, label_visibility="visible" if labelled else "collapsed",
        width=width or "stretch", on_change=lambda: choice.set(box.get()),
    )  # fmt: skip
    return choice.get()


def choose_piece(choice: Choice[int], label: str, pieces: tuple[str, ...], *, hint: str | None = None) -> int:
    """The place of one of the pieces, whose labels may be equal; other pieces begin with the default again."""
    of = Memory(key=choice.key.at("of"), make=lambda: pieces)
    if of.get() != pieces:
        choice.set(choice.default)
    of.set(pieces)
    places = range(len(pieces))
    choice.begin(option(places))
    choice.among(places)
    if len(pieces) > 1:  # a slider needs two ends
        # Other pieces make another slider: a browser would look for the old piece among the new ones.
        slider = Memory(key=choice.key.at(hash(pieces)), make=choice.get)
        if slider.get() != choice.get() and state.moved():
            slider.set(choice.get())
        chosen = st.select_slider(
            label,
            places,
            key=slider.key,
            help=hint,
            format_func=lambda place: f"{place + 1}\u2002{escape(pieces[place])}",
        )
        choice.set(chosen)
    return choice.get()


def open_tab(choice: Choice[str], titles: Mapping[str, str]) -> tuple[str, DeltaGenerator]:
    """Tabs of which only the open one is drawn: its name, and where to draw."""
    choice.begin(option(tuple(titles)))
    choice.among(tuple(titles))
    opened = Memory(key=choice.key.at("tabs"), make=str)
    if opened.get() not in titles.values() or state.moved():
        # Not by `default`: tabs with another one are other tabs, whose state begins anew.
        opened.set(titles[choice.get()])
    tabs = st.tabs(list(titles.values()), key=opened.key, on_change="rerun")
    name, tab = next((each for each in zip(titles, tabs, strict=True) if each[1].open), (next(iter(titles)), tabs[0]))
    choice.set(name)
    return name, tab
