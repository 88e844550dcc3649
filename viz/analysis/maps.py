"""All maps of a translation by the method that is asked for, ready to be drawn.

[..., Q, K] is any stack of attention maps, rows queries and columns keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from model.records import Floats, Translation
from viz.analysis.rollout import cross_rollout, rollout, value_weighted
from viz.analysis.words import Side, reach, regroup, side


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


def difference(one: Floats, other: Floats) -> Floats:
    """How much more weight the one has in each cell, from -1 to 1."""
    return np.asarray(one - other, np.float32)


def maps_of(translation: Translation) -> int:
    """How many attention maps a translation has: one for each head of each layer of each kind."""
    kinds = (translation.encoder, translation.decoder, translation.cross)
    return sum(weights.shape[0] * weights.shape[1] for weights in kinds)
