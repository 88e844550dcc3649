"""What residual connections and LayerNorm do for a deep stack that has learnt nothing: gradients, and how alike the
positions become.

L layers, S positions, D width; one sentence of random pieces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor

from model.attention import attention
from model.config import TransformerConfig
from model.transformer import EncoderLayer, Residual, Transformer

WIDTH, HEADS, LENGTH, SEEDS = 64, 2, 16, 5
"""Small, so that a visitor need not wait: a quarter of the bundled Transformer's width, with its d_k of 32."""
DEEPEST = 24


@dataclass(frozen=True, kw_only=True)
class Way:
    """How a sublayer's output is taken on; both is LayerNorm(x + Sublayer(x)), the paper's."""

    residual: bool
    norm: bool


WAYS = tuple(Way(residual=residual, norm=norm) for residual, norm in
             ((True, True), (True, False), (False, True), (False, False)))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Depth:
    """Medians over the seeds, for one way."""

    way: Way
    arriving: tuple[float, ...]
    """[L + 1]: the norm of the gradient with respect to the states after layers 0 to L, as a share of that at the
    output, where it is 1; layer 0 is what the first layer reads."""
    weights: tuple[float, ...]
    """[L]: the norm of the gradient with respect to a layer's parameters, as a share of the last layer's. Those of an
    unused LayerNorm have none."""
    alike: tuple[float, ...]
    """[L + 1]: the mean cosine between the states of two positions; 1 when all point the same way."""


@torch.inference_mode(False)
@torch.enable_grad()
def measure(layers: int, *, seeds: int = SEEDS) -> list[Depth]:
    """The gradients of v . output, v standard normal, in encoders of `layers` layers with fresh weights as
    `Transformer.reset` draws them, for each of `WAYS`. All ways of one seed have the same weights, input and v.

    Random numbers that others draw are not touched.
    """
    assert layers >= 2
    found: dict[Way, list[tuple[Tensor, Tensor, Tensor]]] = {way: [] for way in WAYS}
    for seed in range(seeds):
        with torch.random.fork_rng([]):
            torch.manual_seed(seed)
            model = fresh(layers)
            ids = torch.randint(model.config.eos_id + 1, model.config.vocab_size, (1, LENGTH))
            direction = torch.randn(1, LENGTH, WIDTH)
        for way in WAYS:
            found[way].append(one(model, ids, direction, way))
    depths = []
    for way, runs in found.items():
        arriving, weights, alike = (median(each) for each in zip(*runs, strict=True))
        depths.append(Depth(way=way, arriving=arriving, weights=weights, alike=alike))
    return depths


def median(runs: Sequence[Tensor]) -> tuple[float, ...]:
    """Of each number over the runs."""
    return tuple(torch.stack(list(runs)).median(0).values.tolist())


def fresh(layers: int) -> Transformer:
    """Weights that have learnt nothing, in evaluation mode: without dropout."""
    config = TransformerConfig(
        vocab_size=100, d_model=WIDTH, n_heads=HEADS, d_ff=4 * WIDTH, encoder_layers=layers, decoder_layers=1
    )
    return Transformer(config).eval()


def one(model: Transformer, ids: Tensor, direction: Tensor, way: Way) -> tuple[Tensor, Tensor, Tensor]:
    """The three measures of `Depth` for one stack: [L + 1], [L], [L + 1]."""
    x = model.embed(ids).detach().requires_grad_()
    layers = [cast(EncoderLayer, layer) for layer in model.encoder]
    states = run(layers, x, way)
    owners = [(place, parameter) for place, layer in enumerate(layers) for parameter in layer.parameters()]
    wanted = [*states, *(parameter for _, parameter in owners)]
    found = torch.autograd.grad((states[-1] * direction).sum(), wanted, allow_unused=True)
    arriving = torch.stack([gradient.norm() for gradient in found[: len(states)]])
    squares = torch.zeros(len(layers), dtype=torch.float64)
    for (place, _), gradient in zip(owners, found[len(states) :], strict=True):
        if gradient is not None:
            squares[place] += gradient.double().square().sum()
    return arriving / arriving[-1], (squares / squares[-1]).sqrt(), torch.stack([cosine(state[0]) for state in states])


def run(layers: Sequence[EncoderLayer], x: Tensor, way: Way) -> list[Tensor]:
    """x [1, S, D] through the layers' own sublayers: what the first reads, and what each of them makes of it."""
    states = [x]
    for layer in layers:
        x = take_on(x, attend(layer, x), layer.self_residual, way)
        x = take_on(x, layer.feed_forward(x), layer.feed_forward_residual, way)
        states.append(x)
    return states


def attend(layer: EncoderLayer, x: Tensor) -> Tensor:
    heads = layer.self_attention
    context, _ = attention(heads.query(x), *heads.key_value(x))
    return heads.output(context)


def take_on(x: Tensor, made: Tensor, residual: Residual, way: Way) -> Tensor:
    """`Residual.forward` of post-norm without dropout, or a part of it."""
    if way.residual:
        made = x + made
    return cast(Tensor, residual.norm(made)) if way.norm else made


def cosine(states: Tensor) -> Tensor:
    """The mean over all pairs of two positions of [S, D]."""
    unit = F.normalize(states.detach().double(), dim=-1, eps=0)
    count = len(unit)
    return (unit.sum(0).square().sum() - count) / (count * (count - 1))
