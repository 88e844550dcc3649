"""Scores before the softmax, and how sharp it makes them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.records import Floats


def powers(scores: Floats) -> Floats:
    """[..., K], e to the power of (score - largest score of the row): what softmax divides by its sum."""
    return np.asarray(np.exp(scores - scores.max(-1, keepdims=True)))


@dataclass(frozen=True, kw_only=True)
class Sharpness:
    """What softmax made of one model's scores; each number is the mean over the rows."""

    spread: float
    """Standard deviation of a row's scores, before softmax."""
    entropy: float
    """Of a row of weights, in bits."""
    evenly: float
    """The entropy that a row of equal weights would have."""
    slope: float
    """Sum over a row of a(1 - a), the diagonal of softmax's Jacobian: how far weights follow a small change of their
    scores. 0 where one weight is 1."""


def sharpness(scores: Floats, weights: Floats) -> Sharpness:
    """Of scores [T, S] and the weights [T, S] that softmax makes of them."""
    terms: NDArray[np.float32] = weights * np.log2(np.clip(weights, 1e-12, None))
    return Sharpness(
        spread=float(scores.std(-1).mean()),
        entropy=float(-terms.sum(-1).mean()),
        evenly=math.log2(weights.shape[-1]),
        slope=float((weights * (1 - weights)).sum(-1).mean()),
    )
