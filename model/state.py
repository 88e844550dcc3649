"""What a decoder carries from one step to the next, and what one pass over a target leaves behind.

Each step makes a new state; none is ever changed in place. B batch, H heads, S source pieces, T target pieces, D width.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from torch import Tensor

KeysValues = tuple[Tensor, Tensor]
"""Keys and values of one layer, each [B, H, N, d_k]."""


class Cache:
    """Keys and values of one decoder layer, with room to grow: appending copies nothing as long as there is room.

    A state of length n sees the first n positions, and those never change: whoever appends to an older state than the
    newest gets a cache of its own.
    """

    def __init__(self, first: Tensor, *, room: int = 32) -> None:
        """first is [B, 2, H, n, d_k], keys and values."""
        *shape, length, width = first.shape
        self.filled = length
        self.both = first.new_empty(*shape, length + room, width)
        self.both[..., :length, :] = first

    def append(self, new: Tensor, length: int) -> "Cache":
        """A cache in which new [B, 2, H, 1, d_k] follows the first `length` positions of this one."""
        cache = self
        if self.filled != length or length == self.both.size(-2):
            cache = Cache(self.both[..., :length, :], room=length + 32)
        cache.both[..., length : length + 1, :] = new
        cache.filled = length + 1
        return cache

    def read(self, length: int) -> KeysValues:
        """The first `length` positions."""
        keys, values = self.both[..., :length, :].unbind(1)
        return keys, values


@dataclass(frozen=True, kw_only=True)
class TransformerState:
    """Keys and values already computed, so that a step costs one position instead of all of them."""

    layers: tuple[Callable[..., tuple[Tensor, Cache]], ...]
    """What each decoder layer does with one position; the model's own weights."""
    source_mask: Tensor | None
    """[B, 1, 1, S], False at padding; None when nothing is padded."""
    cross: tuple[KeysValues, ...]
    """Of the encoder's output, one per decoder layer; N = S."""
    past: tuple[Cache, ...]
    """Of the target read so far, one per decoder layer; empty before the first step."""
    length: int
    """Target pieces read so far."""

    def reorder(self, rows: Tensor) -> "TransformerState":
        """The state whose row i is this state's row rows[i]; rows may repeat or leave out (beam search)."""
        return replace(
            self,
            source_mask=None if self.source_mask is None else self.source_mask[rows],
            cross=tuple((keys[rows], values[rows]) for keys, values in self.cross),
            past=tuple(Cache(cache.both[rows, ..., : self.length, :]) for cache in self.past),
        )


@dataclass(frozen=True, kw_only=True)
class RnnState:
    """The hidden state, and the source that every step looks at."""

    hidden: Tensor
    """[B, D], s_{t-1}."""
    memory: Tensor | None
    """[B, D], the cell state of an LSTM."""
    source: Tensor
    """[B, S, D], the encoder's states h."""
    keys: Tensor
    """[B, S, D], what h becomes before it is compared; computed once."""
    source_mask: Tensor | None
    """[B, S], False at padding; None when nothing is padded."""
    context: Tensor | None
    """[B, D] where it is the same at every step: a model without attention."""

    def reorder(self, rows: Tensor) -> "RnnState":
        """The state whose row i is this state's row rows[i]; rows may repeat or leave out (beam search)."""
        return RnnState(
            hidden=self.hidden[rows],
            memory=None if self.memory is None else self.memory[rows],
            source=self.source[rows],
            keys=self.keys[rows],
            source_mask=None if self.source_mask is None else self.source_mask[rows],
            context=None if self.context is None else self.context[rows],
        )


Weights = tuple[Tensor | None, ...]
"""One [B, H, queries, keys] per layer; None where a fused kernel kept them to itself."""


class Forced(NamedTuple):
    """One pass over a given target: row t of everything belongs to the piece predicted after reading t pieces."""

    logits: Tensor  # [B, T, V]
    encoder: Weights  # L x [B, H, S, S]
    decoder: Weights  # L x [B, H, T, T]
    cross: Weights  # L x [B, H, T, S]
    recurrent: "Recurrent | None" = None  # what only a recurrent model has


class Recurrent(NamedTuple):
    """The steps of a recurrent decoder, as the lessons show them."""

    scores: Tensor | None  # [B, T, S], before the softmax; None without attention
    contexts: Tensor  # [B, T, D], c_t
    states: Tensor  # [B, T, D], s_t
    source: Tensor  # [B, S, D], h_i
