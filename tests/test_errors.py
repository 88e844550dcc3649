"""What a person can cause: every code is raised with the values that its sentence asks for, and is said in English."""

import ast
import copy
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.errors import SENTENCES, UserError, note

ROOT = Path(__file__).parent.parent


def made() -> Iterator[tuple[str, str, set[str | None]]]:
    """Where an error or a note is made, its code, and the names of its values."""
    for path in [*sorted((ROOT / "model").rglob("*.py")), ROOT / "viz/models.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("UserError", "note"):
                yield f"{path}:{node.lineno}", ast.literal_eval(node.args[0]), {each.arg for each in node.keywords}


def test_every_error_has_a_sentence_with_its_values() -> None:
    for where, code, values in made():
        asked = {name for _, name, _, _ in string.Formatter().parse(SENTENCES[code]) if name}
        assert values == asked, f"{where}: {code}"


def test_every_sentence_is_an_error_that_is_made() -> None:
    assert {code for _, code, _ in made()} == set(SENTENCES)


def test_an_error_is_a_sentence_a_code_and_values() -> None:
    error = UserError("target_long", count=300, limit=255)
    assert str(error) == "The given translation has 300 pieces; this model reads at most 255."
    assert (error.code, error.values) == ("target_long", {"count": 300, "limit": 255})
    with pytest.raises(ValueError, match=re.escape(str(error))):
        raise error


def test_a_reason_can_be_an_error_itself() -> None:
    error = UserError("no_model", name="config.json", folder=Path("a"), reason=UserError("special_ids"))
    assert str(error) == (
        "config.json in a does not describe a model: pad_id, bos_id and eos_id must be three different ids of the "
        "vocabulary."
    )


def test_a_copy_of_an_error_says_the_same() -> None:
    """As when it crosses from one process to another."""
    error = UserError("no_model", name="config.json", folder="a", reason=UserError("width_odd", width=9))
    assert str(copy.deepcopy(error)) == str(error)


def test_a_note_has_its_sentence_with_it() -> None:
    said = note("full", device="cuda")
    assert said.english == "The cuda device has no room for the model; the CPU does the work."
    assert (said.code, said.values) == ("full", {"device": "cuda"})
