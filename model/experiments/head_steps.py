"""One attention head step by step, what comes before and after it, and how long the vectors are that it weighs.

One sentence, without padding. H heads, Q queries, K keys, T steps, D width of the model, d_k = D / H width of a head, V
vocabulary, L layers. Tests hold every stage against its equation, and the last of each layer against what the model
itself makes of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from model.activations import (
    ACTIVATIONS,
    Activations,
    FeedForwardActivations,
    activations,
    as_array,
)
from model.attention import MultiHeadAttention
from model.intervention import (
    ATTENTION_KINDS,
    NOTHING,
    Activation,
    Intervention,
    Kind,
    Part,
    Place,
    check_head,
    check_layer,
)
from model.records import Floats, Translation
from model.transformer import DecoderLayer, EncoderLayer, FeedForward, Residual, Transformer
from model.translate import Translator


@dataclass(frozen=True, kw_only=True)
class WhatIf:
    """What one layer does differently on a worksheet, with all its heads; the layers before it stay as they are."""

    scale: bool = True
    """False: scores are not divided by sqrt(d_k)."""
    mask: bool = True
    """False: the future is not hidden. Only the decoder's self-attention hides it."""
    activation: Activation | None = None
    """Of the feed-forward network; None is the model's own."""
    residual: bool = True
    """False: what enters a sublayer is not added to what it says, neither after attention nor after feed-forward."""

    def intervention(self, kind: Kind, layer: int) -> Intervention:
        """The same as what a whole pass does otherwise at this layer."""
        network: Part = "encoder feed-forward" if kind == "encoder" else "decoder feed-forward"
        here, after = Place(kind, layer), Place(network, layer)
        return Intervention(
            unscaled=frozenset() if self.scale else frozenset({here}),
            unmasked=frozenset() if self.mask or kind != "decoder" else frozenset({layer}),
            activations=frozenset({(after, self.activation)}) if self.activation else frozenset(),
            without_residual=frozenset() if self.residual else frozenset({here, after}),
        )


AS_IT_IS = WhatIf()


@dataclass(frozen=True, kw_only=True, eq=False)
class NormSteps:
    """One LayerNorm: normed = gamma * (x - mean) / deviation + beta, Ba et al. 2016."""

    mean: Floats
    """[Q], of each row x."""
    deviation: Floats
    """[Q], sqrt(variance + epsilon) of each row."""
    gamma: Floats
    """[D]."""
    beta: Floats
    """[D]."""
    normed: Floats
    """[Q, D]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FeedForwardSteps:
    """activation(y W_1 + b_1) W_2 + b_2 for each row y, equation 2 of Vaswani et al. 2017, and what follows it."""

    activation: Activation
    hidden: Floats
    """[Q, d_ff], y W_1 + b_1."""
    activated: Floats
    """[Q, d_ff]."""
    output: Floats
    """[Q, D]."""
    residual: Floats
    """[Q, D], output + what entered the sublayer."""
    norm: NormSteps
    """Post-norm: of `residual`. Pre-norm: of the attention's residual; it then makes the rows y."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Worksheet:
    """One head of one layer, stage by stage, and what the layer makes of all its heads.

    Q queries, K keys, D width of the model, d_k = D / H width of a head. Post-norm: x_query -> attention -> residual ->
    norm. Pre-norm: x_query -> norm -> attention -> residual. Nothing here can be written to.
    """

    kind: Kind
    layer: int
    head: int
    pre: bool
    """Whether LayerNorm comes before a sublayer (pre-norm) or after its residual connection (post-norm, the paper)."""
    what_if: WhatIf
    first: int
    """The head owns columns [first, first + d_k) of W_Q, W_K, W_V and of `concat`."""
    x_query: Floats
    """[Q, D], what enters the layer, or with cross-attention the sublayer."""
    x_key: Floats
    """[K, D], the same; with cross-attention the encoder's output."""
    w_q: Floats
    """[D, d_k], as w_k and w_v."""
    w_k: Floats
    w_v: Floats
    q: Floats
    """[Q, d_k]."""
    k: Floats
    """[K, d_k], as v."""
    v: Floats
    products: Floats
    """[Q, K], Q K^T."""
    scaled: Floats
    """[Q, K], products / sqrt(d_k)."""
    masked: Floats
    """[Q, K], scaled, but -inf where a key is hidden from a query."""
    weights: Floats
    """[Q, K], softmax of each row of `masked`."""
    context: Floats
    """[Q, d_k], weights V."""
    concat: Floats
    """[Q, D], the contexts of all heads side by side."""
    output: Floats
    """[Q, D], concat W_O."""
    residual: Floats
    """[Q, D], x_query + output."""
    norm: NormSteps
    """Post-norm: of `residual`. Pre-norm: of x_query, for W_Q and, in self-attention, W_K and W_V to read."""
    feed_forward: FeedForwardSteps | None
    """Of the same layer; None for the decoder's self-attention, which it does not follow."""

    @property
    def read_query(self) -> Floats:
        """[Q, D], what W_Q is applied to."""
        return self.norm.normed if self.pre else self.x_query

    @property
    def read_key(self) -> Floats:
        """[K, D], what W_K and W_V are applied to."""
        return self.norm.normed if self.pre and self.kind != "cross" else self.x_key

    @property
    def leaves(self) -> Floats:
        """[Q, D], the last stage: what the layer hands on, or the decoder's self-attention to cross-attention."""
        last = self.feed_forward or self
        return last.residual if self.pre else last.norm.normed


