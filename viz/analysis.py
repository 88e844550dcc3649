"""What is computed from attention before it is drawn: arrays in, arrays out.

[..., Q, K] is any stack of attention maps, rows queries and columns keys.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from model.alignment import VIEWS, ErrorRates, Gold, View, agreeing, merge, pieces_of, pointed, rows_for, word_weights
from model.trace import DecoderStep, Floats, Token, Translation, shown


@dataclass(frozen=True, kw_only=True)
class Side:
    """One axis of a picture: what each of its rows or columns is called, and which pieces it stands for."""

    labels: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]


def side(tokens: Sequence[Token], text: str, *, words: bool, specials: bool) -> Side:
    """The pieces, or the words they make, with or without <s> and </s>."""
    groups: list[list[int]] = []
    for i, token in enumerate(tokens):
        if token.special and not specials:
            continue
        if words and groups and i and tokens[groups[-1][-1]].word == token.word:
            groups[-1].append(i)
        else:
            groups.append([i])
    labels = []
    for group in groups:
        first, last = tokens[group[0]], tokens[group[-1]]
        labels.append(first.label if len(group) == 1 else shown(text[first.start : last.end]))
    return Side(labels=tuple(labels), groups=tuple(map(tuple, groups)))


def regroup(weights: Floats, queries: Side, keys: Side) -> Floats:
    """[..., Q, K] over pieces -> [..., len(queries), len(keys)]: keys of a group summed, queries averaged.

    Nothing is rescaled: rows sum to 1 when every key is in a group, else to 1 less what `left_out_weight` says.
    """
    return merge(weights, queries.groups, keys.groups)


def reach(queries: Side, keys: Side) -> tuple[int, ...]:
    """For masked self-attention: how many leading keys each query may see, when key j is read at step j and query t
    has read keys 0 to t."""
    return tuple(sum(min(key) <= max(query) for key in keys.groups) for query in queries.groups)


def left_out_weight(regrouped: Floats) -> float:
    """The mean share of a row that goes to keys which are not drawn, of one head [Q, K] or of many."""
    return max(0.0, float(1 - regrouped.sum(-1).mean())) if regrouped.size else 1.0


def sharpest(weights: Floats) -> tuple[int, int]:
    """(layer, head) whose rows have the lowest mean entropy in [L, H, Q, K]: the plainest one to look at first."""
    terms: NDArray[np.float32] = weights * np.log(np.clip(weights, 1e-12, None))
    entropy = -terms.sum(-1).mean(-1)
    layer, head = np.unravel_index(int(entropy.argmin()), entropy.shape)
    return int(layer), int(head)


@dataclass(frozen=True, kw_only=True)
class Maps:
    """All heads of one kind of attention as they are drawn."""

    kind: str
    """"encoder", "decoder" or "cross"."""
    weights: Floats
    """[L, H, queries, keys]."""
    queries: Side
    keys: Side
    reach: tuple[int, ...] | None
    """How many leading keys each query may see; None when it sees all."""


Method = Literal["raw", "valued", "rollout"]
METHODS: tuple[Method, ...] = ("raw", "valued", "rollout")
"""The weights themselves; weight times the length of what it weighs; over layers back to the first one's input."""


def by_method(translation: Translation, method: Method, norms: Mapping[str, Floats]) -> dict[str, Floats]:
    """[L, H or 1, Q, K] for each kind of attention; `norms` [L, H, K] are asked for "valued" only."""
    raw = {"encoder": translation.encoder, "decoder": translation.decoder, "cross": translation.cross}
    if method == "valued":
        return {kind: value_weighted(weights, norms[kind]) for kind, weights in raw.items()}
    if method == "rollout":
        return {
            "encoder": rollout(translation.encoder),
            "decoder": rollout(translation.decoder),
            "cross": cross_rollout(translation.cross, translation.encoder),
        }
    return raw


def maps(arrays: Mapping[str, Floats], translation: Translation, *, words: bool, specials: bool) -> dict[str, Maps]:
    """The three kinds of attention as `by_method` has them, over pieces or words, with or without special tokens."""
    source = side(translation.source, translation.source_text, words=words, specials=specials)
    target = side(translation.target, translation.text, words=words, specials=specials)
    read = side(translation.decoder_input, translation.text, words=words, specials=specials)
    found = {}
    for kind, queries, keys in (("encoder", source, source), ("decoder", target, read), ("cross", target, source)):
        found[kind] = Maps(
            kind=kind,
            weights=regroup(arrays[kind], queries, keys),
            queries=queries,
            keys=keys,
            reach=reach(queries, keys) if kind == "decoder" else None,
        )
    return found


