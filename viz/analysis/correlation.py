"""Whether witnesses agree about which words matter: rank correlation."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.experiments.alignment import merge
from model.records import Floats, Translation
from viz.analysis.words import Side, side


def ranks(values: Floats) -> NDArray[np.float64]:
    """[..., N] -> the same shape, 1 for the smallest; equal values share the mean of their ranks."""
    one, other = values[..., :, None], values[..., None, :]
    return np.asarray((other < one).sum(-1) + ((other == one).sum(-1) + 1) / 2)


def spearman(one: Floats, other: Floats) -> NDArray[np.float64]:
    """Spearman's rank correlation of [..., N] with [..., N], from -1 to 1: [...]. NaN where all of a row are equal."""
    x, y = ranks(one), ranks(other)
    x, y = x - x.mean(-1, keepdims=True), y - y.mean(-1, keepdims=True)
    spread = np.sqrt((x**2).sum(-1) * (y**2).sum(-1))
    rho = (x * y).sum(-1)
    return np.divide(rho, spread, out=np.full_like(spread, np.nan), where=spread > 0)


MODERATE, STRONG = 0.4, 0.7
"""The rank correlations from which on one is called so; below the first it is weak."""


def strength(rho: float) -> str:
    """ "opposite", "weak", "moderate" or "strong"; "none" for NaN."""
    if math.isnan(rho):
        return "none"
    if rho <= -MODERATE:
        return "opposite"
    return "strong" if rho >= STRONG else "moderate" if rho >= MODERATE else "weak"


WITNESSES = ("attention", "removal", "gradient")
PAIRS = (("attention", "removal"), ("attention", "gradient"), ("removal", "gradient"))


@dataclass(frozen=True, kw_only=True, eq=False)
class Witnesses:
    """Three answers to how much each source word mattered for each target piece."""

    words: Side
    values: Mapping[str, Floats]
    """[T, W] for each of `WITNESSES`: the weights of a word's pieces summed; by how many nats log p falls without the
    word; the norm of the gradient of log p with respect to the embeddings of the word's pieces, all together."""
    agreement: Mapping[tuple[str, str], NDArray[np.float64]]
    """[T] for each of `PAIRS`: Spearman's rank correlation over the words."""

    def places(self, name: str, step: int) -> list[int]:
        """Of each word among all, 1 for that with the largest value; equal ones share the better place."""
        values = self.values[name][step]
        return ((values[None, :] > values[:, None]).sum(1) + 1).tolist()

    def mean(self, pair: tuple[str, str]) -> float:
        """Over the target pieces for which there is a correlation; NaN if there is none."""
        there = self.agreement[pair][~np.isnan(self.agreement[pair])]
        return float(there.mean()) if there.size else math.nan


def witnesses(translation: Translation, weights: Floats, removal: Floats, gradients: Floats) -> Witnesses:
    """From weights [T, S], the falls [W, T] of log p without each word, and gradient norms [T, S]."""
    words = side(translation.source, translation.source_text, words=True, specials=False)
    steps = tuple((step,) for step in range(len(translation.target)))
    values = {
        "attention": merge(weights, steps, words.groups),
        "removal": np.asarray(removal.T),
        "gradient": np.sqrt(merge(gradients**2, steps, words.groups)),
    }
    return Witnesses(
        words=words,
        values=values,
        agreement={(one, other): spearman(values[one], values[other]) for one, other in PAIRS},
    )


def by_chance(words: int) -> float:
    """The standard deviation of Spearman's rank correlation of so many words in random order, 1 / sqrt(W - 1)."""
    return 1 / math.sqrt(words - 1)
