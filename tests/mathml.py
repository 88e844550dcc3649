"""python -m tests.mathml: write the MathML of every formula into viz/formulas.json, from its LaTeX."""

import json

from latex2mathml.converter import convert

from viz.formulas import FILE


def with_mathml(formulas: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The same formulas, each with the MathML of its LaTeX."""
    return {name: each | {"mathml": convert(each["latex"], display="block")} for name, each in formulas.items()}


def main() -> None:
    formulas = json.loads(FILE.read_text(encoding="utf-8"))
    FILE.write_text(json.dumps(with_mathml(formulas), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
