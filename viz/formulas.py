"""The equations of the lessons, each with the line of this project that computes it."""

import json
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILE = Path(__file__).parent / "formulas.json"


@dataclass(frozen=True, kw_only=True)
class Formula:
    latex: str
    file: str
    """From the project's folder."""
    line: str
    """A part of the line of `file` that computes it, and of no other."""
    mathml: str = ""
    """The same as `latex`, for a file that is opened without Streamlit; `python -m tests.mathml` writes it."""

    def place(self) -> tuple[int, str]:
        """Which line that is, counted from 1, and the line."""
        lines = (ROOT / self.file).read_text(encoding="utf-8").splitlines()
        (found,) = ((number, text.strip()) for number, text in enumerate(lines, 1) if self.line in text)
        return found


FORMULAS = {name: Formula(**each) for name, each in json.loads(FILE.read_text(encoding="utf-8")).items()}