@dataclass(frozen=True, kw_only=True, eq=False)
class LayerWeights:
    """What the heads of a layer share, and its feed-forward network, for x W with x [..., D].

    Where the model lies in the CPU's memory these are its own numbers, not copies: W_1 and W_2 are large. Nothing here
    can be written to.
    """

    w_o: Floats
    """[D, D]; rows [first, first + d_k) of a worksheet meet its head's context."""
    w_1: Floats | None
    """[D, d_ff]; None for the decoder's self-attention, which no feed-forward network follows."""
    w_2: Floats | None
    """[d_ff, D], or None."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Readout:
    """How a decoder's last vectors become probabilities: the rows of some pieces C, of all V that compete. T steps."""

    states: Floats
    """[T, D], what leaves the decoder."""
    logits: Floats
    """[T, C], states E^T of these pieces: the embedding table also scores (section 3.4)."""
    log_sums: Floats
    """[T], the logarithm of the sum of e^logit over all V pieces."""

    @property
    def probabilities(self) -> Floats:
        """[T, C], softmax over all V."""
        return np.asarray(np.exp(self.logits - self.log_sums[:, None]))


# The doors


def head_steps(
    translator: Translator, translation: Translation, kind: Kind, layer: int, head: int, what_if: WhatIf = AS_IT_IS
) -> Worksheet:
    """One head of the pass that read the translation, stage by stage. ValueError when the model has no such kind of
    attention, layer or head, or is recurrent."""
    return worksheet(*_read(translator, translation), kind, layer, head, what_if)


def layer_matrices(translator: Translator, kind: Kind, layer: int) -> LayerWeights:
    """The matrices of one layer that are not one head's own. ValueError as above."""
    return layer_weights(translator.transformer(), kind, layer)


def output_steps(translator: Translator, translation: Translation, pieces: Sequence[int]) -> Readout:
    """What becomes of the decoder's last vectors in the pass that read the translation, for the pieces of these ids.
    ValueError for a recurrent model, whose decoder has other parts."""
    return readout(*_read(translator, translation), pieces)


def value_lengths(translator: Translator, translation: Translation) -> dict[str, Floats]:
    """For each kind of attention how long the vectors are that it weighs: [L, H, K]; a large weight on a short vector
    moves little. ValueError for a recurrent model, which weighs its states as they are."""
    return {kind: as_array(each) for kind, each in value_norms(*_read(translator, translation)).items()}


def _read(translator: Translator, translation: Translation) -> tuple[Transformer, Tensor, Tensor]:
    model = translator.transformer()
    return model, translator.ids(translation.source), translator.ids(translation.decoder_input)


# What they open on


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
    check_kind(model, kind, layer)
    check_head(model.config, kind, head)
    run = one_sentence(model, source_ids, target_in, what_if.intervention(kind, layer))
    found, block = run.attention(kind, layer), layer_of(model, kind, layer)
    heads, around = sublayer(block, kind)
    w_q, w_k, w_v = (slices(part, heads.n_heads)[head] for part in (heads.w_q, heads.w_k, heads.w_v))
    follows = None
    if kind != "decoder":
        layers = run.encoder.layers if kind == "encoder" else run.decoder.layers
        follows = feed_forward_steps(layers[layer].feed_forward, block.feed_forward_residual)
    return Worksheet(
        kind=kind,
        layer=layer,
        head=head,
        pre=around.pre,
        what_if=what_if,
        first=head * found.q.size(-1),
        x_query=frozen(found.x_query[0]),
        x_key=frozen(found.x_key[0]),
        w_q=frozen(w_q),
        w_k=frozen(w_k),
        w_v=frozen(w_v),
        q=frozen(found.q[0, head]),
        k=frozen(found.k[0, head]),
        v=frozen(found.v[0, head]),
        products=frozen(found.products[0, head]),
        scaled=frozen(found.scores[0, head]),
        masked=frozen(found.masked[0, head]),
        weights=frozen(found.weights[0, head]),
        context=frozen(found.context[0, head]),
        concat=frozen(found.concat[0]),
        output=frozen(found.output[0]),
        residual=frozen(found.residual[0]),
        norm=norm_steps(around, found.x_query[0], found.residual[0], found.read_query[0], found.leaves[0]),
        feed_forward=follows,
    )


def feed_forward_steps(found: FeedForwardActivations, around: Residual) -> FeedForwardSteps:
    return FeedForwardSteps(
        activation=found.activation,
        hidden=frozen(found.hidden[0]),
        activated=frozen(found.activated[0]),
        output=frozen(found.output[0]),
        residual=frozen(found.residual[0]),
        norm=norm_steps(around, found.enters[0], found.residual[0], found.read[0], found.leaves[0]),
    )


