"""What one visitor has chosen: the only user of st.session_state."""

import streamlit as st

SENTENCE = "sentence"


def set_default(key: str, value: object) -> None:
    """A widget's first value, unless the visitor has chosen already."""
    st.session_state.setdefault(key, value)


def set_sentence(text: str) -> None:
    """Put a text into the sentence box (a callback: it runs before the page does)."""
    st.session_state[SENTENCE] = text
