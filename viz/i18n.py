"""Words of the interface in the visitor's language: t(key) from flat JSON catalogues, one per language."""

import functools
import json
import re
import string
from pathlib import Path

from viz import state

LOCALES = Path(__file__).parent / "locales"
LANGUAGES = {"en": "English", "zh": "简体中文"}
"""By their own names."""


@functools.cache
def catalogue(language: str) -> dict[str, str]:
    words: dict[str, str] = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    return words


def t(key: str, /, **values: object) -> str:
    """The sentence for `key` with its {placeholders} filled in. KeyError when the catalogue lacks it."""
    sentence = catalogue(state.language())[key]
    return sentence.format(**values) if values else sentence


def words_under(prefix: str) -> dict[str, str]:
    """The sentences whose key starts with `prefix` and a dot, by the rest of their key: for a component."""
    words = catalogue(state.language())
    return {key.removeprefix(prefix + "."): each for key, each in words.items() if key.startswith(prefix + ".")}


def told(sentence: object) -> str:
    """What a model says, an error or a note, in the visitor's language where the catalogue has it under "told"."""
    said = str(sentence)
    for key, template in catalogue("en").items():
        if key.startswith("told.") and (found := _pattern(template).fullmatch(said)):
            return t(key, **found.groupdict())
    return said


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """A template with a group for each of its placeholders."""
    parts = string.Formatter().parse(template)
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.+)" if name else "") for text, name, _, _ in parts))
