"""No key without a sentence, no sentence without a key, no placeholder that nobody fills."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from viz.i18n import LOCALES, catalogue, t, words_under

ROOT = Path(__file__).parent.parent
SOURCES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py"))]


def calls(name: str) -> Iterator[ast.Call]:
    """Every call of a function of this name in the interface."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def pattern(key: ast.expr) -> str:
    """A regular expression of the keys that an argument can be: a constant, or an f-string with a gap."""
    parts = key.values if isinstance(key, ast.JoinedStr) else [key]
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z]+" for part in parts)


def used() -> set[str]:
    patterns = [pattern(call.args[0]) for call in calls("t")]
    patterns += [pattern(call.args[0]) + r"\..+" for call in calls("words_under")]
    for wanted in patterns:
        assert any(re.fullmatch(wanted, key) for key in catalogue("en")), f"no sentence for {wanted}"
    return {key for key in catalogue("en") if any(re.fullmatch(wanted, key) for wanted in patterns)}


def test_every_key_has_a_sentence_and_every_sentence_a_use() -> None:
    assert used() == set(catalogue("en"))


def test_every_placeholder_is_filled() -> None:
    for call in calls("t"):
        given = {keyword.arg for keyword in call.keywords}
        for key, sentence in catalogue("en").items():
            if re.fullmatch(pattern(call.args[0]), key):
                asked = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
                assert asked == given, key


@pytest.mark.parametrize("prefix", ["grid", "strip", "pair", "player"])
def test_components_use_every_word_that_they_get(prefix: str) -> None:
    folder = {"grid": "attention_grid", "strip": "token_strip", "pair": "alignment_pair", "player": "player"}[prefix]
    script = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "viz/components" / folder).glob("*.js"))
    words = set(words_under(prefix))
    assert words == set(re.findall(r"texts\??\.(\w+)", script))


def test_a_missing_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        t("no.such.key")


@pytest.mark.parametrize("language", sorted(path.stem for path in LOCALES.glob("*.json")))
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    def placeholders(sentence: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(sentence)} - {None}

    english = catalogue("en")
    assert catalogue(language).keys() == english.keys()
    for key, sentence in catalogue(language).items():
        assert placeholders(sentence) == placeholders(english[key]), key