def norm_steps(around: Residual, enters: Tensor, residual: Tensor, read: Tensor, leaves: Tensor) -> NormSteps:
    """gamma * (x - mean) / deviation + beta for each row of x [Q, D], and the numbers that it took: pre-norm has it
    between `enters` and `read`, post-norm between `residual` and `leaves`."""
    x, normed = (enters, read) if around.pre else (residual, leaves)
    return NormSteps(
        mean=frozen(x.mean(-1)),
        deviation=frozen((x.var(-1, correction=0) + around.norm.eps).sqrt()),
        gamma=frozen(around.norm.weight),
        beta=frozen(around.norm.bias),
        normed=frozen(normed),
    )


@torch.inference_mode()
def readout(model: Transformer, source_ids: Tensor, target_in: Tensor, pieces: Sequence[int]) -> Readout:
    """What the same pass makes of its last vectors, for the `pieces` of these ids."""
    run = one_sentence(model, source_ids, target_in).decoder
    logits = run.logits[0].float()  # [T, V]
    return Readout(
        states=frozen(run.states[0]), logits=frozen(logits[:, list(pieces)]), log_sums=frozen(logits.logsumexp(-1))
    )


@torch.inference_mode()
def value_norms(model: Transformer, source_ids: Tensor, target_in: Tensor) -> dict[Kind, Tensor]:
    """For each kind of attention the norms [L, H, K] in the pass that reads source ids [1, S] and target ids [1, T]."""
    run = one_sentence(model, source_ids, target_in)
    config = model.config
    counts = zip(ATTENTION_KINDS, (config.encoder_layers, config.decoder_layers, config.decoder_layers), strict=True)
    return {
        kind: torch.stack(
            [norms(sublayer(layer_of(model, kind, i), kind)[0], run.attention(kind, i).v) for i in range(count)]
        )
        for kind, count in counts
    }


def norms(heads: MultiHeadAttention, values: Tensor) -> Tensor:
    """||x_j W_V W_O|| for each head's own slices of W_V and W_O, Kobayashi et al. 2020: values x W_V [1, H, K, d_k] ->
    [H, K]."""
    w_o = heads.w_o.weight.unflatten(1, (heads.n_heads, -1)).permute(1, 2, 0)  # [H, d_k, D]
    return cast(Tensor, (values[0] @ w_o).norm(dim=-1))


def one_sentence(
    model: Transformer, source_ids: Tensor, target_in: Tensor, intervention: Intervention = NOTHING
) -> Activations:
    assert not (source_ids == model.config.pad_id).any(), "one sentence needs no padding"
    return activations(model, source_ids, target_in, intervention)


def layer_weights(model: Transformer, kind: Kind, layer: int) -> LayerWeights:
    """The matrices of a layer that are not one head's own. ValueError when there is no such kind or layer."""
    check_kind(model, kind, layer)
    block = layer_of(model, kind, layer)
    heads, _ = sublayer(block, kind)
    network: FeedForward | None = None if kind == "decoder" else block.feed_forward
    return LayerWeights(
        w_o=view(heads.w_o.weight.T),
        w_1=view(network.w_1.weight.T) if network else None,
        w_2=view(network.w_2.weight.T) if network else None,
    )


def check_kind(model: Transformer, kind: Kind, layer: int) -> None:
    """ValueError with a sentence unless the model has this kind of attention in this layer."""
    if kind not in ATTENTION_KINDS:
        raise ValueError(f"There is no attention called {kind!r}: choose {', '.join(ATTENTION_KINDS)}.")
    check_layer(model.config, kind, layer)


def layer_of(model: Transformer, kind: Kind, layer: int) -> EncoderLayer | DecoderLayer:
    return cast(EncoderLayer | DecoderLayer, (model.encoder if kind == "encoder" else model.decoder)[layer])


def sublayer(block: EncoderLayer | DecoderLayer, kind: Kind) -> tuple[MultiHeadAttention, Residual]:
    """One kind of attention in a layer, and the residual connection and LayerNorm around it."""
    if kind == "cross":
        block = cast(DecoderLayer, block)
        return block.cross_attention, block.cross_residual
    return block.self_attention, block.self_residual


def activate(name: Activation, x: Floats) -> Floats:
    """An activation of each number, for a picture."""
    return as_array(ACTIVATIONS[name](torch.tensor(x)))


def slices(projection: nn.Linear, n_heads: int) -> Tensor:
    """Each head's own matrix: [D, D] -> [H, D, d_k], the h-th columns of x -> x W."""
    return projection.weight.T.unflatten(1, (n_heads, -1)).transpose(0, 1)


def view(values: Tensor) -> Floats:
    """The same numbers, which cannot be written to through this; a copy only if they lie elsewhere or are shorter."""
    shared = values.detach().float().cpu().numpy()
    shared.setflags(write=False)
    return shared


def frozen(values: Tensor) -> Floats:
    """A copy that cannot be written to: many visitors share it."""
    copied = as_array(values)
    copied.setflags(write=False)
    return copied
