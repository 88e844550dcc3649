"""Streamlit v2 components: html, css and js files beside a typed Python wrapper; here what the wrappers share."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from viz.theme import Scheme


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a component is made of, as text."""

    html: str
    css: str
    js: str
    """A module; Streamlit calls its default export with every message."""
    script: str = ""
    """A module whose default export is called once for all mounts of a page."""


FILES: dict[str, Files] = {}
"""Of every component that has been declared, by its name."""


def declare(
    name: str, *, html: str, css: Sequence[str], js: Sequence[str], script: Sequence[str] = ()
) -> Callable[..., Any]:
    """What mounts the component of the folder `name`, which is made of these files."""
    files = Files(html=read(name, html), css=read(name, *css), js=read(name, *js), script=read(name, *script))
    FILES[name] = files
    return st.components.v2.component(name, html=files.html, css=files.css, js=files.js)


@dataclass(frozen=True, kw_only=True, eq=False)
class Mounted:
    """What a component was given to draw."""

    component: str
    key: str
    data: bytes | Mapping[str, object]
    """The very message; nothing is copied."""
    header: Mapping[str, object] = field(default_factory=dict)
    """What its header would say by now."""


_listeners: list[Callable[[Mounted], None]] = []


def listen(listener: Callable[[Mounted], None]) -> None:
    """Call `listener` with whatever is mounted from now on: pages keep it for whoever saves them."""
    _listeners.append(listener)


def tell(component: str, key: str, data: bytes | Mapping[str, object], **header: object) -> None:
    """Every wrapper says what it has mounted."""
    for listener in _listeners:
        listener(Mounted(component=component, key=key, data=data, header=header))


def read(folder: str, *names: str) -> str:
    """The text of files of a component, one after the other; canvas.* lie beside the folders."""
    here = Path(__file__).parent
    paths = [here / name if name.startswith("canvas.") else here / folder / name for name in names]
    # Streamlit takes an inline string without a newline for a path, hence the newline at the end.
    return "".join(path.read_text(encoding="utf-8") + "\n" for path in paths)


def message(header: Mapping[str, object], body: bytes) -> bytes:
    """Header length (4 bytes, little-endian), header (JSON), numbers: what readMessage of canvas.js takes apart."""
    head = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    return len(head).to_bytes(4, "little") + head + body


def changed(data: bytes, header: Mapping[str, object]) -> bytes:
    """The message with other values in its header."""
    size = int.from_bytes(data[:4], "little")
    return message(json.loads(data[4 : 4 + size]) | header, data[4 + size :])


@dataclass(frozen=True, kw_only=True)
class Painted:
    """What a browser says by markDrawn of canvas.js."""

    drawn: bool
    """False until it has painted the message of this stamp."""
    scheme: Scheme | None
    """None until it has painted anything."""


def painted(state: Mapping[str, object], stamp: int) -> Painted:
    drawn = state.get("drawn")
    known, scheme = drawn if isinstance(drawn, list) and len(drawn) == 2 else (None, None)
    return Painted(drawn=known == stamp, scheme=scheme if scheme in ("light", "dark") else None)
