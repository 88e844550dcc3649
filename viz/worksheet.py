"""What the worksheet page draws besides a worksheet's own stages: arrays in, arrays out.

Q queries, K keys, D width of the model, d_k width of a head.
"""

from dataclasses import dataclass

import numpy as np

from model.sheet import Norm, Worksheet
from model.trace import Floats


def largest(*arrays: Floats) -> float:
    """The largest size of a number in any of them, as the end of a common scale; minus infinity has no size."""
    sizes = [float(np.abs(array[np.isfinite(array)]).max(initial=0)) for array in arrays]
    return max(sizes) or 1.0


def pair(sheet: Worksheet, query: int, key: int) -> Floats:
    """[3, d_k]: q, k, and their products number by number, whose sum is `products[query, key]`."""
    q, k = sheet.q[query], sheet.k[key]
    return np.stack((q, k, q * k))


def powers(sheet: Worksheet, query: int) -> Floats:
    """[K], e to the power of (score - largest score of the query): what softmax divides by its sum."""
    scores = sheet.masked[query]
    return np.exp(scores - scores.max())


def addition(before: Floats, said: Floats, after: Floats, query: int) -> Floats:
    """[3, D]: one row of what enters a sublayer, of what it says, and of what is made of both."""
    return np.stack((before[query], said[query], after[query]))


def norming(norm: Norm, before: Floats, query: int) -> Floats:
    """[5, D]: one row as it comes, less its mean and over its deviation, gamma, beta, and as it leaves."""
    row = before[query]
    plain = (row - norm.mean[query]) / norm.deviation[query]
    return np.stack((row, plain, norm.gamma, norm.beta, norm.normed[query]))


def above_zero(row: Floats) -> int:
    """How many numbers of a row are."""
    return int((row > 0).sum())


@dataclass(frozen=True, kw_only=True)
class Change:
    """How far a what-if is from what the model does."""

    weight: float
    """The change of a weight that is largest in size."""
    query: int
    """Where it is."""
    key: int
    moved: float
    """How far the vector that leaves moves where it moves furthest, over its length before."""
    row: int
    """Of that vector."""


def change(before: Worksheet, after: Worksheet) -> Change:
    """From one worksheet to another of the same head."""
    weights = after.weights - before.weights
    query, key = np.unravel_index(int(np.abs(weights).argmax()), weights.shape)
    moved = np.linalg.norm(after.leaves - before.leaves, axis=-1) / np.linalg.norm(before.leaves, axis=-1)
    row = int(moved.argmax())
    return Change(weight=float(weights[query, key]), query=int(query), key=int(key), moved=float(moved[row]), row=row)
