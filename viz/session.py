"""What one visitor has chosen: the only user of st.session_state."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

from viz.jobs import Job

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


def leave_pair(target_of: Mapping[str, str], text: str) -> None:
    """Another sentence than that of the pair that was chosen needs another French: the Transformer's, to begin with."""
    own = st.session_state.get(OWN)
    if own in target_of.values() and target_of.get(text) != own:
        st.session_state[TARGET], st.session_state[OWN] = "transformer", ""


def start(name: str, work: Callable[[Callable[[float], None]], object]) -> None:
    """Begin long work, in place of the one of this name that may be going on."""
    if old := job(name):
        old.stop()
    st.session_state[f"job-{name}"] = Job(work)


def job(name: str) -> Job[Any] | None:
    """The work of this name, running or ended, until it is forgotten."""
    found: Job[Any] | None = st.session_state.get(f"job-{name}")
    return found


def forget(name: str) -> None:
    del st.session_state[f"job-{name}"]


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
    """The visitor's own translation."""
    text: str = st.session_state[OWN]
    return text


def start_own(french: str) -> None:
    """What stands in the box for it until the visitor types something else."""
    if not st.session_state.get(OWN):
        st.session_state[OWN] = french
