"""Words of the interface in the visitor's language: t(key), from JSON catalogues.

A language is a folder, a page or a scene a file of it, and a key begins with the name of its file: "translate.title" is
`title` in translate.json, and "scene.gains.title" is `title` in scenes/gains.json. shared.json has what belongs to no
page; its keys stand there whole. The English of "errors." is that of model/errors.py.
"""

import functools
import json
from pathlib import Path

from model.errors import SENTENCES, UserError
from model.records import Note
from viz import state

LOCALES = Path(__file__).parent / "locales"
LANGUAGES = {"en": "English", "zh": "简体中文"}
"""By their own names."""


def files(language: str) -> dict[str, Path]:
    """The files of a language, by what their keys begin with: "translate.", "scene.gains.", "" for the shared words."""
    folder = LOCALES / language
    pages = {f"{path.stem}.": path for path in sorted(folder.glob("*.json")) if path.stem != "shared"}
    scenes = {f"scene.{path.stem}.": path for path in sorted(folder.glob("scenes/*.json"))}
    return {"": folder / "shared.json"} | pages | scenes


@functools.cache
def catalogue(language: str) -> dict[str, str]:
    """All sentences of a language by their whole keys."""
    words = {f"errors.{code}": sentence for code, sentence in SENTENCES.items()} if language == "en" else {}
    for prefix, path in files(language).items():
        words |= {prefix + key: each for key, each in json.loads(path.read_text(encoding="utf-8")).items()}
    return words


def t(key: str, /, **values: object) -> str:
    """The sentence for `key` with its {placeholders} filled in. KeyError when the catalogue lacks it."""
    sentence = catalogue(state.language())[key]
    return sentence.format(**values) if values else sentence


def words_under(prefix: str) -> dict[str, str]:
    """The sentences whose key starts with `prefix` and a dot, by the rest of their key: for a component."""
    return dict(_under(state.language(), prefix + "."))


@functools.lru_cache(64)
def _under(language: str, start: str) -> dict[str, str]:
    return {key.removeprefix(start): each for key, each in catalogue(language).items() if key.startswith(start)}


def message(said: BaseException | Note) -> str:
    """What a model says, an error or a note, in the visitor's language. An error that no person can cause has no code
    and is said as it is."""
    if not isinstance(said, UserError | Note):
        return str(said)
    values = {name: message(each) if isinstance(each, UserError) else each for name, each in said.values.items()}
    return catalogue(state.language())[f"errors.{said.code}"].format(**values)
