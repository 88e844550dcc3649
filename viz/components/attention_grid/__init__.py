"""The attention grid: all heads as small heat maps, and one or many of them large, as a heat map or as lines.

Python sends one binary message per sentence (`pack`); the browser (grid.js) draws, answers hover, click and arrow keys,
switches and saves by itself, and reports only the head picked last, once, after the person has stopped stepping.

Shapes: L layers, H heads, Q queries (rows), K keys (columns).
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz.components import declare, message, painted, tell
from viz.theme import CATEGORICAL, SEQUENTIAL, Scheme

Choice = tuple[str, int, int]
"""A head: the panel's kind, the layer and the head, both counted from 0 (shown counted from 1)."""

PALETTE: dict[str, Sequence[str]] = {"light": SEQUENTIAL["light"], "dark": SEQUENTIAL["dark"]}
"""Colours from weight 0 (near the page's background) to weight 1, evenly spaced on the square-root scale."""

LEVELS = 200
"""Steps between weight 0 and weight 1; 255 would make a message of 128 pieces a tenth longer, to no one's gain."""

RAW_LIMIT = 100_000
"""Bytes above which the payload is always deflated; below it, only when that makes it smaller."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What is known of a head."""

    label: str  # a short name, "" if there is none
    note: str  # a sentence
    entropy: float  # of its rows, in bits


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """One kind of attention, with all its layers and heads."""

    kind: str  # stable id, such as "encoder", "decoder" or "cross"
    title: str
    weights: npt.NDArray[np.float32]  # [L, H, Q, K], each row summing to 1
    queries: Sequence[str]  # Q row labels
    keys: Sequence[str]  # K column labels
    query_word: str  # what a row is, in words: "target piece being predicted"
    key_word: str  # what a column is, in words
    reach: Sequence[int] | None = None  # leading keys each query may see, never fewer than the one before; rest hatched
    hidden: str = ""  # a sentence that explains the hatched cells
    marks: Sequence[Sequence[Mark | None]] | None = None  # [L][H]

    def __post_init__(self) -> None:
        assert self.weights.ndim == 4, f"weights are [layer, head, query, key], not {self.weights.shape}"
        assert self.weights.shape[2:] == (len(self.queries), len(self.keys)), "one label per row and per column"
        if self.marks is not None:
            assert [len(row) for row in self.marks] == [self.weights.shape[1]] * self.weights.shape[0], "[layer][head]"


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a browser shows just now."""

    choice: Choice
    drawn: bool  # False until it has painted the weights that this run sent
    scheme: Scheme | None  # None until it has painted anything


def pack(
    panels: Sequence[Panel],
    texts: Mapping[str, str],
    choice: Choice,
    *,
    palette: Mapping[str, Sequence[str]] = PALETTE,
    name: str = "",
) -> tuple[bytes, int]:
    """One message for the browser, and the stamp by which it says that it has drawn it.

    The message is header length (4 bytes, little-endian), header (JSON), weights.

    A weight travels as the byte round(LEVELS * sqrt(weight)), off by at most 0.005 at weight 1, 0.0005 at 0.01. Panels
    follow each other in C order; a masked row holds only the keys within its reach. `choice` is where a
    browser starts that has not chosen yet; `name` tells the grids of a page apart.
    """
    body = b"".join(_quantised(panel).tobytes() for panel in panels)
    deflated = _deflate(body)
    use_deflated = len(deflated) < len(body) or len(body) > RAW_LIMIT
    # Labels count too: another sentence may have the same few weights.
    stamp = zlib.crc32(
        repr([(panel.queries, panel.keys) for panel in panels]).encode("utf-8", "replace"), zlib.crc32(body)
    )
    header = {
        "id": name,
        "choice": list(choice),
        "deflated": use_deflated,
        "levels": LEVELS,
        "stamp": stamp,
        "texts": dict(texts),
        "palette": {theme: list(stops) for theme, stops in palette.items()},
        "colours": CATEGORICAL,
        "panels": [
            {
                "kind": panel.kind,
                "title": panel.title,
                "layers": panel.weights.shape[0],
                "heads": panel.weights.shape[1],
                "queries": list(panel.queries),
                "keys": list(panel.keys),
                "queryWord": panel.query_word,
                "keyWord": panel.key_word,
                "reach": None if panel.reach is None else list(panel.reach),
                "hidden": panel.hidden,
                **_marks(panel),
            }
            for panel in panels
        ],
    }
    return message(header, deflated if use_deflated else body), stamp


def _marks(panel: Panel) -> dict[str, object]:
    """[label, number of the note, entropy] of each head; heads of one habit have one note."""
    if panel.marks is None:
        return {"marks": None}
    notes = sorted({mark.note for row in panel.marks for mark in row if mark})
    marks = [
        [mark and (mark.label, notes.index(mark.note), round(float(mark.entropy), 2)) for mark in row]
        for row in panel.marks
    ]
    return {"marks": marks, "notes": notes}


def _deflate(body: bytes) -> bytes:
    # Weights look like noise between runs of zeros: matching runs only, with a new Huffman code about every 8192 bytes,
    # was 3 to 13 % smaller than plain level 1 on made-up weights at 128 pieces, and no slower.
    deflater = zlib.compressobj(level=1, memLevel=7, strategy=zlib.Z_RLE)
    return deflater.compress(body) + deflater.flush()


def _quantised(panel: Panel) -> npt.NDArray[np.uint8]:
    assert np.isfinite(panel.weights).all(), f"{panel.kind}: weights must be finite"
    levels = (np.sqrt(panel.weights.clip(0.0, 1.0)) * LEVELS + 0.5).astype(np.uint8)
    if panel.reach is None:
        return levels
    possible = np.arange(levels.shape[3]) < np.asarray(panel.reach)[:, None]  # [Q, K]
    assert not levels[..., ~possible].any(), f"{panel.kind}: a weight lies beyond its query's reach"
    return levels[..., possible]


def valid_choice(value: object, panels: Sequence[Panel]) -> Choice | None:
    """The head that `value` (kind, layer, head) names, or None if these panels lack it or it is something else."""
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    kind, layer, head = value
    if not isinstance(kind, str) or type(layer) is not int or type(head) is not int:
        return None
    for panel in panels:
        layers, heads = panel.weights.shape[:2]
        if panel.kind == kind and 0 <= layer < layers and 0 <= head < heads:
            return panel.kind, layer, head
    return None


_mount = declare(
    "attention_grid",
    html="grid.html",
    css=("../shared/canvas.css", "grid.css"),
    js="grid.js",
)


def attention_grid(
    panels: Sequence[Panel],
    *,
    texts: Mapping[str, str],
    choice: Choice,
    key: str,
    palette: Mapping[str, Sequence[str]] = PALETTE,
) -> Shown:
    """Draw all heads of `panels` and those that the person picks large.

    The choice is the browser's: `choice` says where it starts, and later values change nothing while these panels have
    the head that the person picked.
    """
    assert panels, "at least one panel"
    assert len({panel.kind for panel in panels}) == len(panels), "kinds must differ"
    start = valid_choice(choice, panels) or (panels[0].kind, 0, 0)
    data, stamp = pack(panels, texts, start, palette=palette, name=key)
    nothing = lambda: None  # noqa: E731 - Streamlit keeps a state only for names that have a callback
    state = _mount(data=data, key=key, on_choice_change=nothing, on_drawn_change=nothing)
    shown = painted(state, stamp)
    choice = valid_choice(state.get("choice"), panels) or start
    tell("attention_grid", key, data, choice=choice)
    return Shown(choice=choice, drawn=shown.drawn, scheme=shown.scheme)
