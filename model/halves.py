"""The two halves of the model: the encoder layer by layer, as it is or under the decoder's mask, and what each holds.

S source pieces, D width, L layers, H heads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.attention import attention
from model.search import search
from model.trace import Floats
from model.transformer import DecoderLayer, Encoded, EncoderLayer, Transformer


@dataclass(frozen=True, kw_only=True)
class Parts:
    """How many numbers a model has learnt, by where they are used."""

    embedding: int
    """One table for both halves and for the output; with the positions, if they are learnt."""
    encoder: int
    decoder: int
    """Without cross-attention."""
    cross: int
    """The decoder's cross-attention, and the LayerNorms that belong to it."""

    @property
    def total(self) -> int:
        return self.embedding + self.encoder + self.decoder + self.cross

    @property
    def encoder_only(self) -> int:
        return self.embedding + self.encoder

    @property
    def decoder_only(self) -> int:
        """Nothing is left to look across at."""
        return self.embedding + self.decoder


def parts(model: Transformer) -> Parts:
    """Every parameter is counted once."""

    def count(*modules: nn.Module) -> int:
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    layers = [cast(DecoderLayer, layer) for layer in model.decoder]
    cross = sum(count(layer.cross_attention, layer.cross_residual) for layer in layers)
    return Parts(
        embedding=count(model.embedding),
        encoder=count(model.encoder, model.encoder_norm),
        decoder=count(model.decoder, model.decoder_norm) - cross,
        cross=cross,
    )


def read(model: Transformer, source: Tensor, *, ahead: bool = True) -> tuple[Tensor, Tensor]:
    """The encoder's pass over one sentence, ids [1, S]: what its first layer reads and what each layer puts out,
    [L + 1, S, D], the last as the decoder gets it; and the weights [L, H, S, S]. Not `ahead`: under the decoder's mask,
    so that piece i sees pieces 0 to i. The model stays as it is."""
    size = source.size(1)
    mask = None if ahead else torch.ones(size, size, dtype=torch.bool, device=source.device).tril()
    x, states, weights = model.embed(source), [], []
    for layer in model.encoder:
        states.append(x)
        x, seen = cast(EncoderLayer, layer)(x, mask, attention)
        weights.append(seen)
    return torch.cat((*states, model.encoder_norm(x))), torch.cat(weights)


@torch.inference_mode()
def encoder_states(model: Transformer, source: Tensor) -> Tensor:
    """The states that `read` has, [L + 1, S, D]."""
    return read(model, source)[0]


@dataclass(frozen=True, kw_only=True, eq=False)
class OneWay:
    """A sentence as the encoder reads it when no piece sees a later one. It was trained otherwise."""

    text: str
    """The translation that greedy search finds then."""
    weights: Floats
    """[L, H, S, S]; later keys have exactly 0."""
    kept: Floats
    """[S]: cosine of each piece's last state with the one that it has when all see all."""


@torch.inference_mode()
def one_way(model: Transformer, source: Tensor, *, decode: Callable[[list[int]], str]) -> OneWay:
    """Read ids [1, S] under the decoder's mask, and translate from what comes out; `decode` makes text of ids."""
    usual, _ = read(model, source)
    states, weights = read(model, source, ahead=False)
    found = search(model, source, encoded=Encoded(states[-1:], None, ()))[0][0]
    return OneWay(
        text=decode(found.ids),
        weights=weights.float().cpu().numpy(),
        kept=F.cosine_similarity(states[-1], usual[-1], dim=-1).float().cpu().numpy(),
    )
