"""States as vectors: their average, their distances, their place in a plane."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.records import Floats
from viz.analysis.influence import shares


@dataclass(frozen=True, kw_only=True, eq=False)
class Plane:
    """The plane in which vectors differ most: their first two principal components."""

    centre: Floats
    """[D], their mean."""
    directions: Floats
    """[2, D], orthonormal."""
    shares: tuple[float, float]
    """Of the vectors' variance, that along each direction."""

    @property
    def share(self) -> float:
        """Of the variance, what the plane shows."""
        return sum(self.shares)

    def of(self, vectors: Floats) -> Floats:
        """[..., D] -> [..., 2]: where they are in the plane; the mean is at its origin."""
        return np.asarray((vectors - self.centre) @ self.directions.T)


def plane(vectors: Floats) -> Plane:
    """Of [N, D], N and D of 2 or more. Signs are free: the largest number of each direction is positive."""
    centre = vectors.mean(0)
    _, sizes, directions = np.linalg.svd(vectors - centre, full_matrices=False)
    variance = sizes**2
    total = float(variance.sum()) or 1.0
    largest = np.abs(directions[:2]).argmax(1)
    return Plane(
        centre=centre,
        directions=directions[:2] * np.sign(directions[[0, 1], largest])[:, None],
        shares=(float(variance[0]) / total, float(variance[1]) / total),
    )


def hull(points: Floats) -> list[int]:
    """Which of [N, 2] are the corners of their convex hull, counter-clockwise: Andrew's monotone chain."""

    def chain(order: Sequence[int]) -> list[int]:
        corners: list[int] = []
        for i in order:
            while len(corners) > 1 and not _turns_left(points[corners[-2]], points[corners[-1]], points[i]):
                corners.pop()
            corners.append(i)
        return corners[:-1]

    order = sorted(range(len(points)), key=lambda i: tuple(points[i]))
    return chain(order) + chain(order[::-1])


def _turns_left(a: Floats, b: Floats, c: Floats) -> bool:
    return bool((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]))


def amounts(weights: Floats, most: int) -> list[int]:
    """Whole numbers in the weights' proportion, the largest of them `most`: `shares` leads back to nearly the same."""
    return [round(most * float(weight)) for weight in weights / weights.max()]


def averaged(amounts: Sequence[float], states: Floats) -> tuple[Floats, Floats]:
    """Weights [S] in proportion to the amounts, all equal if these are all zero, and the mean [D] of states [S, D] with
    these weights."""
    weights = shares(np.asarray(amounts if any(amounts) else [1] * len(amounts), np.float32))
    return weights, weights @ states


def weighted(weights: Floats, states: Floats) -> Floats:
    """Each of the states [S, D] times its weight [S]: what adds up to the context."""
    return np.asarray(weights[:, None] * states)


def distance(one: Floats, other: Floats) -> float:
    """Euclidean, of two vectors."""
    return float(np.linalg.norm(one - other))


def two_ways(states: Floats) -> tuple[Floats, Floats]:
    """States [..., D] of an encoder that reads in both directions -> what it has read up to here from the left, and
    what from the right, [..., D / 2] each."""
    middle = states.shape[-1] // 2
    return states[..., :middle], states[..., middle:]


def likeness(states: Floats, vector: Floats) -> Floats:
    """The cosine of the angle between each of [S, D] and a vector [D], from -1 to 1: [S]."""
    return np.asarray(states @ vector / (np.linalg.norm(states, axis=-1) * np.linalg.norm(vector)))


def least_alike(one: Floats, other: Floats) -> int:
    """The place at which the larger of the two is smallest."""
    return int(np.maximum(one, other).argmin())
