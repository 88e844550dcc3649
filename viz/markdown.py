"""What a person or an error says, made safe for Streamlit's markdown: the one place where it is escaped."""

import re


def escape(text: str) -> str:
    """Shown exactly as it is: no emphasis, links, formulas, colours or icons."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)
