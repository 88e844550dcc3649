"""Decoding one position at a time, fast: the same weights and sums as `DecoderLayer`, without the cost of its modules.

B batch, H heads, S source pieces, D width of the model, d_k = D / H width of one head, V vocabulary. Tests compare
every step with the whole pass.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from model.attention import KeysValues, fused_attention
from model.config import TransformerConfig

if TYPE_CHECKING:
    from model.decoder_state import TransformerState
    from model.transformer import DecoderLayer, Transformer


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


class StepLayer:
    """A decoder layer for one position: the same weights and the same sums, without the cost of calling modules.

    A step is short: half of it went into looking attributes up, reshaping and starting small products. It holds its own
    copy of W_Q, W_K and W_V, side by side. Tests compare it with `DecoderLayer`.
    """

    def __init__(self, layer: "DecoderLayer", config: TransformerConfig) -> None:
        mine, cross, ff = layer.self_attention, layer.cross_attention, layer.feed_forward
        parts = [part.weight.detach().t() for part in (mine.w_q, mine.w_k, mine.w_v)]
        self.w_qkv, self.w_o = torch.cat(parts, dim=1).t(), mine.w_o.weight  # [3 D, D], by columns
        self.cross_w_q, self.cross_w_o = cross.w_q.weight, cross.w_o.weight
        self.w_1, self.b_1, self.w_2, self.b_2 = ff.w_1.weight, ff.w_1.bias, ff.w_2.weight, ff.w_2.bias
        self.activation, self.pre = ff.activation, config.norm == "pre"
        self.heads = (config.n_heads, 1, config.d_model // config.n_heads)
        self.norms = [
            ((config.d_model,), residual.norm.weight, residual.norm.bias, residual.norm.eps)
            for residual in (layer.self_residual, layer.cross_residual, layer.feed_forward_residual)
        ]

    def __call__(
        self, y: Tensor, past: Cache | None, length: int, cross: KeysValues, source_mask: Tensor | None
    ) -> tuple[Tensor, Cache]:
        """y [B, D], read after `length` others -> the same shape, and the keys and values read so far."""
        linear, norm, pre = F.linear, torch.layer_norm, self.pre
        rows = (len(y), *self.heads)  # [B, H, 1, d_k]

        x = norm(y, *self.norms[0]) if pre else y
        query, key, value = linear(x, self.w_qkv).view(len(y), 3, *self.heads).unbind(1)
        both = torch.stack((key, value), dim=1)  # [B, 2, H, 1, d_k]
        present = Cache(both) if past is None else past.append(both, length)
        context, _ = fused_attention(query, *present.read(length + 1))
        y = y + linear(context.reshape(y.shape), self.w_o)
        y = y if pre else norm(y, *self.norms[0])

        x = norm(y, *self.norms[1]) if pre else y
        context, _ = fused_attention(linear(x, self.cross_w_q).view(rows), *cross, source_mask)
        y = y + linear(context.reshape(y.shape), self.cross_w_o)
        y = y if pre else norm(y, *self.norms[1])

        x = norm(y, *self.norms[2]) if pre else y
        y = y + linear(self.activation(linear(x, self.w_1, self.b_1)), self.w_2, self.b_2)
        return y if pre else norm(y, *self.norms[2]), present


def step_layers(model: "Transformer") -> tuple[StepLayer, ...]:
    """One for each layer of the decoder, from its weights as they are now."""
    return tuple(StepLayer(cast("DecoderLayer", layer), model.config) for layer in model.decoder)


def decode_step(model: "Transformer", tokens: Tensor, state: "TransformerState") -> tuple[Tensor, "TransformerState"]:
    """Read one more piece per row, tokens [B]. Returns log-probabilities of the next [B, V] and the new state."""
    y, past = model.embedding(tokens[:, None], first=state.length)[:, 0], []
    for i, layer in enumerate(state.layers):
        y, present = layer(y, state.past[i] if state.past else None, state.length, state.cross[i], state.source_mask)
        past.append(present)
    log_probs = model.embedding.logits(model.decoder_norm(y)).log_softmax(-1)
    return log_probs, replace(state, past=tuple(past), length=state.length + 1)
