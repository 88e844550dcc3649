"""The two halves of the model: the encoder layer by layer, as it is or under the decoder's mask, and what each holds.

S source pieces, D width, L layers, H heads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.activations import EncoderActivations, as_array, encoder_activations
from model.intervention import NOTHING, Intervention
from model.records import Floats, Token
from model.search import search
from model.transformer import DecoderLayer, Transformer
from model.translate import Translator


@dataclass(frozen=True, kw_only=True)
class ParameterCounts:
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
def encoder_states(translator: Translator, source: Sequence[Token]) -> Floats:
    """What the encoder's first layer reads of the source and what each layer makes of it: [L + 1, S, D], the last as
    the decoder gets it. ValueError for a recurrent model."""
    return as_array(torch.cat(encoder_activations(translator.transformer(), translator.ids(source)).states))


def causal_reading(translator: Translator, source: Sequence[Token]) -> OneWay:
    """The source read by an encoder in which no piece sees a later one. ValueError for a recurrent model."""
    model = translator.transformer()
    return one_way(model, translator.ids(source), decode=lambda ids: translator.tokenizer.decode(ids)[0])


def parameter_counts(translator: Translator) -> ParameterCounts:
    """How many parameters each half has. ValueError for a recurrent model."""
    return count_parameters(translator.transformer())


def read(model: Transformer, source: Tensor, *, ahead: bool = True) -> EncoderActivations:
    """The encoder's pass over ids [1, S]. Not `ahead`: under the decoder's mask, so that piece i sees pieces 0 to i."""
    masked = Intervention(masked=frozenset(range(model.config.encoder_layers)))
    return encoder_activations(model, source, NOTHING if ahead else masked)


@torch.inference_mode()
def one_way(model: Transformer, source: Tensor, *, decode: Callable[[list[int]], str]) -> OneWay:
    """Read ids [1, S] under the decoder's mask, and translate from what comes out; `decode` makes text of ids."""
    usual, masked = read(model, source).encoded, read(model, source, ahead=False).encoded
    found = search(model, source, encoded=masked)[0][0]
    return OneWay(
        text=decode(found.ids),
        weights=as_array(torch.cat([weights for weights in masked.weights if weights is not None])),
        kept=as_array(F.cosine_similarity(masked.states[0], usual.states[0], dim=-1)),
    )


def count_parameters(model: Transformer) -> ParameterCounts:
    """Every parameter is counted once."""

    def count(*modules: nn.Module) -> int:
        return sum(parameter.numel() for module in modules for parameter in module.parameters())

    layers = [cast(DecoderLayer, layer) for layer in model.decoder]
    cross = sum(count(layer.cross_attention, layer.cross_residual) for layer in layers)
    return ParameterCounts(
        embedding=count(model.embedding),
        encoder=count(model.encoder, model.encoder_norm),
        decoder=count(model.decoder, model.decoder_norm) - cross,
        cross=cross,
    )