@dataclass(frozen=True, kw_only=True)
class Pick:
    """Which cross-attention weights of a model are looked at, and whose rows they are said to be."""

    view: View
    layer: int | None = None
    """None: the average of all heads of all layers."""
    head: int | None = None
    """None: the average of the layer's heads."""


def picked(cross: Floats, pick: Pick) -> Floats:
    """[L, H, T, S] -> [T, S]."""
    if pick.layer is None:
        return np.asarray(cross.mean((0, 1)))
    return np.asarray(cross[pick.layer].mean(0) if pick.head is None else cross[pick.layer, pick.head])


def usual_view(rates: ErrorRates, layer: int | None, head: int | None) -> View:
    """The reading of the rows under which these weights are nearer to the hand-made alignments."""

    def rate(view: View) -> float:
        if layer is None:
            return rates.all[view]
        return float(rates.layers[view][layer] if head is None else rates.heads[view][layer, head])

    return min(VIEWS, key=rate)


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """Target words against source words, as two models are held against each other."""

    weights: Floats
    """[rows, columns]; no row is </s>."""
    rows: Side
    columns: Side
    steps: tuple[int, ...]
    """The decoding step that each row shows."""


def alignment(translation: Translation, pick: Pick, *, words: bool, specials: bool) -> Alignment:
    """The picked weights over pieces or words, with or without a column for </s>. No weights at all, of a model without
    attention, are zeros."""
    rows = side(translation.target, translation.text, words=words, specials=False)
    columns = side(translation.source, translation.source_text, words=words, specials=specials)
    cross = translation.cross
    if cross.size:
        weights = merge(rows_for(picked(cross, pick), pick.view), rows.groups, columns.groups)
    else:
        weights = np.zeros((len(rows.groups), len(columns.groups)), np.float32)
    later = pick.view == "read"
    return Alignment(
        weights=weights, rows=rows, columns=columns, steps=tuple(group[0] + later for group in rows.groups)
    )


def pointing_alike(one: Alignment, other: Alignment, specials: bool) -> tuple[bool, ...]:
    """For each row, whether both look most at the same source word; </s> is no word."""
    words = len(one.columns.groups) - specials
    if not words or one.rows.groups != other.rows.groups:
        return ()
    return tuple((pointed(one.weights[:, :words]) == pointed(other.weights[:, :words])).tolist())


def gold_cells(gold: Gold, translation: Translation, view: Alignment) -> tuple[tuple[int, int, bool], ...]:
    """The cells (row, column, sure) that a hand-made alignment of this very pair has."""
    sources = pieces_of(gold.source_words, translation.source)
    targets = pieces_of(gold.target_words, translation.target)
    return tuple(
        (row, column, (i, j) in gold.sure)
        for i, j in sorted(gold.possible)
        for row, pieces in enumerate(view.rows.groups)
        if set(pieces) & set(targets[j])
        for column, others in enumerate(view.columns.groups)
        if set(others) & set(sources[i])
    )


def error_rate(gold: Gold, translation: Translation, pick: Pick) -> float:
    """Alignment error rate of this one pair."""
    weights = word_weights(picked(translation.cross, pick), gold, translation.source, translation.target, pick.view)
    hits = agreeing(weights, gold.sure) + agreeing(weights, gold.possible)
    return float(1 - hits / (len(weights) + len(gold.sure)))


class Candidate(NamedTuple):
    """A piece that a model had in mind for one step."""

    label: str
    probability: float
    taken: bool


