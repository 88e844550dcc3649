"""What one visitor has chosen: the only user of st.session_state."""

import streamlit as st

SENTENCE, EXAMPLE = "sentence", "example"
"""Keys of the box and of the list of examples."""


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
