"""What one visitor has chosen: the only user of st.session_state."""

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

T = TypeVar("T")

SENTENCE, EXAMPLE = "sentence", "example"
"""Keys of the box and of the list of examples."""
TARGET, OWN = "target", "own_target"
"""Which translation both models are held to, and the box for the visitor's own."""
TIMINGS = "timings"
"""What the visitor has measured."""


def set_default(key: str, value: object) -> None:
    """A widget's first value, unless the visitor has chosen already."""
    st.session_state.setdefault(key, value)


def sentence() -> str:
    """What stands in the sentence box now."""
    text: str = st.session_state[SENTENCE]
    return text


def take_example() -> None:
    """Put the chosen example into the sentence box (a callback: it runs before the page does)."""
    if example := st.session_state[EXAMPLE]:
        st.session_state[SENTENCE], st.session_state[EXAMPLE] = example, None


def take_pair(target_of: Mapping[str, str]) -> None:
    """Put the chosen example into the sentence box, and its translation by hand, if it has one, into the box for it."""
    if (example := st.session_state[EXAMPLE]) in target_of:
        st.session_state[TARGET], st.session_state[OWN] = "mine", target_of[example]
    take_example()


def kept(key: str, otherwise: T) -> T:
    """Something that is no widget's value, until the visitor leaves."""
    found: T = st.session_state.get(key, otherwise)
    return found


def keep(key: str, value: object) -> None:
    st.session_state[key] = value


def target() -> str:
    """Which translation both models are held to."""
    name: str = st.session_state[TARGET]
    return name


def own_target() -> str:
    """The visitor's own translation, empty at first."""
    text: str = st.session_state.get(OWN, "")
    return text
