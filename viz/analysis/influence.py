"""Gradients as shares, and by distance."""

import numpy as np
from numpy.typing import NDArray

from model.records import Floats


def shares(values: Floats) -> Floats:
    """Scaled to sum to 1; nothing changes what is all zero."""
    total = values.sum()
    return np.asarray(values / total) if total > 0 else values


def by_distance(influence: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The mean of [S, S] over all pairs |i - j| = 0, 1, ... apart, as a share of that at 0, and how many pairs."""
    size = len(influence)
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    counts = np.bincount(apart.ravel())
    means = np.bincount(apart.ravel(), influence.ravel()) / counts
    return (means / means[0]).astype(np.float32), counts


def relative_influence(influence: Floats, piece: int) -> Floats:
    """[S, S], rows are states and columns pieces -> [S]: how much of a piece each state has, as a share of what the
    state at the piece itself has."""
    return np.asarray(influence[:, piece] / influence[piece, piece])
