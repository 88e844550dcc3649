"""What one translation left behind: strings and NumPy arrays, the contract between the models and the pictures.

L layers, H heads, S source pieces, T target pieces. In every attention array rows are queries and columns are
keys, and each row sums to 1.
"""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Token:
    """One piece of the vocabulary where it stands in a text."""

    id: int
    piece: str
    """As the vocabulary has it: a leading U+2581 stands for a space, <0xF0> for one byte."""
    label: str
    """As a picture shows it: the characters as typed that the model reads, with a leading middle dot when the piece
    continues a word, a number under each byte of a character of several pieces, and a sign for what has no shape. Not
    escaped."""
    start: int
    end: int
    """Characters [start, end) of the text; a character of several bytes belongs to each of its byte pieces, and a
    special token has start == end."""
    word: int
    """Pieces with the same number make one word."""
    special: bool = False
    """True for <s> and </s>, which nobody typed."""


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """Which model made a translation."""

    name: str
    fingerprint: str
    """Of its files: equal fingerprints, equal numbers."""


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """One candidate for the next piece."""

    id: int
    label: str
    """As a picture shows it, its space before a word as an open box."""
    log_prob: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Recurrent:
    """What only a recurrent model has, D numbers wide."""

    scores: Floats | None
    """[T, S], e_ti before the softmax; None without attention."""
    contexts: Floats
    """[T, D], c_t."""
    states: Floats
    """[T, D], s_t, the decoder's state after it has read decoder_input[t]."""
    source: Floats
    """[S, D], h_i, the encoder's states."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DecoderStep:
    """One step of a recurrent decoder, with its own weights or with others in their place."""

    before: Floats
    """[D], s_{t-1}."""
    embedded: Floats
    """[D], y_{t-1}: what the piece that is read stands for."""
    context: Floats
    """[D], c_t."""
    state: Floats
    """[D], s_t."""
    alternatives: tuple[Alternative, ...]
    """The most probable next pieces, best first."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something that a person should know about a result, as `model.errors.note` makes it."""

    code: str
    """By which an interface finds the sentence in its own language."""
    values: Mapping[str, object]
    """What that sentence says."""
    english: str
    """The sentence."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Translation:
    """A sentence, its translation, and every weight of the one pass that read both."""

    source_text: str
    """As typed, left-out part included."""
    text: str
    """The translation: found by search, or the given one as typed."""
    source: tuple[Token, ...]
    """S pieces, the last one </s>."""
    target: tuple[Token, ...]
    """T pieces as predicted, the last one </s>; piece t is predicted from `decoder_input` up to t."""
    decoder_input: tuple[Token, ...]
    """T pieces as read: <s>, then the target without its last piece."""
    encoder: Floats
    """[L, H, S, S]: how source pieces look at source pieces. Of a recurrent model L = H = 0 here and in `decoder`, and
    1 in `cross` if it has attention."""
    decoder: Floats
    """[L, H, T, T]: row t is the position that predicts target[t], column j is decoder_input[j]; j > t is exactly 0."""
    cross: Floats
    """[L, H, T, S]: row t is the position that predicts target[t], column s is source[s]."""
    log_probs: Floats
    """[T], natural logarithm of the probability that the model gave target[t]."""
    alternatives: tuple[tuple[Alternative, ...], ...]
    """The most probable pieces at each of the T steps, best first."""
    forced: bool
    """True when the target was given and not found by search."""
    left_out: int
    """Source pieces beyond the model's limit, which no number here has seen; 0 almost always."""
    left_out_from: int
    """Where the left-out part starts in source_text; its length when nothing is."""
    checkpoint: Checkpoint
    unknown_characters: int = 0
    """Characters of the source, as far as it was read, that the vocabulary lacks: the model reads their bytes."""
    recurrent: Recurrent | None = None
    """None for a Transformer."""
    notes: tuple[Note, ...] = ()
    """Sentences for the reader, for example that the GPU had no room."""

    def __repr__(self) -> str:
        pieces = f"{len(self.source)} + {len(self.target)} pieces"
        return f"<Translation {_short(self.source_text)} -> {_short(self.text)}, {pieces}, {self.checkpoint.name}>"

    @property
    def target_ids(self) -> tuple[int, ...]:
        """Of the pieces as predicted, </s> included: for another model of the same vocabulary."""
        return tuple(token.id for token in self.target)

    @property
    def log_prob(self) -> float:
        """Of the whole target, </s> included."""
        return float(self.log_probs.sum())

    @property
    def mean_probability(self) -> float:
        """Geometric mean of the probabilities of the target's pieces, from 0 to 1."""
        return math.exp(self.log_prob / len(self.target))

    def check_step(self, step: int) -> None:
        """ValueError when there is no such step, counted from 0."""
        if not 0 <= step < len(self.target):
            raise ValueError(f"This translation has steps 0 to {len(self.target) - 1}; there is no step {step}.")

    @property
    def typed_pieces(self) -> int:
        """Of the source as typed: </s> not counted, the left-out part counted."""
        return len(self.source) - 1 + self.left_out


Fate = Literal["alive", "finished", "dropped"]
"""Of a candidate: it took one of the beam's places; it is </s> and ends a translation; or it got no place."""


@dataclass(frozen=True, kw_only=True)
class Node:
    """One piece that a search considered, where it would have stood."""

    parent: int
    """The piece before it, as its place among all nodes, or -1: a first piece."""
    id: int
    log_prob: float
    """Of this piece after those before it, as the model has it: no temperature, no penalty."""
    total: float
    """The sum of log_prob from the first piece to this one."""
    step: int
    """0 for a first piece."""
    fate: Fate


@dataclass(frozen=True, kw_only=True)
class Found:
    """One finished translation."""

    text: str
    nodes: tuple[int, ...]
    """From its first piece to </s>, as places in `Decoding.nodes`."""
    log_prob: float
    """Of the whole, </s> included."""
    score: float
    """log_prob over the length penalty: what finished translations are ranked by."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Decoding:
    """A translation, and the tree of everything that was considered on the way to it."""

    nodes: tuple[Node, ...]
    """Step by step, and within a step the most probable hypothesis first."""
    labels: tuple[str, ...]
    """One for each node: its piece as a picture shows it, with an open box for the space before a word."""
    found: tuple[Found, ...]
    """All that finished, best first."""
    prefix: int
    """How many pieces, from the first on, were given and not searched for."""
    best: Translation
    """found[0] by a forced pass over its very pieces, which are not always those that its text would be cut into."""


def unread(character: str) -> bool:
    """Whether no model reads it, because it has neither a shape nor a width."""
    return not character.isspace() and unicodedata.category(character) in ("Cc", "Cf")


def word_groups(tokens: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """The indices of each word's pieces; a special belongs to none."""
    typed = [i for i, token in enumerate(tokens) if not token.special]
    return tuple(tuple(group) for _, group in groupby(typed, key=lambda i: tokens[i].word))


def _short(text: str) -> str:
    """Quoted, on one line, and not for long."""
    return repr(text if len(text) <= 60 else f"{text[:59]}\u2026")


def shown(text: str) -> str:
    """The text with a sign for each character that has no shape: its control picture, an open box for a space, else
    the empty set."""
    return text if text.isalnum() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isspace() and ord(character) >= 0x20:
        return "\u2423"
    if ord(character) < 0x20:
        return chr(0x2400 + ord(character))
    return "\u2205" if unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co", "Cs") else character
