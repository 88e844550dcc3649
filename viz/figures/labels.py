"""What a person typed, made safe for Plotly: the one place where labels are escaped."""

import html

LONGEST = 16


def label(text: str, longest: int = LONGEST) -> str:
    """Shown exactly as it is, cut to `longest` characters. Plotly would read tags and entities, MathJax dollars,
    and Streamlit's theme colours such as #000001."""
    if len(text) > longest:
        text = text[: longest - 1] + "\u2026"
    return html.escape(text, quote=False).replace("#", "&#35;").replace("$", "&#36;")
