"""Words of the interface: t(key) from flat JSON catalogues, one per language."""

import functools
import json
from pathlib import Path

LOCALES = Path(__file__).parent / "locales"


@functools.cache
def catalogue(language: str) -> dict[str, str]:
    words: dict[str, str] = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    return words


def t(key: str, /, language: str = "en", **values: object) -> str:
    """The sentence for `key` with its {placeholders} filled in. KeyError when the catalogue lacks it."""
    sentence = catalogue(language)[key]
    return sentence.format(**values) if values else sentence


def words_under(prefix: str, language: str = "en") -> dict[str, str]:
    """The sentences whose key starts with `prefix` and a dot, by the rest of their key: for a component."""
    return {k.removeprefix(prefix + "."): v for k, v in catalogue(language).items() if k.startswith(prefix + ".")}
