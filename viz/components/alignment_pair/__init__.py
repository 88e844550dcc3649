"""Two alignment maps on common axes, their difference, and the step of the RNN behind a row, played in the browser.

Python sends one binary message (`pack`); the browser (pair.js) draws, answers pointer and keys, and plays the steps by
itself. It reports only that it has painted.

Shapes: Q target words (rows), K source words (columns), T steps, S source pieces, D width of a state.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz.components import Painted, declare, message, painted, tell
from viz.theme import DIVERGING, GOLD, SEQUENTIAL

Floats = npt.NDArray[np.float32]
Option = tuple[str, float, bool]
"""A candidate for the next piece: its label, its probability from 0 to 1, and whether it was taken."""

RAW_LIMIT = 100_000
"""Bytes above which the numbers are deflated."""

STATE_LEVELS = 127
"""An encoder state travels as round(STATE_LEVELS * h / max |h|), off by at most 0.4 % of the largest. Only its strip of
colours is drawn from it, and what is read off the strip is marked as approximate; all other numbers are exact."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Map:
    """One alignment map."""

    title: str
    note: str  # a sentence below the title
    weights: Floats  # [Q, K], from 0 to 1
    queries: Sequence[str]  # Q row labels
    steps: Sequence[int]  # the decoding step, from 0, that each row shows: the first one, if a row is a word of several
    gold: Sequence[tuple[int, int, bool]] = ()  # row, column, sure (or only possible) of a hand-made alignment

    def __post_init__(self) -> None:
        assert self.weights.ndim == 2, f"weights are [query, key], not {self.weights.shape}"
        assert len(self.weights) == len(self.queries) == len(self.steps), "one label and one step per row"
        assert _within(self.weights), "weights go from 0 to 1"
        assert list(self.steps) == sorted({step for step in self.steps if step >= 0}), "steps must rise from row to row"
        rows, columns = self.weights.shape
        assert all(0 <= row < rows and 0 <= column < columns for row, column, _ in self.gold), "gold outside the map"


@dataclass(frozen=True, kw_only=True, eq=False)
class Play:
    """How the recurrent model came from step to step."""

    name: str
    source: Sequence[str]  # S pieces
    read: Sequence[str]  # T pieces: the one read before each step
    predicted: Sequence[str]  # T pieces
    scores: Floats | None  # [T, S], before the softmax; None without attention
    weights: Floats | None  # [T, S], after it; None without attention
    states: Floats  # [S, D], the encoder's
    contexts: Floats  # [T, D]
    options: tuple[Sequence[Sequence[Option]], Sequence[Sequence[Option]] | None]
    """The most probable next pieces at each step, of this model and of the one on the right; None when that one
    translates something else."""

    def __post_init__(self) -> None:
        length, steps, width = len(self.source), len(self.predicted), self.states.shape[-1]
        assert min(length, steps, width) > 0, "a source, at least one step, and a vector to show"
        assert len(self.read) == steps, "one piece is read for each that is predicted"
        assert (self.scores is None) == (self.weights is None), "scores and weights come together"
        for array in (self.scores, self.weights):
            assert array is None or array.shape == (steps, length), "scores and weights are [step, source piece]"
        assert self.scores is None or np.isfinite(self.scores).all(), "scores must be finite"
        assert self.weights is None or _within(self.weights), "weights go from 0 to 1"
        assert self.states.shape == (length, width), "states are [source piece, width]"
        assert self.contexts.shape == (steps, width), "contexts are [step, width]"
        assert np.isfinite(self.states).all(), "states must be finite"
        assert np.isfinite(self.contexts).all(), "contexts must be finite"
        assert all(side is None or len(side) == steps for side in self.options), "options for every step"


def _rounded(options: Sequence[Option]) -> list[Option]:
    return [(label, round(float(probability), 6), bool(taken)) for label, probability, taken in options]


def _within(weights: Floats) -> bool:
    """From 0 to 1, but for the rounding of a sum; not-a-number is neither."""
    return bool(((weights >= 0) & (weights <= 1 + 1e-4)).all())


