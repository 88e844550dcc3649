"""Where a word stands: the sinusoids, what a shift does to them, and what an encoder knows of order without them.

N positions, S source pieces, D width. Pairs of dimensions (2i, 2i+1) turn with the frequency w_i = 10000^(-2i / D).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
import torch
from numpy.typing import DTypeLike, NDArray
from torch import Tensor

from model.errors import UserError
from model.search import search
from model.trace import Floats, Token
from model.transformer import Encoded, Transformer, sinusoids

ROUNDING = 1e-4
"""Encoder states that differ by less differ in the last digits of 32-bit numbers only: a number in them is about 1."""


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
class Way:
    """One way to tell a model where a word stands."""

    name: str
    """"sinusoidal", "learned" or "none", as in a config.json."""
    dots: Floats
    """Dot products of its vectors, divided by `largest`. [N, N]."""
    largest: float
    """The largest dot product; 0 when there are no vectors."""
    parameters: int
    """How many numbers a model has to learn for it."""


def ways(length: int, d_model: int, seed: int = 0) -> tuple[Way, ...]:
    """Sinusoids, the random numbers from which learned positions start (those of `Transformer.reset`), and none."""
    start = np.random.default_rng(seed).normal(0, 0.02, (length, d_model)).astype(np.float32)
    vectors = {"sinusoidal": table(length, d_model), "learned": start, "none": np.zeros_like(start)}
    found = []
    for name, each in vectors.items():
        dots = dot_products(each)
        largest = float(dots.max())
        size = start.size if name == "learned" else 0
        found.append(Way(name=name, dots=dots / (largest or 1), largest=largest, parameters=size))
    return tuple(found)


# In a sentence


@dataclass(frozen=True, kw_only=True, eq=False)
class Embedded:
    """What the encoder's first layer reads of a sentence, and the two parts of which it is the sum; each [S, D]."""

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


def parts(model: Transformer, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Embeddings x sqrt(D) and positions of ids [..., S], whose sum is `model.embed` of a model that does not learn:
    [..., S, D] and [S, D]. Nothing is changed."""
    embedding = model.embedding
    pieces = embedding.pieces(ids) * embedding.scale
    places = pieces.new_zeros(pieces.shape[-2:]) if embedding.positions is None else embedding.positions
    return pieces, places[: ids.size(-1)]


@torch.inference_mode()
def embed(model: Transformer, ids: Tensor) -> Embedded:
    """The parts of one sentence, ids [S]."""
    pieces, positions = parts(model, ids)
    return Embedded(
        pieces=array(pieces),
        positions=array(positions),
        sum=array(pieces + positions),
        factor=model.embedding.scale,
    )


# Order


def words(source: Sequence[Token]) -> tuple[tuple[int, ...], ...]:
    """The indices of each word's pieces; a special belongs to none."""
    typed = [i for i, token in enumerate(source) if not token.special]
    return tuple(tuple(group) for _, group in groupby(typed, key=lambda i: source[i].word))


def shuffled(count: int, seed: int) -> tuple[int, ...]:
    """A random order of `count` words, the same for the same seed; never the one as typed, if there is another."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(count)
    while count > 1 and (order == np.arange(count)).all():
        order = generator.permutation(count)
    return tuple(order.tolist())


def read_order(typed: str, count: int) -> tuple[int, ...]:
    """ "3 1 2" -> (2, 0, 1). UserError says what is wrong with it."""
    places = {str(place + 1): place for place in range(count)}
    order = [places.get(number, -1) for number in re.split(r"[\s,;]+", typed.strip())]
    if sorted(order) != list(range(count)):
        raise UserError("order", count=count)
    return tuple(order)


def order_pieces(source: Sequence[Token], order: Sequence[int]) -> tuple[int, ...]:
    """The indices of the pieces when their words stand in this order; </s> stays where it is."""
    groups = words(source)
    moved = [i for word in order for i in groups[word]]
    return (*moved, *(i for i, token in enumerate(source) if token.special))


def order_text(text: str, source: Sequence[Token], order: Sequence[int]) -> str:
    """The sentence with its words in this order. Each takes along what stands before it, a space or nothing, as its
    first piece does; before the first word the vocabulary sees a space."""
    ends = [0, *(source[group[-1]].end for group in words(source))]
    taken = [text[start:end] for start, end in pairwise(ends)]
    if taken:
        taken[0] = " " + taken[0].lstrip()
    return "".join(taken[word] for word in order).strip()


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderExperiment:
    """One sentence, read in its own order and in another."""

    positions: bool
    """Whether the encoder was told where each piece stands."""
    states: Floats
    """The encoder's, of the sentence as typed. [S, D]."""
    other: Floats
    """Of the other order; row i belongs to the same piece as row i of `states`. [S, D]."""
    translations: tuple[str, str]
    """By greedy search, from `states` and from `other`; the decoder has its positions in any case."""
    reads_the_same: bool
    """The other order is the same sentence: at most equal pieces have changed places."""

    @property
    def change(self) -> Floats:
        """`other` minus `states`. [S, D]."""
        return np.asarray(self.other - self.states)

    @property
    def difference(self) -> float:
        """The largest absolute number of `change`."""
        return float(np.abs(self.change).max())

    @property
    def size(self) -> float:
        """The root mean square of a number in `states`, to hold `difference` against."""
        return float(np.sqrt(np.square(self.states).mean()))

    @property
    def largest(self) -> float:
        """The largest absolute value of a number in either, or of a difference."""
        return float(max(np.abs(self.states).max(), np.abs(self.other).max(), self.difference))

    @property
    def alike(self) -> bool:
        """Whether the two differ by rounding alone."""
        return self.difference < ROUNDING


def encode_orders(model: Transformer, ids: Tensor, order: Tensor, positions: bool) -> tuple[Tensor, Encoded]:
    """ids [S] as they are and as ids[order], with their positions or without: the ids [2, S], and both encoded. Without
    them attention cannot see order: with P a permutation, softmax(P Q (P K)^T) P V = P softmax(Q K^T) V.
    """
    both = torch.stack((ids, ids[order]))
    pieces, places = parts(model, both)
    return both, model.encode(both, embedded=pieces + places if positions else pieces)


@torch.inference_mode()
def order_experiment(
    model: Transformer, ids: Tensor, order: Sequence[int], positions: bool, *, decode: Callable[[list[int]], str]
) -> OrderExperiment:
    """Read ids [S] in their own order and as ids[order], and translate both. `decode` makes text of ids. The model
    stays as it is: positions are left out of what it is given."""
    assert sorted(order) == list(range(len(ids)))
    index = torch.tensor(order, device=ids.device)
    both, encoded = encode_orders(model, ids, index, positions)
    own, other = (best[0].ids for best in search(model, both, encoded=encoded))
    return OrderExperiment(
        positions=positions,
        states=array(encoded.states[0]),
        other=array(encoded.states[1][index.argsort()]),
        translations=(decode(own), decode(other)),
        reads_the_same=torch.equal(both[0], both[1]),
    )


def array(values: Tensor) -> Floats:
    return values.float().cpu().numpy()
