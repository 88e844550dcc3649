"""What a person or an error says, made safe for Streamlit's markdown: the one place where it is escaped."""

import re
from collections.abc import Sequence


def escape(text: str) -> str:
    """Shown exactly as it is: no emphasis, links, formulas, colours or icons."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of plain text; every column but the first stands to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    first, *others = [[escape(cell) for cell in row] for row in (head, *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (first, rule, *others))
