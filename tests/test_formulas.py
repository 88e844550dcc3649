"""Every formula stands beside the line of code that computes it, and says the same in LaTeX and in MathML."""

import json
import xml.etree.ElementTree as ET

import pytest

from tests.mathml import with_mathml
from viz.formulas import FILE, FORMULAS


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_names_one_line_of_code(name: str) -> None:
    number, text = FORMULAS[name].place()
    assert number > 0
    assert FORMULAS[name].line in text


def test_mathml_is_that_of_the_latex() -> None:
    formulas = json.loads(FILE.read_text(encoding="utf-8"))
    assert formulas == with_mathml(formulas), "run python -m tests.mathml"


@pytest.mark.parametrize("name", FORMULAS)
def test_mathml_can_be_read_and_nothing_of_latex_is_left_in_it(name: str) -> None:
    root = ET.fromstring(FORMULAS[name].mathml)
    assert root.tag == "{http://www.w3.org/1998/Math/MathML}math"
    assert not set("\\{}^_$") & set("".join(root.itertext())) - set("{}" if "\\{" in FORMULAS[name].latex else "")
