"""What a worksheet holds: one attention head and its layer, stage by stage, as NumPy arrays; no torch.

Q queries, K keys, D width of the model, d_k = D / H width of a head.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.trace import Floats

Kind = Literal["encoder", "decoder", "cross"]
"""Of attention: the encoder's, the decoder's over what it has read, and the decoder's over the source."""

Activation = Literal["relu", "gelu"]


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


AS_IT_IS = WhatIf()


@dataclass(frozen=True, kw_only=True, eq=False)
class Norm:
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
    norm: Norm
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
    norm: Norm
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