def pack(
    left: Map,
    right: Map,
    keys: Sequence[str],
    *,
    difference: bool,
    agree: Sequence[bool] | None,
    query_word: str,
    key_word: str,
    play: Play | None,
    texts: Mapping[str, str],
    name: str = "",
) -> tuple[bytes, int]:
    """One message for the browser, and the stamp by which it says that it has drawn it.

    The message is header length (4 bytes, little-endian), header (JSON), numbers. These are float32, little-endian, in
    C order: weights of the left map, of the right map, and of `play` the scores, weights, contexts and last the states,
    as signed bytes; scores, weights and states only with attention.
    """
    common = list(left.queries) == list(right.queries)
    assert common or not difference, "a difference needs the same rows on both sides"
    assert agree is None or (common and len(agree) == len(left.queries)), "agreement needs the same rows on both sides"
    assert left.weights.shape[1] == right.weights.shape[1] == len(keys), "one label per column"
    arrays = [left.weights, right.weights]
    states = b""
    steps: dict[str, object] | None = None
    if play:
        followed = [left, right] if common else [left]
        assert all(step < len(play.predicted) for each in followed for step in each.steps), "a row without a step"
        largest = float(np.abs(play.states).max()) or 1.0
        if play.scores is not None and play.weights is not None:
            arrays += [play.scores, play.weights]
            states = np.rint(play.states * (STATE_LEVELS / largest)).astype(np.int8).tobytes()
        arrays.append(play.contexts)
        steps = {
            "name": play.name,
            "source": list(play.source),
            "read": list(play.read),
            "predicted": list(play.predicted),
            "attention": play.weights is not None,
            "width": play.states.shape[1],
            "largest": largest,
            "levels": STATE_LEVELS,
            "options": [side and [_rounded(options) for options in side] for side in play.options],
        }
    body = b"".join(np.ascontiguousarray(array, "<f4").tobytes() for array in arrays) + states
    deflated = len(body) > RAW_LIMIT
    header = {
        "id": name,
        "keys": list(keys),
        "maps": [
            {
                "title": each.title,
                "note": each.note,
                "queries": list(each.queries),
                "steps": [int(step) for step in each.steps],
                "gold": [(int(row), int(column), bool(sure)) for row, column, sure in each.gold],
            }
            for each in (left, right)
        ],
        "common": common,
        "difference": difference,
        "agree": None if agree is None else [bool(same) for same in agree],
        "queryWord": query_word,
        "keyWord": key_word,
        "play": steps,
        "deflated": deflated,
        "texts": dict(texts),
        "sequential": SEQUENTIAL,
        "diverging": DIVERGING,
        "outline": GOLD,
    }
    # Labels count too: another sentence may have the same few weights.
    stamp = zlib.crc32(json.dumps(header, allow_nan=False).encode(), zlib.crc32(body))
    return message(header | {"stamp": stamp}, zlib.compress(body, 1) if deflated else body), stamp


_mount = declare(
    "alignment_pair",
    html="pair.html",
    css=("../shared/canvas.css", "../shared/stepper.css", "pair.css"),
    js="pair.js",
)


def alignment_pair(
    left: Map,
    right: Map,
    keys: Sequence[str],
    *,
    difference: bool,
    agree: Sequence[bool] | None,
    query_word: str,
    key_word: str,
    play: Play | None,
    texts: Mapping[str, str],
    key: str,
) -> Painted:
    """Draw both maps over the same `keys` (K source words), their difference (right minus left) if wanted, and the
    steps of `play`.

    `agree` says of each row whether both maps point to the same source word. A row chosen by the person chooses the
    step; the browser keeps it.
    """
    data, stamp = pack(
        left, right, keys, difference=difference, agree=agree, query_word=query_word, key_word=key_word, play=play,
        texts=texts, name=key,
    )  # fmt: skip
    state = _mount(data=data, key=key, on_drawn_change=lambda: None)
    tell("alignment_pair", key, data)
    return painted(state, stamp)
