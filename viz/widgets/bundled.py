"""The bundled files, or a sentence about what is wrong with them."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from viz.escape import escape
from viz.i18n import message, t

T = TypeVar("T")


def loaded(read: Callable[[], T]) -> T | None:
    """What `read` makes of the bundled files; None, and a sentence that says what to do, if they are not right."""
    try:
        return read()
    except ValueError as error:
        st.error(t("parts.no_model", reason=escape(message(error))))
        return None
