"""What a decoder carries from one step to the next; a new state each step, none is ever changed in place."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from torch import Tensor

KeysValues = tuple[Tensor, Tensor]
"""Keys and values of one layer, each [B, H, N, d_k]."""


@dataclass(frozen=True, kw_only=True)
class TransformerState:
    """Keys and values already computed, so that a step costs one position instead of all of them."""

    layers: tuple[Callable[..., tuple[Tensor, KeysValues]], ...]
    """What each decoder layer does with one position; the model's own weights."""
    source_mask: Tensor | None
    """[B, 1, 1, S], False at padding; None when nothing is padded."""
    cross: tuple[KeysValues, ...]
    """Of the encoder's output, one per decoder layer; N = S."""
    past: tuple[KeysValues, ...]
    """Of the target read so far, one per decoder layer; empty before the first step."""
    length: int
    """Target pieces read so far."""

    def reorder(self, rows: Tensor) -> "TransformerState":
        """The state whose row i is this state's row rows[i]; rows may repeat or leave out (beam search)."""
        return replace(
            self,
            source_mask=None if self.source_mask is None else self.source_mask[rows],
            cross=tuple((keys[rows], values[rows]) for keys, values in self.cross),
            past=tuple((keys[rows], values[rows]) for keys, values in self.past),
        )
