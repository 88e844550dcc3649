"""What an encoder knows of the order of words, with positions and without: the words in another order, read anew.

S source pieces, D width.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from model.activations import as_array, encoder_activations
from model.errors import UserError
from model.intervention import NOTHING, Intervention
from model.records import Floats, Token, word_groups
from model.search import search
from model.transformer import Encoded, Transformer
from model.translate import Translator

ROUNDING = 1e-4
"""Encoder states that differ by less differ in the last digits of 32-bit numbers only: a number in them is about 1."""
WITHOUT_POSITIONS = Intervention(without_positions=frozenset({"encoder"}))


def word_order(
    translator: Translator, source: Sequence[Token], order: Sequence[int], positions: bool
) -> "OrderExperiment":
    """The source as typed and with its words in another `order`, read with positions or without. ValueError for a
    recurrent model, which has none."""
    return order_experiment(
        translator.transformer(),
        translator.ids(source)[0],
        order_pieces(source, order),
        positions,
        decode=lambda ids: translator.tokenizer.decode(ids)[0],
    )


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
    groups = word_groups(source)
    moved = [i for word in order for i in groups[word]]
    return (*moved, *(i for i, token in enumerate(source) if token.special))


def order_text(text: str, source: Sequence[Token], order: Sequence[int]) -> str:
    """The sentence with its words in this order. Each takes along what stands before it, a space or nothing, as its
    first piece does; before the first word the vocabulary sees a space."""
    ends = [0, *(source[group[-1]].end for group in word_groups(source))]
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
    return both, encoder_activations(model, both, NOTHING if positions else WITHOUT_POSITIONS).encoded


@torch.inference_mode()
def order_experiment(
    model: Transformer, ids: Tensor, order: Sequence[int], positions: bool, *, decode: Callable[[list[int]], str]
) -> OrderExperiment:
    """Read ids [S] in their own order and as ids[order], and translate both. `decode` makes text of ids."""
    assert sorted(order) == list(range(len(ids)))
    index = torch.tensor(order, device=ids.device)
    both, encoded = encode_orders(model, ids, index, positions)
    own, other = (best[0].ids for best in search(model, both, encoded=encoded))
    return OrderExperiment(
        positions=positions,
        states=as_array(encoded.states[0]),
        other=as_array(encoded.states[1][index.argsort()]),
        translations=(decode(own), decode(other)),
        reads_the_same=torch.equal(both[0], both[1]),
    )
