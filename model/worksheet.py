"""One attention head step by step: every stage of a layer computed from its equation, not by calling the layer.

One sentence, without padding. H heads, Q queries, K keys, D width of the model, d_k = D / H width of a head. A model is
shared and stays as it is. Tests hold the last stage of every layer against what the model itself makes of it.
"""

import math
import typing
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from model.attention import MultiHeadAttention, attention
from model.sheet import AS_IT_IS, Activation, FeedForwardSteps, Kind, LayerWeights, Norm, Readout, WhatIf, Worksheet
from model.trace import Floats
from model.transformer import DecoderLayer, EncoderLayer, FeedForward, Residual, Transformer


@torch.inference_mode()
def worksheet(
    model: Transformer,
    source_ids: Tensor,
    target_in: Tensor,
    kind: Kind,
    layer: int,
    head: int,
    what_if: WhatIf = AS_IT_IS,
) -> Worksheet:
    """The stages of one head in the pass that reads source_ids [1, S] and target_in [1, T], which starts with bos_id:

        Q = X W_Q, K = X W_K, V = X W_V;  weights = softmax(Q K^T / sqrt(d_k) + mask);  context = weights V;
        output = Concat(contexts of all heads) W_O;  then residual connection, LayerNorm and feed-forward.

    With `what_if` this one layer does something differently. ValueError when there is no such kind, layer or head.
    """
    assert not model.training
    assert not (source_ids == model.config.pad_id).any(), "one sentence needs no padding"
    check(model, kind, layer, head)
    x_query, x_key = entering(model, source_ids, target_in, kind, layer)
    block = layer_of(model, kind, layer)
    heads, around = sublayer(block, kind)

    read_query = x_query
    if around.pre:
        read_query, norm = layer_norm(around.norm, x_query)
    read_key = x_key if kind == "cross" else read_query

    w_q, w_k, w_v = (slices(part, heads.n_heads) for part in (heads.w_q, heads.w_k, heads.w_v))
    q, k, v = read_query @ w_q, read_key @ w_k, read_key @ w_v  # [H, Q, d_k], then twice [H, K, d_k]
    products = q @ k.mT  # [H, Q, K]
    scaled = products / math.sqrt(q.size(-1)) if what_if.scale else products
    masked = scaled
    if kind == "decoder" and what_if.mask:
        masked = scaled.masked_fill(~causal(scaled.size(-1), scaled.device), -torch.inf)
    powers = (masked - masked.amax(-1, keepdim=True)).exp()
    weights = powers / powers.sum(-1, keepdim=True)
    context = weights @ v  # [H, Q, d_k]
    concat = torch.cat(tuple(context), dim=-1)  # [Q, D]
    output = concat @ heads.w_o.weight.T
    residual = x_query + output if what_if.residual else output

    leaving = residual
    if not around.pre:
        leaving, norm = layer_norm(around.norm, residual)
    follows = None if kind == "decoder" else feed_forward(model, block, leaving, what_if)
    return Worksheet(
        kind=kind,
        layer=layer,
        head=head,
        pre=around.pre,
        what_if=what_if,
        first=head * q.size(-1),
        x_query=array(x_query),
        x_key=array(x_key),
        w_q=array(w_q[head]),
        w_k=array(w_k[head]),
        w_v=array(w_v[head]),
        q=array(q[head]),
        k=array(k[head]),
        v=array(v[head]),
        products=array(products[head]),
        scaled=array(scaled[head]),
        masked=array(masked[head]),
        weights=array(weights[head]),
        context=array(context[head]),
        concat=array(concat),
        output=array(output),
        residual=array(residual),
        norm=norm,
        feed_forward=follows,
    )


@torch.inference_mode()
def readout(model: Transformer, source_ids: Tensor, target_in: Tensor, pieces: Sequence[int]) -> Readout:
    """What the same pass makes of its last vectors, for the `pieces` of these ids."""
    y, _ = entering(model, source_ids, target_in, "decoder", len(model.decoder))
    states = model.decoder_norm(y)
    logits = model.embedding.logits(states).float()  # [T, V]
    return Readout(states=array(states), logits=array(logits[:, list(pieces)]), log_sums=array(logits.logsumexp(-1)))


def layer_weights(model: Transformer, kind: Kind, layer: int) -> LayerWeights:
    """The matrices of a layer that are not one head's own. ValueError when there is no such kind or layer."""
    check(model, kind, layer, 0)
    block = layer_of(model, kind, layer)
    heads, _ = sublayer(block, kind)
    network: FeedForward | None = None if kind == "decoder" else block.feed_forward
    return LayerWeights(
        w_o=view(heads.w_o.weight.T),
        w_1=view(network.w_1.weight.T) if network else None,
        w_2=view(network.w_2.weight.T) if network else None,
    )


