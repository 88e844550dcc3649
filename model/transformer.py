"""The encoder-decoder Transformer of "Attention Is All You Need" (Vaswani et al. 2017); no search, no text.

B batch, H heads, S source pieces, T target pieces, D width of the model, V vocabulary, L layers; batch first.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model import fast_decode
from model.attention import Attend, KeysValues, MultiHeadAttention, attention, causal_mask, fused_attention
from model.config import TransformerConfig
from model.decoder_state import Forced, TransformerState, Weights
from model.errors import UserError


class Encoded(NamedTuple):
    states: Tensor  # [B, S, D]
    mask: Tensor | None  # [B, 1, 1, S], False at padding; None when nothing is padded
    weights: Weights  # L x [B, H, S, S]


def sinusoids(length: int, d_model: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i / D)), PE(pos, 2i+1) = cos(same), section 3.5. Returns [length, D]."""
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even / d_model)  # [length, D / 2]
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).to(dtype)


class Dropout(nn.Module):
    """Dropout with the probability rounded to 1/256: eight masks from one random 64-bit number, because on a
    CPU `nn.Dropout` spends a tenth of a training step on drawing one number for each."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.dropped = min(round(probability * 256), 255)

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
        """[B, N] -> [B, N, D]; `first` is the position of column 0. UserError beyond max_length."""
        x, places = self.parts(ids, first)
        return self.dropout(x if places is None else x + places)

    def parts(self, ids: Tensor, first: int = 0) -> tuple[Tensor, Tensor | None]:
        """The two summands: pieces x sqrt(D) [B, N, D] and positions [N, D], None in a model without."""
        places = None
        if self.positions is not None:
            if first + ids.size(1) > len(self.positions):
                raise UserError("too_long", limit=len(self.positions))
            places = self.positions[first : first + ids.size(1)]
        return self.pieces(ids) * self.scale, places

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
        self, y: Tensor, past: Tensor, cross: KeysValues, source_mask: Tensor | None, attend: Attend
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """y [B, T, D] -> the same shape, self weights [B, H, T, T] and cross weights [B, H, T, S]."""
        self_weights = cross_weights = None

        def look_back(y: Tensor) -> Tensor:
            nonlocal self_weights
            keys, values = self.self_attention.key_value(y)
            context, self_weights = attend(self.self_attention.query(y), keys, values, past)
            return self.self_attention.output(context)

        def look_across(y: Tensor) -> Tensor:
            nonlocal cross_weights
            context, cross_weights = attend(self.cross_attention.query(y), *cross, source_mask)
            return self.cross_attention.output(context)

        y = self.self_residual(y, look_back)
        y = self.cross_residual(y, look_across)
        return self.feed_forward_residual(y, self.feed_forward), self_weights, cross_weights


class Transformer(nn.Module):
    """encode, decode_step and forward: what search and the forced pass need, and what the RNNs offer too."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = Embedding(config)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.step_layers: tuple[
            fast_decode.StepLayer, ...
        ] = ()  # made once the weights are final, else for each search
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

    @torch.no_grad()
    def store_by_columns(self) -> "Transformer":
        """Keep every matrix in memory column after column; shapes and results stay. For a model that learns no more.

        A decoding step multiplies each matrix by one vector, so it is as fast as memory can be read, and by columns it
        is read in one sweep: a step takes two thirds of the time on a CPU.
        """
        for parameter in self.parameters():
            if parameter.dim() == 2:
                parameter.data = parameter.data.t().contiguous().t()
        self.step_layers = fast_decode.step_layers(self)
        return self

    def embed(self, ids: Tensor) -> Tensor:
        """[B, N] -> [B, N, D], positions included. UserError beyond max_length."""
        return self.embedding(ids)

    def padding_mask(self, source: Tensor) -> Tensor | None:
        """ids [B, S] -> [B, 1, 1, S], False at padding. None without any, which saves a product; a GPU is not asked:
        the answer would make it wait."""
        mask = source.ne(self.config.pad_id)[:, None, None, :]
        return None if source.device.type == "cpu" and bool(mask.all()) else mask

    def encode(self, source: Tensor, attend: Attend = fused_attention, embedded: Tensor | None = None) -> Encoded:
        """source ids [B, S], padded with pad_id. `embedded` [B, S, D] is what `embed` makes of them, for whoever wants
        the gradient with respect to it."""
        padding = self.padding_mask(source)
        x, weights = self.embed(source) if embedded is None else embedded, []
        for layer in self.encoder:
            x, layer_weights = layer(x, padding, attend)
            weights.append(layer_weights)
        return Encoded(self.encoder_norm(x), padding, tuple(weights))

    def start(self, encoded: Encoded) -> TransformerState:
        """The decoder's state before it has read anything."""
        return TransformerState(
            layers=self.step_layers or fast_decode.step_layers(self),
            source_mask=encoded.mask,
            cross=tuple(cast(DecoderLayer, layer).cross_attention.key_value(encoded.states) for layer in self.decoder),
            past=(),
            length=0,
        )

    def decode_step(self, tokens: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Read one more piece per row, tokens [B]. Returns log-probabilities of the next [B, V] and the new state."""
        return fast_decode.decode_step(self, tokens, state)

    def forward(self, source: Tensor, target: Tensor, attend: Attend = attention) -> Forced:
        """source ids [B, S]; target ids [B, T] as read, so starting with bos_id. Padded targets need no mask:
        padding comes last, and nobody looks ahead."""
        return self.force(self.encode(source, attend), target, attend)

    def force(self, encoded: Encoded, target: Tensor, attend: Attend = attention) -> Forced:
        """The second half of `forward`, for a source that is encoded already."""
        past = causal_mask(target.size(1), target.device)
        y, decoder, cross = self.embedding(target), [], []
        for layer in self.decoder:
            keys_values = cast(DecoderLayer, layer).cross_attention.key_value(encoded.states)
            y, self_weights, cross_weights = layer(y, past, keys_values, encoded.mask, attend)
            decoder.append(self_weights)
            cross.append(cross_weights)
        logits = self.embedding.logits(self.decoder_norm(y))
        return Forced(logits, encoded.weights, tuple(decoder), tuple(cross))
