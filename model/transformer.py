"""The encoder-decoder Transformer of "Attention Is All You Need" (Vaswani et al. 2017); no search, no text.

B batch, H heads, S source pieces, T target pieces, D width of the model, V vocabulary, L layers; batch first.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.attention import Attend, MultiHeadAttention, attention, fused_attention
from model.config import TransformerConfig
from model.state import KeysValues, TransformerState

Weights = tuple[Tensor | None, ...]
"""One [B, H, queries, keys] per layer; None where a fused kernel kept them to itself."""


class Encoded(NamedTuple):
    states: Tensor  # [B, S, D]
    mask: Tensor | None  # [B, 1, 1, S], False at padding; None when nothing is padded
    weights: Weights  # L x [B, H, S, S]


class Forced(NamedTuple):
    """One pass over a given target: row t of everything belongs to the piece predicted after reading t pieces."""

    logits: Tensor  # [B, T, V]
    encoder: Weights  # L x [B, H, S, S]
    decoder: Weights  # L x [B, H, T, T]
    cross: Weights  # L x [B, H, T, S]


def sinusoids(length: int, d_model: int) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i / D)), PE(pos, 2i+1) = cos(same), section 3.5. Returns [length, D]."""
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even / d_model)  # [length, D / 2]
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()


class Dropout(nn.Module):
    """Dropout with the probability rounded to 1/256: eight masks from one random 64-bit number, because on a
    CPU `nn.Dropout` spends a tenth of a training step on drawing one number for each."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.dropped = round(probability * 256)

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.dropped:
            return x
        numbers = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
        numbers.random_(torch.iinfo(torch.int64).min, None)
        kept = numbers.view(torch.uint8)[: x.numel()].view(x.shape).ge(self.dropped)
        return x * (kept * (256 / (256 - self.dropped))).to(x.dtype)


class Embedding(nn.Module):
    """Pieces to vectors, x sqrt(D), plus their positions (section 3.4); its table also scores the output."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pieces = nn.Embedding(config.vocab_size, config.d_model)
        self.scale = math.sqrt(config.d_model)
        self.dropout = Dropout(config.dropout)
        self.positions: Tensor | None
        if config.positions == "learned":
            self.positions = nn.Parameter(torch.empty(config.max_length, config.d_model))
        elif config.positions == "sinusoidal":
            self.register_buffer("positions", sinusoids(config.max_length, config.d_model), persistent=False)
        else:
            self.register_buffer("positions", None)

    def forward(self, ids: Tensor, first: int = 0) -> Tensor:
        """[B, N] -> [B, N, D]; `first` is the position of column 0. ValueError beyond max_length."""
        x = self.pieces(ids) * self.scale
        if self.positions is not None:
            if first + ids.size(1) > len(self.positions):
                raise ValueError(f"This model reads at most {len(self.positions)} pieces.")
            x = x + self.positions[first : first + ids.size(1)]
        return self.dropout(x)

    def logits(self, states: Tensor) -> Tensor:
        """[..., D] -> [..., V]."""
        return F.linear(states, self.pieces.weight)


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, equation 2; GELU instead of max where the config says so."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.w_1 = nn.Linear(config.d_model, config.d_ff)
        self.w_2 = nn.Linear(config.d_ff, config.d_model)
        self.activation = F.relu if config.activation == "relu" else F.gelu

    def forward(self, x: Tensor) -> Tensor:
        return self.w_2(self.activation(self.w_1(x)))


