"""The README says of the bundled models what was measured, and of the lessons what is there."""

import re
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.readme import ROOT, lengths, models, scenes


def test_the_tables_are_those_of_the_metrics() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for table in (scenes(), models(), lengths("greedy"), lengths("strung")):
        assert table in text, f"python -m tests.readme prints what the README should have:\n\n{table}"


def test_its_python_runs_without_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block as it stands, in the project's folder; the pictures are not opened but kept."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    shown: list[go.Figure] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    (figure,) = shown
    np.testing.assert_array_equal(figure.data[0].z, names["translation"].cross[1, 4])
