"""How waiting and time grow with length."""

from collections.abc import Sequence

import numpy as np

from model.records import Floats


def waiting(pieces: int, layers: int) -> tuple[Floats, Floats]:
    """Which piece is worked on at which step, when each step must wait for the one before it: [pieces, pieces] of an
    RNN that reads from the left, [layers, pieces] of a Transformer's encoder; 1 where a piece is worked on."""
    return np.eye(pieces, dtype=np.float32), np.ones((layers, pieces), np.float32)


def power_law(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """(a, b) of the y = b x^a that is nearest to the points in the sense of least squares of log y."""
    exponent, logarithm = np.polyfit(np.log(x), np.log(y), 1)
    return float(exponent), float(np.exp(logarithm))
