"""Why scores are divided by the square root of the width: random queries and keys, and what softmax makes of them.

Q queries, n keys of each, d_k the width of both. No model: all numbers are drawn.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import torch
from torch import Tensor

WIDTHS = tuple(2**i for i in range(11))
"""1 to 1,024."""
QUERIES, KEYS = 512, 16


@dataclass(frozen=True, kw_only=True)
class SoftmaxStatistics:
    """What softmax makes of scores; each number is the mean over the queries."""

    largest: float
    """The largest weight of a row."""
    entropy: float
    """Of a row of weights, as a share of ln n: 1 when all are equal, 0 when one weight is 1."""
    gradient: float
    """Frobenius norm of the Jacobian of a row's weights with respect to what softmax has read."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScalingAtWidth:
    """Scores of one width, with the division and without."""

    width: int
    variance: float
    """Of q . k over all pairs."""
    divided_variance: float
    """Of q . k / sqrt(d_k)."""
    plain: SoftmaxStatistics
    """Of softmax(q . k)."""
    divided: SoftmaxStatistics
    """Of softmax(q . k / sqrt(d_k)), the Transformer's."""
    rows: tuple[tuple[float, ...], tuple[float, ...]]
    """The weights of one query, [n] each: without the division and with it. It is the one whose Jacobian's norm without
    the division is the median of the queries', the lower one of two."""
    numbers: tuple[SoftmaxStatistics, SoftmaxStatistics]
    """The numbers of these two rows."""


def measure_scaling(
    seed: int = 0, *, widths: Sequence[int] = WIDTHS, queries: int = QUERIES, keys: int = KEYS
) -> list[ScalingAtWidth]:
    """Draw q and k anew for each width, every number standard normal, and measure. Equal seeds draw equally.

    For such numbers E[q . k] = 0 and Var(q . k) = d_k, footnote 4 of Vaswani et al. 2017. A measured variance is off by
    a share of sqrt((2 + 6 / d_k + 2 (n - 1) / d_k) / (Q n)), one standard deviation: products of one query go together.
    """
    assert queries >= 2
    assert keys >= 2
    generator = torch.Generator().manual_seed(seed)
    return [_measure(random_scores(width, queries, keys, generator), width) for width in widths]


def lossless_width(found: Sequence[ScalingAtWidth]) -> int:
    """The largest width up to which, from the first on, the Jacobian's mean norm is no smaller without the division;
    0 if there is none."""
    lossless = takewhile(lambda each: each.plain.gradient >= each.divided.gradient, found)
    return max((each.width for each in lossless), default=0)


def random_scores(width: int, queries: int, keys: int, generator: torch.Generator) -> Tensor:
    """q . k [Q, n] for Q queries with n keys of their own."""
    query = torch.randn(queries, 1, width, generator=generator)
    key = torch.randn(queries, keys, width, generator=generator)
    return (query * key).sum(-1).double()


def _measure(scores: Tensor, width: int) -> ScalingAtWidth:
    variance = scores.var()  # Var(q . k)
    divided = scores / math.sqrt(width)
    weights = scores.softmax(-1), divided.softmax(-1)
    one = int(jacobian_norms(weights[0]).median(0).indices)
    return ScalingAtWidth(
        width=width,
        variance=float(variance),
        divided_variance=float(divided.var()),
        plain=softmax_of(weights[0]),
        divided=softmax_of(weights[1]),
        rows=(tuple(weights[0][one].tolist()), tuple(weights[1][one].tolist())),
        numbers=(softmax_of(weights[0][one][None]), softmax_of(weights[1][one][None])),
    )


def softmax_of(weights: Tensor) -> SoftmaxStatistics:
    """The means over the rows of weights [Q, n]."""
    entropy = torch.special.entr(weights).sum(-1)
    return SoftmaxStatistics(
        largest=float(weights.amax(-1).mean()),
        entropy=float(entropy.mean()) / math.log(weights.size(-1)),
        gradient=float(jacobian_norms(weights).mean()),
    )


def jacobian_norms(weights: Tensor) -> Tensor:
    """Frobenius norm of the Jacobian of each row of weights [Q, n]: [Q]."""
    return jacobian(weights).flatten(-2).norm(dim=-1)


def jacobian(weights: Tensor) -> Tensor:
    """d a_i / d e_j = a_i (delta_ij - a_j) for rows a = softmax(e): [..., n] -> [..., n, n]."""
    return torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
