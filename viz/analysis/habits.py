"""What a head does in a sentence: looks at itself, at a neighbour, at the first piece."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.experiments.alignment import ErrorRates
from model.records import Floats, Token

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