class Residual(nn.Module):
    """LayerNorm(x + Sublayer(x)), section 3.1; pre-norm moves the LayerNorm in front of the sublayer."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.d_model)
        self.dropout = Dropout(config.dropout)
        self.pre = config.norm == "pre"

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self.pre:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config.d_model, config.n_heads)
        self.self_residual = Residual(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_residual = Residual(config)

    def forward(self, x: Tensor, mask: Tensor | None, attend: Attend) -> tuple[Tensor, Tensor | None]:
        """x [B, S, D] -> the same shape, and the weights [B, H, S, S]."""
        weights = None

        def look(x: Tensor) -> Tensor:
            nonlocal weights
            keys, values = self.self_attention.key_value(x)
            context, weights = attend(self.self_attention.query(x), keys, values, mask)
            return self.self_attention.output(context)

        x = self.self_residual(x, look)
        return self.feed_forward_residual(x, self.feed_forward), weights


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention over the encoder's output, then feed-forward."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config.d_model, config.n_heads)
        self.self_residual = Residual(config)
        self.cross_attention = MultiHeadAttention(config.d_model, config.n_heads)
        self.cross_residual = Residual(config)
        self.feed_forward = FeedForward(config)
        self.feed_forward_residual = Residual(config)

    def forward(
        self,
        y: Tensor,
        past: KeysValues | None,
        causal_mask: Tensor | None,
        cross: KeysValues,
        source_mask: Tensor | None,
        attend: Attend,
    ) -> tuple[Tensor, KeysValues, Tensor | None, Tensor | None]:
        """y [B, T, D] -> the same shape, the keys and values read so far, self and cross weights."""
        present, self_weights, cross_weights = past, None, None

        def look_back(y: Tensor) -> Tensor:
            nonlocal present, self_weights
            keys, values = self.self_attention.key_value(y)
            if past is not None:
                keys, values = torch.cat((past[0], keys), dim=2), torch.cat((past[1], values), dim=2)
            present = keys, values
            context, self_weights = attend(self.self_attention.query(y), keys, values, causal_mask)
            return self.self_attention.output(context)

        def look_across(y: Tensor) -> Tensor:
            nonlocal cross_weights
            context, cross_weights = attend(self.cross_attention.query(y), *cross, source_mask)
            return self.cross_attention.output(context)

        y = self.self_residual(y, look_back)
        y = self.cross_residual(y, look_across)
        y = self.feed_forward_residual(y, self.feed_forward)
        assert present is not None
        return y, present, self_weights, cross_weights


class Transformer(nn.Module):
    """encode, decode_step and forward: what search and the forced pass need, and what the RNNs offer too."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        pre = config.norm == "pre"
        self.encoder_norm = nn.LayerNorm(config.d_model) if pre else nn.Identity()
        self.decoder_norm = nn.LayerNorm(config.d_model) if pre else nn.Identity()
        self.reset()

    def reset(self) -> None:
        """Xavier matrices; embeddings of variance 1 / D, so that x sqrt(D) has variance 1."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        nn.init.normal_(self.embedding.pieces.weight, std=self.config.d_model**-0.5)
        if isinstance(self.embedding.positions, nn.Parameter):
            nn.init.normal_(self.embedding.positions, std=0.02)

    def encode(self, source: Tensor, attend: Attend = fused_attention) -> Encoded:
        """source ids [B, S], padded with pad_id."""
        mask = source.ne(self.config.pad_id)[:, None, None, :]
        padding = None if bool(mask.all()) else mask
        x, weights = self.embedding(source), []
        for layer in self.encoder:
            x, layer_weights = layer(x, padding, attend)
            weights.append(layer_weights)
        return Encoded(self.encoder_norm(x), padding, tuple(weights))

    def start(self, encoded: Encoded) -> TransformerState:
        """The decoder's state before it has read anything."""
        return TransformerState(
            source_mask=encoded.mask,
            cross=tuple(cast(DecoderLayer, layer).cross_attention.key_value(encoded.states) for layer in self.decoder),
            past=(),
            length=0,
        )

    def decode_step(self, tokens: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Read one more piece per row, tokens [B]. Returns log-probabilities of the next [B, V] and the new state."""
        y, past = self.embedding(tokens[:, None], first=state.length), []
        for i, layer in enumerate(self.decoder):
            before = state.past[i] if state.past else None
            y, present, _, _ = layer(y, before, None, state.cross[i], state.source_mask, fused_attention)
            past.append(present)
        log_probs = self.embedding.logits(self.decoder_norm(y[:, 0])).log_softmax(-1)
        return log_probs, TransformerState(
            source_mask=state.source_mask, cross=state.cross, past=tuple(past), length=state.length + 1
        )

    def forward(self, source: Tensor, target: Tensor, attend: Attend = attention) -> Forced:
        """source ids [B, S]; target ids [B, T] as read, so starting with bos_id. Padded targets need no mask:
        padding comes last, and nobody looks ahead."""
        encoded = self.encode(source, attend)
        state = self.start(encoded)
        causal_mask = torch.ones(target.size(1), target.size(1), dtype=torch.bool, device=target.device).tril()
        y, decoder, cross = self.embedding(target), [], []
        for layer, cross_keys_values in zip(self.decoder, state.cross, strict=True):
            y, _, self_weights, cross_weights = layer(y, None, causal_mask, cross_keys_values, encoded.mask, attend)
            decoder.append(self_weights)
            cross.append(cross_weights)
        logits = self.embedding.logits(self.decoder_norm(y))
        return Forced(logits, encoded.weights, tuple(decoder), tuple(cross))