def candidates(translation: Translation) -> list[list[Candidate]]:
    """For each step the most probable pieces, best first, and the one that was taken, if it is not among them."""
    steps = []
    for token, log_prob, alternatives in zip(
        translation.target, translation.log_probs, translation.alternatives, strict=True
    ):
        found = [
            Candidate(label=each.label, probability=math.exp(each.log_prob), taken=each.id == token.id)
            for each in alternatives
        ]
        if not any(each.taken for each in found):
            found.append(Candidate(label=token.label, probability=math.exp(log_prob), taken=True))
        steps.append(found)
    return steps


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


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One way to read an alignment off a model, and how far it is from those made by hand."""

    model: str
    kind: str
    """"head", "layer" (the average of its heads), "all" (of all heads), or "only": the model has one head."""
    layer: int
    head: int
    view: View
    error_rate: float


def leaderboard(rates: Mapping[str, ErrorRates]) -> list[Entry]:
    """Of each model its best head, its best layer average and the average of all, under both readings; best first."""
    entries = []
    for model, each in rates.items():
        for view in VIEWS:
            heads, layers = each.heads[view], each.layers[view]
            layer, head = (int(i) for i in np.unravel_index(int(heads.argmin()), heads.shape))
            kind = "only" if heads.size == 1 else "head"
            found = [(kind, layer, head, float(heads[layer, head]))]
            if heads.size > 1:
                found.append(("layer", int(layers.argmin()), 0, float(layers.min())))
                found.append(("all", 0, 0, each.all[view]))
            entries += [
                Entry(model=model, kind=kind, layer=layer, head=head, view=view, error_rate=rate)
                for kind, layer, head, rate in found
            ]
    return sorted(entries, key=lambda entry: entry.error_rate)


def difference(one: Floats, other: Floats) -> Floats:
    """How much more weight the one has in each cell, from -1 to 1."""
    return np.asarray(one - other, np.float32)


def value_weighted(weights: Floats, norms: Floats) -> Floats:
    """[..., Q, K] weights times the norms [..., K] of the vectors that they weigh, each row scaled to sum 1: the norms
    ||alpha_ij f(x_j)|| of Kobayashi et al. 2020 as shares of a row."""
    moved = weights * norms[..., None, :]
    total = moved.sum(-1, keepdims=True)
    return np.asarray(np.divide(moved, total, out=np.zeros_like(moved), where=total > 0))


def rollout(weights: Floats) -> Floats:
    """[L, H, N, N] -> [L, 1, N, N]: how much of the first layer's input is in the output of layer l, if every layer
    mixed half its input with the average of its heads: A_l = (W_l + I) / 2 and R_l = A_l R_(l-1), Abnar and Zuidema
    2020."""
    mixed = (weights.mean(1) + np.eye(weights.shape[-1], dtype=np.float32)) / 2
    rolled = [mixed[0]]
    for each in mixed[1:]:
        rolled.append(each @ rolled[-1])
    return np.stack(rolled)[:, None].astype(np.float32)


def cross_rollout(cross: Floats, encoder: Floats) -> Floats:
    """[L, H, T, S] -> [L, 1, T, S]: the average of a layer's heads, led back through the encoder's rollout to the
    source pieces themselves."""
    return np.asarray(cross.mean(1, keepdims=True) @ rollout(encoder)[-1, 0], np.float32)


ALIGNED = 0.5
"""The alignment error rate below which a head of cross-attention is said to align."""


def aligning(rates: ErrorRates | None, layer: int, head: int) -> float | None:
    """The head's error rate under the reading of its rows that is better, if it is below `ALIGNED`."""
    if rates is None:
        return None
    lowest = min(float(each[layer, head]) for each in rates.heads.values())
    return lowest if lowest < ALIGNED else None


HABIT = 0.5
"""The share of a head's weight from which on it is said to have a habit."""


@dataclass(frozen=True, kw_only=True)
class Habit:
    """What a head does with most of its weight, in this sentence."""

    name: str
    """"previous", "next", "itself", "first", "end" or "stop"; empty when no place gets `HABIT` of its weight."""
    share: float
    """Of the weight, on average over the rows in which there is such a place."""
    entropy: float
    """Of a row, in bits, on average."""


def places(weights: Floats, keys: Sequence[Token], text: str, kind: str) -> dict[str, Floats]:
    """For each place that a `Habit` can have the share [L, H] that it gets of [L, H, Q, K] over pieces. Row t of the
    decoder's self-attention has read keys 0 to t, so that "itself" is the piece just read; "previous" and "next" mean
    nothing across two sentences."""
    size = weights.shape[-1]
    found: dict[str, Floats] = {"first": weights[..., :, 0].mean(-1)}
    if kind != "cross":
        found["itself"] = np.diagonal(weights, axis1=-2, axis2=-1).mean(-1)
        if size > 1:
            found["previous"] = np.diagonal(weights[..., 1:, :-1], axis1=-2, axis2=-1).mean(-1)
    if kind == "encoder" and size > 1:
        found["next"] = np.diagonal(weights[..., :-1, 1:], axis1=-2, axis2=-1).mean(-1)
    if kind != "decoder":
        found["end"] = weights[..., -1].mean(-1)
        stops = [i for i, token in enumerate(keys) if text[token.start : token.end] in (".", "!", "?")]
        if stops:
            found["stop"] = weights[..., stops].sum(-1).mean(-1)
    return found


