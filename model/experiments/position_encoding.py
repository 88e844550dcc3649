"""Where a word stands: the sinusoids, what a shift does to them, other ways to tell, and what a sentence gets of them.

N positions, S pieces, D width. Pairs of dimensions (2i, 2i+1) turn with the frequency w_i = 10000^(-2i / D).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import DTypeLike, NDArray
from torch import Tensor

from model.activations import as_array
from model.records import Floats, Token
from model.transformer import Transformer, sinusoids
from model.translate import Translator

# The table


def table(length: int, d_model: int, dtype: DTypeLike = np.float32) -> NDArray[np.floating]:
    """PE(pos, 2i) = sin(w_i pos), PE(pos, 2i+1) = cos(w_i pos), Vaswani et al. 2017, section 3.5. [N, D]."""
    return sinusoids(length, d_model, torch.float64).numpy().astype(dtype)


def frequencies(d_model: int) -> NDArray[np.float64]:
    """w_i in radians per position, [D / 2]."""
    return np.asarray(10000.0 ** (-np.arange(0, d_model, 2) / d_model))


def wavelength(dimension: int, d_model: int) -> float:
    """After how many positions a dimension is where it was: from 2 pi to nearly 10000 times 2 pi."""
    return float(2 * np.pi / frequencies(d_model)[dimension // 2])


def some_dimensions(d_model: int) -> tuple[int, ...]:
    """Up to four sines, from the fastest to a slow one: what to look at first."""
    return tuple(sorted({2 * (i * d_model // 16) for i in range(4)}))


def dot_products(vectors: Floats) -> Floats:
    """PE(p) . PE(q) for all pairs, [N, D] -> [N, N]. Of sinusoids it is the sum over i of cos(w_i (p - q)): how far
    apart two positions are is all that counts."""
    return np.asarray(vectors @ vectors.T)


# The shift


def shift(k: int, d_model: int) -> NDArray[np.float64]:
    """M_k with PE(pos + k) = M_k PE(pos) for every pos: a rotation by w_i k in each pair of dimensions. [D, D].

    Vaswani et al. 2017, section 3.5, say that there is one. With a = w_i pos and b = w_i k it is the addition theorem,
    sin(a + b) = cos b sin a + sin b cos a and cos(a + b) = -sin b sin a + cos b cos a, so block i is
    [[cos b, sin b], [-sin b, cos b]], and pos is not in it.
    """
    angle, even = k * frequencies(d_model), np.arange(0, d_model, 2)
    matrix = np.zeros((d_model, d_model))
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angle)
    matrix[even, even + 1], matrix[even + 1, even] = np.sin(angle), -np.sin(angle)
    return matrix


def shift_error(k: int, d_model: int, length: int, dtype: DTypeLike = np.float32) -> float:
    """max |M_k PE(pos) - PE(pos + k)| over all pos < `length` (and pos >= -k) and over all dimensions, computed with
    numbers of this type."""
    assert k > -length
    vectors, matrix = table(length + max(0, k), d_model, dtype), shift(k, d_model).astype(dtype)
    first = max(0, -k)
    return float(np.abs(vectors[first:length] @ matrix.T - vectors[first + k : length + k]).max())


@dataclass(frozen=True, kw_only=True, eq=False)
class Moved:
    """One position's vector before and after it is shifted; each [D], of 32-bit numbers."""

    before: Floats
    """PE(pos)."""
    moved: Floats
    """M_k PE(pos)."""
    true: Floats
    """PE(pos + k)."""
    degrees: Floats
    """w_i k, by how much pair i turns, [D / 2]."""


def move(position: int, k: int, d_model: int) -> Moved:
    """M_k at work on one position."""
    vectors = table(position + k + 1, d_model)
    matrix = shift(k, d_model).astype(np.float32)
    return Moved(
        before=vectors[position],
        moved=matrix @ vectors[position],
        true=vectors[position + k],
        degrees=np.degrees(k * frequencies(d_model)).astype(np.float32),
    )


# Other ways


@dataclass(frozen=True, kw_only=True, eq=False)
class PositionScheme:
    """One way to tell a model where a word stands."""

    name: str
    """"sinusoidal", "learned" or "none", as in a config.json."""
    dots: Floats
    """Dot products of its vectors, divided by `largest`. [N, N]."""
    largest: float
    """The largest dot product; 0 when there are no vectors."""
    parameters: int
    """How many numbers a model has to learn for it."""


def position_schemes(length: int, d_model: int, seed: int = 0) -> tuple[PositionScheme, ...]:
    """Sinusoids, the random numbers from which learned positions start (those of `Transformer.reset`), and none."""
    start = np.random.default_rng(seed).normal(0, 0.02, (length, d_model)).astype(np.float32)
    vectors = {"sinusoidal": table(length, d_model), "learned": start, "none": np.zeros_like(start)}
    found = []
    for name, each in vectors.items():
        dots = dot_products(each)
        largest = float(dots.max())
        size = start.size if name == "learned" else 0
        found.append(PositionScheme(name=name, dots=dots / (largest or 1), largest=largest, parameters=size))
    return tuple(found)


# In a sentence


@dataclass(frozen=True, kw_only=True, eq=False)
class Embedded:
    """What the first layer of a stack reads of a sentence, and the two parts of which it is the sum; each [S, D]."""

    pieces: Floats
    """Embeddings x `factor`."""
    positions: Floats
    """All 0 in a model without positions."""
    sum: Floats
    factor: float
    """sqrt(D), section 3.4."""

    @property
    def largest(self) -> float:
        """The largest absolute value in any of the three."""
        return float(max(np.abs(part).max() for part in (self.pieces, self.positions, self.sum)))


def lengths(vectors: Floats) -> Floats:
    """Euclidean, [..., D] -> [...]. sin^2 + cos^2 = 1, so that of a sinusoidal position is sqrt(D / 2)."""
    return np.asarray(np.linalg.norm(vectors, axis=-1))


@torch.inference_mode()
def embedded(translator: Translator, tokens: Sequence[Token]) -> Embedded:
    """What the encoder reads of the source, or the decoder of the target that it gets: each [S, D]. ValueError for a
    recurrent model, which has no positions, or when there are more than the model reads."""
    return embed(translator.transformer(), translator.ids(tokens)[0])


@torch.inference_mode()
def embed(model: Transformer, ids: Tensor) -> Embedded:
    """The parts of one sentence, ids [S]."""
    pieces, positions = model.embedding.parts(ids[None])
    places = torch.zeros_like(pieces[0]) if positions is None else positions
    return Embedded(
        pieces=as_array(pieces[0]),
        positions=as_array(places),
        sum=as_array(pieces[0] + places),
        factor=model.embedding.scale,
    )
