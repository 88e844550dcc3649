"""What a decoder carries from one step to the next, and what one pass over a target leaves behind.

Each step makes a new state; none is ever changed in place. B batch, H heads, S source pieces, T target pieces, D width.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from torch import Tensor

from model.attention import KeysValues
from model.fast_decode import Cache


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
    recurrent: "RecurrentPass | None" = None  # what only a recurrent model has


class RecurrentPass(NamedTuple):
    """The steps of a recurrent decoder, as the lessons show them."""

    scores: Tensor | None  # [B, T, S], before the softmax; None without attention
    contexts: Tensor  # [B, T, D], c_t
    states: Tensor  # [B, T, D], s_t
    source: Tensor  # [B, S, D], h_i
