"""Streamlit v2 components: html, css and js files beside a typed Python wrapper; here what the wrappers share."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from viz.theme import Scheme


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
