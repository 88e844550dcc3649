"""The one instrumented pass of the Transformer: every intermediate of both halves, under any `Intervention`.

B batch, H heads, Q queries, K keys, S source pieces, T target pieces, D width of the model, d_k = D / H width of one
head, F width inside a feed-forward network, V vocabulary, L layers; batch first. Self-attention has Q = K = S in the
encoder and Q = K = T in the decoder, cross-attention Q = T and K = S.

The model is shared and stays as it is. Where nothing is done otherwise, all numbers are those of `Transformer.forward`,
to the last bit. Gradients flow if the caller asks for them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor

from model.attention import MultiHeadAttention, causal_mask, merge_heads
from model.decoder_state import Forced
from model.intervention import NOTHING, Activation, Head, Intervention, Kind, Place, Stack
from model.records import Floats
from model.transformer import DecoderLayer, Encoded, EncoderLayer, FeedForward, Residual, Transformer

ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu}


@dataclass(frozen=True, kw_only=True, eq=False)
class EmbeddingActivations:
    """What the first layer reads of N pieces."""

    pieces: Tensor
    """[B, N, D], embeddings x sqrt(D)."""
    positions: Tensor
    """[N, D]; all 0 without positions."""
    sum: Tensor
    """[B, N, D]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AttentionActivations:
    """One attention sublayer, stage by stage. Post-norm: x_query -> attention -> residual -> LayerNorm. Pre-norm:
    x_query -> LayerNorm -> attention -> residual."""

    x_query: Tensor
    """[B, Q, D], what enters the sublayer."""
    x_key: Tensor
    """[B, K, D], the same; with cross-attention the encoder's output."""
    read_query: Tensor
    """[B, Q, D], what W_Q is applied to: x_query, or with pre-norm its LayerNorm."""
    read_key: Tensor
    """[B, K, D], what W_K and W_V are applied to: read_query; with cross-attention x_key."""
    q: Tensor
    """[B, H, Q, d_k]."""
    k: Tensor
    """[B, H, K, d_k], as v."""
    v: Tensor
    products: Tensor
    """[B, H, Q, K], Q K^T."""
    scores: Tensor
    """[B, H, Q, K], products / sqrt(d_k)."""
    masked: Tensor
    """[B, H, Q, K], scores, but -inf where a key is hidden from a query."""
    weights: Tensor
    """[B, H, Q, K], softmax of each row of `masked`."""
    context: Tensor
    """[B, H, Q, d_k], weights V."""
    concat: Tensor
    """[B, Q, D], the contexts of all heads side by side."""
    output: Tensor
    """[B, Q, D], concat W_O."""
    residual: Tensor
    """[B, Q, D], x_query + output."""
    leaves: Tensor
    """[B, Q, D], what the next sublayer gets: the LayerNorm of `residual`, or with pre-norm `residual`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FeedForwardActivations:
    """One feed-forward sublayer, stage by stage."""

    enters: Tensor
    """[B, Q, D]."""
    read: Tensor
    """[B, Q, D], what W_1 is applied to: `enters`, or with pre-norm its LayerNorm."""
    hidden: Tensor
    """[B, Q, F], read W_1 + b_1."""
    activation: Activation
    activated: Tensor
    """[B, Q, F]."""
    output: Tensor
    """[B, Q, D], activated W_2 + b_2."""
    residual: Tensor
    """[B, Q, D], enters + output."""
    leaves: Tensor
    """[B, Q, D], what the layer hands on."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EncoderLayerActivations:
    attention: AttentionActivations
    feed_forward: FeedForwardActivations


@dataclass(frozen=True, kw_only=True, eq=False)
class DecoderLayerActivations:
    attention: AttentionActivations
    """Over what has been read."""
    cross: AttentionActivations
    feed_forward: FeedForwardActivations


@dataclass(frozen=True, kw_only=True, eq=False)
class EncoderActivations:
    embedded: EmbeddingActivations
    layers: tuple[EncoderLayerActivations, ...]
    encoded: Encoded
    """What the decoder gets: states [B, S, D], which with pre-norm have passed one more LayerNorm, mask and weights."""

    @property
    def states(self) -> tuple[Tensor, ...]:
        """L + 1 of [B, S, D]: what the first layer reads and what each layer hands on, the last as the decoder gets
        it."""
        return *(layer.attention.x_query for layer in self.layers), self.encoded.states


