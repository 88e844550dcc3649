"""What the worksheet page and the lessons draw besides a worksheet's own stages: arrays in, arrays out.

Q queries, K keys, D width of the model, d_k width of a head.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.experiments.head_steps import NormSteps, Worksheet
from model.records import Floats


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


def norming(norm: NormSteps, before: Floats, query: int) -> Floats:
    """[5, D]: one row as it comes, less its mean and over its deviation, gamma, beta, and as it leaves."""
    row = before[query]
    plain = (row - norm.mean[query]) / norm.deviation[query]
    return np.stack((row, plain, norm.gamma, norm.beta, norm.normed[query]))


def moments(norm: NormSteps) -> tuple[Floats, Floats]:
    """[Q, 2] twice: mean and deviation of each row as it comes, and as it leaves, after gamma and beta."""
    after = (norm.normed.mean(-1), norm.normed.std(-1))
    return np.stack((norm.mean, norm.deviation), axis=1), np.stack(after, axis=1)


def says(sheet: Worksheet, w_o: Floats) -> Floats:
    """[Q, D], this head's part of `output`: its context times its own rows of W_O [D, D]."""
    return sheet.context @ w_o[sheet.first : sheet.first + sheet.context.shape[1]]


def inner_lengths(w_1: Floats, w_2: Floats) -> Floats:
    """[2, d_ff]: how long the column of W_1 is that makes an inner number, and the row of W_2 that it is given to."""
    return np.stack((np.linalg.norm(w_1, axis=0), np.linalg.norm(w_2, axis=1)))


@dataclass(frozen=True, kw_only=True)
class Ahead:
    """What the steps of the decoder's self-attention give to pieces that they must not see."""

    masked: float
    """With the mask, all steps together."""
    mean: float
    """Without it, of all steps but the last, after which nothing comes; 0 when there is no other."""
    step: int
    """Which one gives most, without it."""
    most: float
    """How much that is."""


def ahead(masked: Floats, unmasked: Floats) -> Ahead:
    """Of the weights [T, T] with the mask and without it."""
    given = np.triu(unmasked, 1).sum(-1)
    step = int(given.argmax())
    return Ahead(
        masked=float(np.triu(masked, 1).sum()),
        mean=float(given[:-1].mean()) if len(given) > 1 else 0.0,
        step=step,
        most=float(given[step]),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Hidden:
    """The inner numbers of a feed-forward network for one sentence, as a histogram, and how many are not above 0."""

    edges: Floats
    """[bins + 1], one of them 0; a number on an edge lies above it."""
    counts: NDArray[np.int_]
    """[bins]."""
    size: int
    """All of them, Q x d_ff."""
    off: float
    """The share that is not above 0, which ReLU makes 0."""
    always: int
    """Inner dimensions that are off for every piece."""
    inner: int
    """d_ff."""


def histogram(hidden: Floats, bins: int = 48) -> Hidden:
    """Of [Q, d_ff]: about so many bins of equal width, from the smallest number to the largest."""
    low, high = min(float(hidden.min()), 0.0), max(float(hidden.max()), 0.0)
    width = (high - low) / bins or 1.0
    edges = np.arange(np.floor(low / width), np.floor(high / width) + 2) * width
    counts, _ = np.histogram(hidden, edges)
    off = hidden <= 0
    return Hidden(
        edges=edges.astype(np.float32),
        counts=counts,
        size=hidden.size,
        off=float(off.mean()),
        always=int(off.all(0).sum()),
        inner=hidden.shape[1],
    )


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
