"""What heads relate in one sentence, and what becomes of a word in another one: arrays in, numbers out.

L layers, H heads, Q queries, K keys, W words, S source pieces, D width. Levels are what a source is from the embedding
up to the last layer: [levels, S, D].
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from model.experiments.alignment import ErrorRates
from model.records import Floats, Translation
from viz.analysis.alignment import Alignment
from viz.analysis.habits import aligning
from viz.analysis.words import side


class Head(NamedTuple):
    """One head and what was measured of it."""

    layer: int
    head: int
    share: float


def strongest(shares: Floats, count: int) -> list[Head]:
    """The heads with the largest numbers of [L, H], largest first."""
    best = np.argsort(-shares, axis=None, kind="stable")[:count]
    found = zip(*np.unravel_index(best, shares.shape), strict=True)
    return [Head(int(layer), int(head), float(shares[layer, head])) for layer, head in found]


def favourite(found: Mapping[str, Sequence[Head]]) -> str:
    """The place whose strongest head, the first one, gives it most."""
    return max(found, key=lambda place: found[place][0].share)


def even(queries: int, keys: int, *, masked: bool) -> Floats:
    """[1, 1, Q, K]: the weights of a head that looks at everything it may see alike."""
    seen = np.ones((queries, keys), np.float32)
    seen = np.tril(seen) if masked else seen
    return np.asarray((seen / seen.sum(-1, keepdims=True))[None, None])


def aligners(rates: ErrorRates) -> list[Head]:
    """The heads of cross-attention that align, the best first; `share` is the error rate, as `aligning` has it."""
    layers, heads = rates.heads["predicted"].shape
    found = [(layer, head, aligning(rates, layer, head)) for layer in range(layers) for head in range(heads)]
    return sorted((Head(layer, head, rate) for layer, head, rate in found if rate is not None), key=lambda e: e.share)


PRONOUNS = ("it", "he", "she", "they", "him", "her", "them", "its", "his", "their")


def last_pronoun(labels: Sequence[str]) -> int:
    """The last English pronoun that has a word before it; else the last word with a letter or a digit in it."""
    later = [i for i, label in enumerate(labels) if i and any(map(str.isalnum, label))]
    return next((i for i in reversed(later) if labels[i].casefold() in PRONOUNS), later[-1] if later else 0)


class Glance(NamedTuple):
    """How heads look from a word at an earlier one."""

    word: int
    strongest: Head
    """The one with the largest weight, which is its `share`."""
    average: float
    """Of all heads."""


def looking_back(weights: Floats, query: int) -> list[Glance]:
    """From one word at each earlier one, of [L, H, W, W]; the largest weight first."""
    found = [
        Glance(word, strongest(weights[:, :, query, word], 1)[0], float(weights[:, :, query, word].mean()))
        for word in range(query)
    ]
    return sorted(found, key=lambda each: -each.strongest.share)


class Spread(NamedTuple):
    """Where the weight of a row goes, on average over heads; the three make 1."""

    earlier: float
    itself: float
    later: float
    """With </s>."""


def spread(weights: Floats, query: int) -> Spread:
    """Of one word's row in [L, H, W, W] over words, without a column for </s>."""
    row = weights[:, :, query].mean((0, 1))
    earlier, itself = float(row[:query].sum()), float(row[query])
    return Spread(earlier, itself, max(0.0, 1 - earlier - itself))


class Word(NamedTuple):
    """A word where it first stands in a source."""

    ids: tuple[int, ...]
    places: tuple[int, ...]
    """Of its pieces, counted from 0."""


def words(translation: Translation) -> dict[str, Word]:
    """The source's words with a letter or a digit in them, by how they are shown."""
    source = translation.source
    found: dict[str, Word] = {}
    whole = side(source, translation.source_text, words=True, specials=False)
    for label, group in zip(whole.labels, whole.groups, strict=True):
        if any(map(str.isalnum, label)):
            found.setdefault(label, Word(tuple(source[i].id for i in group), group))
    return found


def in_both(one: Translation, other: Translation) -> list[str]:
    """The words that both have, of the same pieces: so their embeddings are the same."""
    there = words(other)
    return [label for label, word in words(one).items() if label in there and there[label].ids == word.ids]


def levels(pieces: Floats, states: Floats) -> Floats:
    """Embeddings [S, D] without positions, and the states that `encoder_states` has from those with positions on."""
    return np.concatenate((pieces[None], states))


def cosines(one: Floats, other: Floats) -> Floats:
    """Of vectors [..., D] -> [...]."""
    norms = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return np.asarray((one * other).sum(-1) / norms)


def same_word(one: Floats, places: Sequence[int], other: Floats, others: Sequence[int]) -> Floats:
    """Cosine, level by level, of a word in one sentence and in another; of several pieces their mean counts."""
    return cosines(one[:, list(places)].mean(1), other[:, list(others)].mean(1))


def other_words(found: Floats, places: Sequence[int], last: int) -> Floats | None:
    """The mean cosine, level by level, of a word and every other piece before the place `last`; None if there is none:
    how like each other things are that are not the same."""
    rest = [i for i in range(last) if i not in places]
    if not rest:
        return None
    return np.asarray(cosines(found[:, list(places)].mean(1, keepdims=True), found[:, rest]).mean(-1))


def aligned(view: Alignment, places: Sequence[int]) -> tuple[str, float] | None:
    """The target word that looks most at the source word of these pieces, and its weight; None without a target."""
    column = view.columns.groups.index(tuple(places))
    if not view.rows.labels:
        return None
    row = int(view.weights[:, column].argmax())
    return view.rows.labels[row], float(view.weights[row, column])


def cells(count: int, *, masked: bool) -> int:
    """How many cells of a map of `count` queries and as many keys can have weight."""
    return count * (count + 1) // 2 if masked else count * count


class Ahead(NamedTuple):
    """The share of a head's weight that lies on later keys, which a mask would forbid."""

    mean: float
    """Over all heads."""
    least: Head
    most: Head


def ahead(weights: Floats) -> Ahead:
    """Of [L, H, S, S]."""
    shares = np.triu(weights, 1).sum((-2, -1)) / weights.shape[-2]
    order = strongest(shares, shares.size)
    return Ahead(float(shares.mean()), order[-1], order[0])


def least_kept(kept: Floats, count: int) -> list[tuple[int, float]]:
    """The places of the smallest numbers of [S], smallest first, and these numbers."""
    return [(int(i), float(kept[i])) for i in np.argsort(kept, kind="stable")[:count]]