@dataclass(frozen=True, kw_only=True, eq=False)
class DecoderActivations:
    embedded: EmbeddingActivations
    layers: tuple[DecoderLayerActivations, ...]
    states: Tensor
    """[B, T, D], what leaves the last layer, with pre-norm through one more LayerNorm."""
    logits: Tensor
    """[B, T, V]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Activations:
    """Every intermediate of one pass over a source and a target."""

    encoder: EncoderActivations
    decoder: DecoderActivations

    def attention(self, kind: Kind, layer: int) -> AttentionActivations:
        """One kind of attention in one layer."""
        if kind == "encoder":
            return self.encoder.layers[layer].attention
        found = self.decoder.layers[layer]
        return found.cross if kind == "cross" else found.attention

    @property
    def forced(self) -> Forced:
        """The same pass as `Transformer.forward` returns it."""
        return Forced(
            logits=self.decoder.logits,
            encoder=self.encoder.encoded.weights,
            decoder=tuple(layer.attention.weights for layer in self.decoder.layers),
            cross=tuple(layer.cross.weights for layer in self.decoder.layers),
        )


def activations(
    model: Transformer, source: Tensor, target: Tensor, intervention: Intervention = NOTHING
) -> Activations:
    """Read source ids [B, S] and target ids [B, T], which start with bos_id; both may end in padding. ValueError when
    one is longer than the model reads, or when the intervention names a layer or head that it does not have."""
    encoder = encoder_activations(model, source, intervention)
    return Activations(encoder=encoder, decoder=decoder_activations(model, encoder.encoded, target, intervention))


def encoder_activations(
    model: Transformer, source: Tensor, intervention: Intervention = NOTHING, embedded: Tensor | None = None
) -> EncoderActivations:
    """The first half, for source ids [B, S]. `embedded` [B, S, D] takes the place of what the first layer would read,
    for whoever wants the gradient with respect to it."""
    assert not model.training, "dropout would make every pass another one"
    intervention.check(model.config)
    read = _embed(model, source, "encoder", intervention)
    x, layers = read.sum if embedded is None else embedded, []
    padding = model.padding_mask(source)
    past = causal_mask(source.size(1), source.device)
    for i, each in enumerate(model.encoder):
        layer = cast(EncoderLayer, each)
        mask = padding
        if i in intervention.masked:
            mask = past if padding is None else past & padding
        place = Place("encoder", i)
        looked = _attend(layer.self_attention, layer.self_residual, x, None, mask, place, intervention)
        place = Place("encoder feed-forward", i)
        fed = _feed_forward(model, layer.feed_forward, layer.feed_forward_residual, looked.leaves, place, intervention)
        layers.append(EncoderLayerActivations(attention=looked, feed_forward=fed))
        x = fed.leaves
    weights = tuple(layer.attention.weights for layer in layers)
    return EncoderActivations(
        embedded=read, layers=tuple(layers), encoded=Encoded(model.encoder_norm(x), padding, weights)
    )


def decoder_activations(
    model: Transformer, encoded: Encoded, target: Tensor, intervention: Intervention = NOTHING
) -> DecoderActivations:
    """The second half, for a source that is encoded already and target ids [B, T]."""
    assert not model.training, "dropout would make every pass another one"
    intervention.check(model.config)
    read = _embed(model, target, "decoder", intervention)
    y, layers = read.sum, []
    past = causal_mask(target.size(1), target.device)
    for i, each in enumerate(model.decoder):
        layer = cast(DecoderLayer, each)
        mask = None if i in intervention.unmasked else past
        place = Place("decoder", i)
        looked = _attend(layer.self_attention, layer.self_residual, y, None, mask, place, intervention)
        place = Place("cross", i)
        across = _attend(
            layer.cross_attention,
            layer.cross_residual,
            looked.leaves,
            encoded.states,
            encoded.mask,
            place,
            intervention,
        )
        place = Place("decoder feed-forward", i)
        fed = _feed_forward(model, layer.feed_forward, layer.feed_forward_residual, across.leaves, place, intervention)
        layers.append(DecoderLayerActivations(attention=looked, cross=across, feed_forward=fed))
        y = fed.leaves
    states = model.decoder_norm(y)
    return DecoderActivations(embedded=read, layers=tuple(layers), states=states, logits=model.embedding.logits(states))


def _embed(model: Transformer, ids: Tensor, stack: Stack, intervention: Intervention) -> EmbeddingActivations:
    pieces, positions = model.embedding.parts(ids)
    if positions is None or stack in intervention.without_positions:
        return EmbeddingActivations(pieces=pieces, positions=torch.zeros_like(pieces[0]), sum=pieces)
    return EmbeddingActivations(pieces=pieces, positions=positions, sum=pieces + positions)


def _attend(
    heads: MultiHeadAttention,
    around: Residual,
    x_query: Tensor,
    memory: Tensor | None,
    mask: Tensor | None,
    place: Place,
    intervention: Intervention,
) -> AttentionActivations:
    """One sublayer; `memory` [B, K, D] is the encoder's output for cross-attention, None for self-attention."""
    read_query = _before(around, x_query, place, intervention)
    read_key = read_query if memory is None else memory
    q, (k, v) = heads.query(read_query), heads.key_value(read_key)
    products = q @ k.mT
    scores = products if place in intervention.unscaled else products / math.sqrt(q.size(-1))
    masked = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    weights = masked.softmax(-1)
    uniform = _numbers(intervention.uniform, place)
    if uniform:
        visible = masked[:, uniform].isfinite().to(weights)
        weights = weights.clone()
        weights[:, uniform] = visible / visible.sum(-1, keepdim=True)
    context = weights @ v
    cut = _numbers(intervention.cut, place)
    if cut:
        context = context.clone()
        context[:, cut] = 0
    output = heads.output(context)
    residual = output if place in intervention.without_residual else x_query + output
    return AttentionActivations(
        x_query=x_query,
        x_key=x_query if memory is None else memory,
        read_query=read_query,
        read_key=read_key,
        q=q,
        k=k,
        v=v,
        products=products,
        scores=scores,
        masked=masked,
        weights=weights,
        context=context,
        concat=merge_heads(context),
        output=output,
        residual=residual,
        leaves=_after(around, residual, place, intervention),
    )