def check(model: Transformer, kind: str, layer: int, head: int) -> None:
    """ValueError with a sentence unless the model has this head."""
    kinds = typing.get_args(Kind)
    if kind not in kinds:
        raise ValueError(f"There is no attention called {kind!r}: choose {', '.join(kinds)}.")
    name, layers = ("encoder", model.encoder) if kind == "encoder" else ("decoder", model.decoder)
    for what, number, count in (("layer", layer, len(layers)), ("head", head, model.config.n_heads)):
        if not 0 <= number < count:
            raise ValueError(f"This model's {name} has {what}s 0 to {count - 1}; there is no {what} {number}.")


def entering(
    model: Transformer, source_ids: Tensor, target_in: Tensor, kind: Kind, layer: int
) -> tuple[Tensor, Tensor]:
    """What comes in on the side of the queries [Q, D] and of the keys [K, D], by the model's own earlier layers."""
    if kind == "encoder":
        x = model.embed(source_ids)
        for each in model.encoder[:layer]:
            x, _ = each(x, None, attention)
        return x[0], x[0]
    states = model.encode(source_ids, attention).states
    y = model.embed(target_in)
    past = causal(y.size(1), y.device)
    for each in model.decoder[:layer]:
        y, _, _ = each(y, past, cast(DecoderLayer, each).cross_attention.key_value(states), None, attention)
    if kind == "decoder":
        return y[0], y[0]
    block = cast(DecoderLayer, model.decoder[layer])

    def look_back(y: Tensor) -> Tensor:
        context, _ = attention(block.self_attention.query(y), *block.self_attention.key_value(y), past)
        return block.self_attention.output(context)

    return block.self_residual(y, look_back)[0], states[0]


def layer_of(model: Transformer, kind: Kind, layer: int) -> EncoderLayer | DecoderLayer:
    return cast(EncoderLayer | DecoderLayer, (model.encoder if kind == "encoder" else model.decoder)[layer])


def sublayer(block: EncoderLayer | DecoderLayer, kind: Kind) -> tuple[MultiHeadAttention, Residual]:
    """One kind of attention in a layer, and the residual connection and LayerNorm around it."""
    if kind == "cross":
        block = cast(DecoderLayer, block)
        return block.cross_attention, block.cross_residual
    return block.self_attention, block.self_residual


def feed_forward(
    model: Transformer, block: EncoderLayer | DecoderLayer, x: Tensor, what_if: WhatIf
) -> FeedForwardSteps:
    """The stages of FFN(x) = activation(x W_1 + b_1) W_2 + b_2 for x [Q, D], with what is around it."""
    network: FeedForward = block.feed_forward
    around = block.feed_forward_residual
    read = x
    if around.pre:
        read, norm = layer_norm(around.norm, x)
    hidden = read @ network.w_1.weight.T + network.w_1.bias  # [Q, d_ff]
    activation = what_if.activation or model.config.activation
    activated = ACTIVATIONS[activation](hidden)
    output = activated @ network.w_2.weight.T + network.w_2.bias
    residual = x + output if what_if.residual else output
    if not around.pre:
        _, norm = layer_norm(around.norm, residual)
    return FeedForwardSteps(
        activation=activation,
        hidden=array(hidden),
        activated=array(activated),
        output=array(output),
        residual=array(residual),
        norm=norm,
    )


def relu(x: Tensor) -> Tensor:
    """max(0, x)."""
    return x.clamp(min=0)


def gelu(x: Tensor) -> Tensor:
    """x times the share of a standard normal distribution that lies below x (Hendrycks and Gimpel 2016)."""
    return x * (1 + (x / math.sqrt(2)).erf()) / 2


ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {"relu": relu, "gelu": gelu}


def activate(name: Activation, x: Floats) -> Floats:
    """An activation of each number, for a picture."""
    return array(ACTIVATIONS[name](torch.tensor(x)))


def causal(length: int, device: torch.device) -> Tensor:
    """[T, T], True where a query may look: at itself and at what was read before."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def slices(projection: nn.Linear, n_heads: int) -> Tensor:
    """Each head's own matrix: [D, D] -> [H, D, d_k], the h-th columns of x -> x W."""
    return projection.weight.T.unflatten(1, (n_heads, -1)).transpose(0, 1)


def layer_norm(norm: nn.LayerNorm, x: Tensor) -> tuple[Tensor, Norm]:
    """gamma * (x - mean) / deviation + beta for each row of x [Q, D], and the numbers that it took."""
    mean = x.mean(-1, keepdim=True)
    deviation = ((x - mean).square().mean(-1, keepdim=True) + norm.eps).sqrt()
    normed = norm.weight * (x - mean) / deviation + norm.bias
    return normed, Norm(
        mean=array(mean[:, 0]),
        deviation=array(deviation[:, 0]),
        gamma=array(norm.weight),
        beta=array(norm.bias),
        normed=array(normed),
    )


def view(values: Tensor) -> Floats:
    """The same numbers, which cannot be written to through this; a copy only if they lie elsewhere or are shorter."""
    shared = values.detach().float().cpu().numpy()
    shared.setflags(write=False)
    return shared


def array(values: Tensor) -> Floats:
    """A copy, so that it is nobody else's memory, that cannot be written to: many visitors share it."""
    copied = np.array(values.float().cpu().numpy(), order="C")
    copied.setflags(write=False)
    return copied
