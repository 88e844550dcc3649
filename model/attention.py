"""Attention as functions and as a layer: who looks at whom, and with what weight.

B batch, H heads, Q queries, K keys, D width of the model, d_k = D / H width of one head.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Attend = Callable[[Tensor, Tensor, Tensor, Tensor | None], tuple[Tensor, Tensor | None]]
"""query [B, H, Q, d_k], key [B, H, K, d_k], value, mask -> context [B, H, Q, d_k], weights or None."""
KeysValues = tuple[Tensor, Tensor]
"""Keys and values of one layer, each [B, H, K, d_k]."""


def causal_mask(length: int, device: torch.device) -> Tensor:
    """[T, T], True where a query may look: at itself and at what was read before."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """softmax(Q K^T / sqrt(d_k)) V, equation 1 of Vaswani et al. 2017.

    query is [..., Q, d_k], key and value are [..., K, d_k]. mask is boolean and broadcasts to
    [..., Q, K]; where it is False the score becomes -inf, so the weight is exactly 0. Each query must
    see at least one key. Returns the context [..., Q, d_k] and the weights [..., Q, K], whose rows sum to 1.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return weights @ value, weights


def fused_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, None]:
    """The same context by PyTorch's fused kernel, which never forms the weights: for training and search."""
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask), None


def dot_score(state: Tensor, keys: Tensor) -> Tensor:
    """a(s, h) = s . h (Luong et al. 2015); with keys = W h instead of h it is their "general" s . W h.

    state is [B, D], keys are [B, S, D]; returns [B, S].
    """
    return (keys @ state.unsqueeze(-1)).squeeze(-1)


def scaled_dot_score(state: Tensor, keys: Tensor) -> Tensor:
    """a(s, h) = s . h / sqrt(D), the Transformer's score with one head and no projections. Shapes as in `dot_score`."""
    return dot_score(state, keys) / math.sqrt(state.size(-1))


def additive_score(state: Tensor, keys: Tensor, v: Tensor) -> Tensor:
    """a(s, h) = v . tanh(W_s s + W_h h) (Bahdanau et al. 2015), for state = W_s s [B, D] and keys = W_h h [B, S, D].

    v is [D]; returns [B, S].
    """
    return (state.unsqueeze(1) + keys).tanh() @ v


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """[B, N, D] -> [B, H, N, d_k]: head h owns the h-th slice of the width."""
    return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """[B, H, N, d_k] -> [B, N, D]: Concat(head_1, ..., head_h)."""
    return x.transpose(1, 2).flatten(-2)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W_O, section 3.2.2 of the paper; no biases there or here.

    The four projections are D x D; head i's own W_Q, W_K, W_V are the i-th slices of them.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, d_model, bias=False)
        self.w_v = nn.Linear(d_model, d_model, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)

    def query(self, x: Tensor) -> Tensor:
        """[B, Q, D] -> [B, H, Q, d_k]."""
        return split_heads(self.w_q(x), self.n_heads)

    def key_value(self, x: Tensor) -> KeysValues:
        """[B, K, D] -> keys and values, each [B, H, K, d_k]; a decoder keeps them from step to step."""
        return split_heads(self.w_k(x), self.n_heads), split_heads(self.w_v(x), self.n_heads)

    def output(self, context: Tensor) -> Tensor:
        """[B, H, Q, d_k] -> [B, Q, D]."""
        return self.w_o(merge_heads(context))
