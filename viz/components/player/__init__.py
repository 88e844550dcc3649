"""The player: one translation step by step, and the tree of what a beam considered, without a round trip.

Python sends one binary message (`pack`); the browser (player.js) draws, plays, and switches layer and head by itself.
It reports that a person wants another next piece, and what the person looks at once that stays.

Shapes: L layers, H heads, T steps, S source pieces.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from model.records import Fate
from viz.components import declare, message, tell
from viz.theme import CATEGORICAL, SEQUENTIAL

Floats = npt.NDArray[np.float32]

LEVELS = 200
"""A weight travels as round(LEVELS * sqrt(weight)), off by at most 0.005 at weight 1 and 0.0005 at 0.01."""

RAW_LIMIT = 100_000
"""Bytes above which the weights are deflated."""


AVERAGE = -1
"""Instead of a head: the average of all."""

SPEEDS = (0.5, 1.0, 2.0, 4.0)


class Look(NamedTuple):
    """What a person looks at."""

    step: int
    layer: int
    head: int  # or AVERAGE
    speed: float  # one of SPEEDS


class Option(NamedTuple):
    """A candidate for the next piece."""

    label: str
    id: int | None  # None: a translation cannot go on with it
    probability: float  # from 0 to 1
    taken: bool


class Branch(NamedTuple):
    """A node of the tree."""

    parent: int  # its place among all branches, or -1
    label: str
    log_prob: float
    total: float
    fate: Fate


@dataclass(frozen=True, kw_only=True)
class Tree:
    """What a beam considered."""

    branches: Sequence[Branch]  # parents first; within a step in the order in which they are drawn from the top
    best: Sequence[int]  # the branches of the result, one for each step
    beam: int

    def __post_init__(self) -> None:
        assert all(-1 <= branch.parent < i for i, branch in enumerate(self.branches)), "parents come first"
        assert all(0 <= i < len(self.branches) for i in self.best), "the best path is in the tree"


@dataclass(frozen=True, kw_only=True, eq=False)
class PlayedTranslation:
    """One translation as it was found, or as it was given."""

    source: Sequence[str]  # S pieces
    read: Sequence[str]  # T pieces: the one read before each step
    predicted: Sequence[str]  # T pieces
    decoder: Floats  # [L, H, T, T], nothing above the diagonal
    cross: Floats  # [L, H, T, S]
    options: Sequence[Sequence[Option]]  # of each step
    forced: Sequence[int] = ()  # steps at which a person chose
    changed: Sequence[int] = ()  # steps whose piece is another one since the last choice
    start: int | None = None  # the step to show first; None: the last
    tree: Tree | None = None

    def __post_init__(self) -> None:
        steps, (layers, heads) = len(self.predicted), self.decoder.shape[:2]
        assert min(steps, layers, heads, len(self.source)) > 0, "a source, a step, and a head"
        assert len(self.read) == len(self.options) == steps, "one piece is read at each step, and one has options"
        assert self.decoder.shape == (layers, heads, steps, steps), "the decoder's weights are [L, H, T, T]"
        assert self.cross.shape == (layers, heads, steps, len(self.source)), "cross-attention is [L, H, T, S]"
        for weights in (self.decoder, self.cross):
            assert ((weights >= 0) & (weights <= 1 + 1e-4)).all(), "weights go from 0 to 1"
        assert not np.triu(self.decoder, 1).any(), "no step sees what is to come"
        assert all(0 <= step < steps for step in (*self.forced, *self.changed)), "a mark without a step"
        assert self.start is None or 0 <= self.start < steps, "it starts at one of the steps"
        assert self.tree is None or len(self.tree.best) == steps, "the tree's best path has every step"


@dataclass(frozen=True, kw_only=True)
class Force:
    """What a person asks for: at this step, go on with this piece."""

    step: int
    id: int


class Reported(NamedTuple):
    """What the browser says about the translation that it was sent last."""

    asked: Force | None  # once
    look: Look | None  # None: where it was told to begin


def pack(
    play: PlayedTranslation, texts: Mapping[str, str], *, name: str = "", look: Look | None = None
) -> tuple[bytes, int]:
    """One message for the browser, and the stamp that comes back with a wish about it.

    The message is header length (4 bytes, little-endian), header (JSON), weights: bytes in C order, of the decoder's
    self-attention only the cells on and below the diagonal, then cross-attention. `name` tells the players of a page
    apart, and `look` is where one begins that has this name for the first time.
    """
    layers, heads, steps = play.decoder.shape[:3]
    seen = np.tri(steps, dtype=np.bool_)
    body = _levels(play.decoder)[..., seen].tobytes() + _levels(play.cross).tobytes()
    deflated = len(body) > RAW_LIMIT
    tree = play.tree
    header = {
        "id": name,
        "source": list(play.source),
        "read": list(play.read),
        "predicted": list(play.predicted),
        "layers": layers,
        "heads": heads,
        "options": [
            [[label, id, round(float(probability), 6), taken] for label, id, probability, taken in options]
            for options in play.options
        ],
        "forced": list(play.forced),
        "changed": list(play.changed),
        "start": play.start,
        "look": look and look._asdict(),
        "speeds": SPEEDS,
        "tree": tree
        and {
            "beam": tree.beam,
            "best": list(tree.best),
            "branches": [
                [parent, label, round(log_prob, 4), round(total, 4), fate]
                for parent, label, log_prob, total, fate in tree.branches
            ],
        },
        "levels": LEVELS,
        "deflated": deflated,
        "texts": dict(texts),
        "palette": SEQUENTIAL,
        "accent": {scheme: colours[1] for scheme, colours in CATEGORICAL.items()},
    }
    stamp = zlib.crc32(json.dumps(header, allow_nan=False).encode(), zlib.crc32(body))
    return message(header | {"stamp": stamp}, zlib.compress(body, 1) if deflated else body), stamp


def _levels(weights: Floats) -> npt.NDArray[np.uint8]:
    return (np.sqrt(weights.clip(0.0, 1.0)) * LEVELS + 0.5).astype(np.uint8)


def asked(value: object, play: PlayedTranslation, stamp: int) -> Force | None:
    """The wish that a browser sent, or None if it is about another message or no such piece was on offer."""
    if not isinstance(value, Mapping) or value.get("stamp") != stamp:
        return None
    step, id = value.get("step"), value.get("id")
    if type(step) is not int or type(id) is not int or not 0 <= step < len(play.options):
        return None
    return Force(step=step, id=id) if any(each.id == id for each in play.options[step]) else None


def looked(value: object, play: PlayedTranslation, stamp: int) -> Look | None:
    """What a browser says that a person looks at, or None if it is about another message or cannot be."""
    layers, heads, steps = play.decoder.shape[:3]
    if not isinstance(value, Sequence) or len(value) != 5 or value[0] != stamp:
        return None
    step, layer, head, speed = value[1:]
    if not all(type(each) is int for each in (step, layer, head)) or speed not in SPEEDS:
        return None
    if not (0 <= step < steps and 0 <= layer < layers and AVERAGE <= head < heads):
        return None
    return Look(step=step, layer=layer, head=head, speed=float(speed))


_mount = declare(
    "player",
    html="player.html",
    css=("../shared/canvas.css", "../shared/stepper.css", "player.css"),
    js="player.js",
)


def player(play: PlayedTranslation, *, texts: Mapping[str, str], key: str, look: Look | None = None) -> Reported:
    """Draw it, at first at this `look`; the same one each time, or all weights are sent again."""
    data, stamp = pack(play, texts, name=key, look=look)
    state = _mount(data=data, key=key, on_force_change=lambda: None, on_look_change=lambda: None)
    found = Reported(asked=asked(state.get("force"), play, stamp), look=looked(state.get("look"), play, stamp))
    now = found.look or look
    tell("player", key, data, look=now and now._asdict())
    return found
