"""What a person or an error says, made safe for Streamlit's markdown: the one place where it is escaped."""

import re
from collections.abc import Sequence

APART = ":small[]"
"""Nothing at all, in Streamlit's markdown; it keeps what stands beside it apart."""
_READ_TOGETHER = re.compile(
    r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=[-\w])|(?<=:)(?=(?:material|streamlit)\b|material_)|(?<=[-<])(?=[-=>])"
    r"|(?<=[~>])(?==)",
    re.IGNORECASE,
)
"""Where Streamlit, after Markdown is read and its escapes are gone, would yet find a link, an icon or an arrow."""


def escape(text: str) -> str:
    """Shown exactly as it is: no emphasis, links, formulas, colours, icons or arrows."""
    parts = (re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", part) for part in _READ_TOGETHER.split(text))
    return APART.join(parts)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text; every column but the first stands to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    first, *others = [[escape(cell) for cell in row] for row in (head, *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (first, rule, *others))
