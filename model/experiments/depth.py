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

from model.activations import encoder_activations
from model.config import TransformerConfig
from model.intervention import Intervention, Part, Place
from model.transformer import EncoderLayer, Transformer

WIDTH, HEADS, LENGTH, SEEDS = 64, 2, 16, 5
"""Small, so that a visitor need not wait: a quarter of the bundled Transformer's width, with its d_k of 32."""
DEEPEST = 24


@dataclass(frozen=True, kw_only=True)
class Connection:
    """How a sublayer's output is taken on; both is LayerNorm(x + Sublayer(x)), the paper's."""

    residual: bool
    norm: bool

    def intervention(self, layers: int) -> Intervention:
        """The same, at every sublayer of an encoder."""
        parts: tuple[Part, ...] = ("encoder", "encoder feed-forward")
        everywhere = frozenset(Place(part, layer) for part in parts for layer in range(layers))
        return Intervention(
            without_residual=frozenset() if self.residual else everywhere,
            without_norm=frozenset() if self.norm else everywhere,
        )


CONNECTIONS = tuple(Connection(residual=residual, norm=norm) for residual in (True, False) for norm in (True, False))


@dataclass(frozen=True, kw_only=True)
class Depth:
    """Medians over the seeds, for one kind of connection."""

    connection: Connection
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
def measure_depth(layers: int, *, seeds: int = SEEDS) -> list[Depth]:
    """The gradients of v . output, v standard normal, in encoders of `layers` layers with fresh weights as
    `Transformer.reset` draws them, for each of `CONNECTIONS`. All of one seed have the same weights, input and v.

    Random numbers that others draw are not touched.
    """
    assert layers >= 2
    found: dict[Connection, list[tuple[Tensor, Tensor, Tensor]]] = {each: [] for each in CONNECTIONS}
    for seed in range(seeds):
        with torch.random.fork_rng([]):
            torch.manual_seed(seed)
            model = fresh(layers)
            ids = torch.randint(model.config.eos_id + 1, model.config.vocab_size, (1, LENGTH))
            direction = torch.randn(1, LENGTH, WIDTH)
        for connection, runs in found.items():
            runs.append(one(model, ids, direction, connection))
    depths = []
    for connection, runs in found.items():
        arriving, weights, alike = (median(each) for each in zip(*runs, strict=True))
        depths.append(Depth(connection=connection, arriving=arriving, weights=weights, alike=alike))
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


def one(model: Transformer, ids: Tensor, direction: Tensor, connection: Connection) -> tuple[Tensor, Tensor, Tensor]:
    """The three measures of `Depth` for one stack: [L + 1], [L], [L + 1]."""
    x = model.embed(ids).detach().requires_grad_()
    layers = [cast(EncoderLayer, layer) for layer in model.encoder]
    states = run(model, x, connection)
    owners = [(place, parameter) for place, layer in enumerate(layers) for parameter in layer.parameters()]
    wanted = [*states, *(parameter for _, parameter in owners)]
    found = torch.autograd.grad((states[-1] * direction).sum(), wanted, allow_unused=True)
    arriving = torch.stack([gradient.norm() for gradient in found[: len(states)]])
    squares = torch.zeros(len(layers), dtype=torch.float64)
    for (place, _), gradient in zip(owners, found[len(states) :], strict=True):
        if gradient is not None:
            squares[place] += gradient.double().square().sum()
    return arriving / arriving[-1], (squares / squares[-1]).sqrt(), torch.stack([cosine(state[0]) for state in states])


def run(model: Transformer, x: Tensor, connection: Connection) -> tuple[Tensor, ...]:
    """x [B, S, D] through the encoder, connected so: what the first layer reads, and what each of them makes of it."""
    config = model.config
    ids = torch.full(x.shape[:2], config.eos_id, device=x.device)  # x stands for them; none is padding
    return encoder_activations(model, ids, connection.intervention(config.encoder_layers), embedded=x).states


def cosine(states: Tensor) -> Tensor:
    """The mean over all pairs of two positions of [S, D]."""
    unit = F.normalize(states.detach().double(), dim=-1, eps=0)
    count = len(unit)
    return (unit.sum(0).square().sum() - count) / (count * (count - 1))