def _feed_forward(
    model: Transformer, network: FeedForward, around: Residual, x: Tensor, place: Place, intervention: Intervention
) -> FeedForwardActivations:
    read = _before(around, x, place, intervention)
    hidden = network.w_1(read)
    activation = next((other for at, other in intervention.activations if at == place), model.config.activation)
    activated = ACTIVATIONS[activation](hidden)
    output = network.w_2(activated)
    residual = output if place in intervention.without_residual else x + output
    return FeedForwardActivations(
        enters=x,
        read=read,
        hidden=hidden,
        activation=activation,
        activated=activated,
        output=output,
        residual=residual,
        leaves=_after(around, residual, place, intervention),
    )


def _before(around: Residual, x: Tensor, place: Place, intervention: Intervention) -> Tensor:
    """What the sublayer reads: pre-norm has its LayerNorm here."""
    return cast(Tensor, around.norm(x)) if around.pre and place not in intervention.without_norm else x


def _after(around: Residual, x: Tensor, place: Place, intervention: Intervention) -> Tensor:
    """What the sublayer hands on: post-norm has its LayerNorm here."""
    return x if around.pre or place in intervention.without_norm else cast(Tensor, around.norm(x))


def _numbers(heads: frozenset[Head], place: Place) -> list[int]:
    """Of the heads at this place, from 0."""
    return sorted(head.head for head in heads if (head.kind, head.layer) == place)


def as_array(values: Tensor) -> Floats:
    """A copy of the numbers in the CPU's memory, so that it is nobody else's."""
    return values.detach().to("cpu", torch.float32, copy=True).contiguous().numpy()