def habits(weights: Floats, keys: Sequence[Token], text: str, kind: str) -> list[list[Habit]]:
    """For each layer and head the place that gets most of its weight, if that is enough for a habit."""
    shares = places(weights, keys, text, kind)
    entropies = -(weights * np.log2(np.clip(weights, 1e-12, None))).sum(-1).mean(-1)
    found = []
    for layer in range(len(weights)):
        row = []
        for head in range(weights.shape[1]):
            name = max(shares, key=lambda place: shares[place][layer, head])
            share = float(shares[name][layer, head])
            row.append(Habit(name=name if share >= HABIT else "", share=share, entropy=float(entropies[layer, head])))
        found.append(row)
    return found


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


def probable(step: DecoderStep) -> list[tuple[str, float]]:
    """The most probable next pieces with their probabilities, best first."""
    return [(each.label, math.exp(each.log_prob)) for each in step.alternatives]


def powers(scores: Floats) -> Floats:
    """[..., K], e to the power of (score - largest score of the row): what softmax divides by its sum."""
    return np.asarray(np.exp(scores - scores.max(-1, keepdims=True)))


@dataclass(frozen=True, kw_only=True)
class Sharpness:
    """What softmax made of one model's scores; each number is the mean over the rows."""

    spread: float
    """Standard deviation of a row's scores, before softmax."""
    entropy: float
    """Of a row of weights, in bits."""
    evenly: float
    """The entropy that a row of equal weights would have."""
    slope: float
    """Sum over a row of a(1 - a), the diagonal of softmax's Jacobian: how far weights follow a small change of their
    scores. 0 where one weight is 1."""


def sharpness(scores: Floats, weights: Floats) -> Sharpness:
    """Of scores [T, S] and the weights [T, S] that softmax makes of them."""
    terms: NDArray[np.float32] = weights * np.log2(np.clip(weights, 1e-12, None))
    return Sharpness(
        spread=float(scores.std(-1).mean()),
        entropy=float(-terms.sum(-1).mean()),
        evenly=math.log2(weights.shape[-1]),
        slope=float((weights * (1 - weights)).sum(-1).mean()),
    )


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


def two_ways(states: Floats) -> tuple[Floats, Floats]:
    """States [..., D] of an encoder that reads in both directions -> what it has read up to here from the left, and
    what from the right, [..., D / 2] each."""
    middle = states.shape[-1] // 2
    return states[..., :middle], states[..., middle:]


def likeness(states: Floats, vector: Floats) -> Floats:
    """The cosine of the angle between each of [S, D] and a vector [D], from -1 to 1: [S]."""
    return np.asarray(states @ vector / (np.linalg.norm(states, axis=-1) * np.linalg.norm(vector)))


def waiting(pieces: int, layers: int) -> tuple[Floats, Floats]:
    """Which piece is worked on at which step, when each step must wait for the one before it: [pieces, pieces] of an
    RNN that reads from the left, [layers, pieces] of a Transformer's encoder; 1 where a piece is worked on."""
    return np.eye(pieces, dtype=np.float32), np.ones((layers, pieces), np.float32)


def power_law(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """(a, b) of the y = b x^a that is nearest to the points in the sense of least squares of log y."""
    exponent, logarithm = np.polyfit(np.log(x), np.log(y), 1)
    return float(exponent), float(np.exp(logarithm))


def least_alike(one: Floats, other: Floats) -> int:
    """The place at which the larger of the two is smallest."""
    return int(np.maximum(one, other).argmin())


def felt(influence: Floats, piece: int) -> Floats:
    """[S, S], rows are states and columns pieces -> [S]: how much of a piece each state has, as a share of what the
    state at the piece itself has."""
    return np.asarray(influence[:, piece] / influence[piece, piece])


def maps_of(translation: Translation) -> int:
    """How many attention maps a translation has: one for each head of each layer of each kind."""
    kinds = (translation.encoder, translation.decoder, translation.cross)
    return sum(weights.shape[0] * weights.shape[1] for weights in kinds)
