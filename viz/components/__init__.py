"""Streamlit v2 components: markup, styles and modules beside a typed Python wrapper; here what the wrappers share."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from viz.components.bundle import bundled
from viz.theme import Scheme


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a component is made of, as text."""

    html: str
    css: str
    js: str
    """An expression: the function that Streamlit calls with every message."""
    script: str
    """An expression: a function that is called once for all mounts of a page; empty if there is none."""


FILES: dict[str, Files] = {}
"""Of every component that has been declared, by its name."""


def declare(name: str, *, js: str, html: str = "", css: Sequence[str] = (), script: str = "") -> Callable[..., Any]:
    """What mounts the component of the folder `name`, which is made of these files. `js` and `script` are modules, with
    what they import."""
    folder = Path(__file__).parent / name

    def read(file: str) -> str:
        # Streamlit takes an inline string without a newline for a path, hence the newline at the end.
        return (folder / file).read_text(encoding="utf-8") + "\n"

    files = Files(
        html=read(html) if html else "",
        css="".join(map(read, css)),
        js=bundled(folder / js),
        script=bundled(folder / script) if script else "",
    )
    FILES[name] = files
    # Styles of a component stay in it, and those of the page outside: a shadow root.
    return st.components.v2.component(
        name, html=files.html or None, css=files.css or None, js=as_module(files.js), isolate_styles=True
    )


def as_module(expression: str) -> str:
    return f"export default {expression};\n"


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


def message(header: Mapping[str, object], body: bytes) -> bytes:
    """Header length (4 bytes, little-endian), header (JSON), numbers: what shared/message.js takes apart."""
    head = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    return len(head).to_bytes(4, "little") + head + body


def changed(data: bytes, header: Mapping[str, object]) -> bytes:
    """The message with other values in its header."""
    size = int.from_bytes(data[:4], "little")
    return message(json.loads(data[4 : 4 + size]) | header, data[4 + size :])


@dataclass(frozen=True, kw_only=True)
class Painted:
    """What a browser says by reportDrawn of shared/lifecycle.js."""

    drawn: bool
    """False until it has painted the message of this stamp."""
    scheme: Scheme | None
    """None until it has painted anything."""


def painted(state: Mapping[str, object], stamp: int) -> Painted:
    drawn = state.get("drawn")
    known, scheme = drawn if isinstance(drawn, list) and len(drawn) == 2 else (None, None)
    return Painted(drawn=known == stamp, scheme=scheme if scheme in ("light", "dark") else None)
