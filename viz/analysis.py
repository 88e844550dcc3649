"""What is computed from attention before it is drawn: arrays in, arrays out.

[..., Q, K] is any stack of attention maps, rows queries and columns keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.trace import Floats, Token, Translation, shown


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
    columns: Floats = np.zeros((weights.shape[-1], len(keys.groups)), np.float32)
    for column, group in enumerate(keys.groups):
        columns[list(group), column] = 1
    rows: Floats = np.zeros((len(queries.groups), weights.shape[-2]), np.float32)
    for row, group in enumerate(queries.groups):
        rows[row, list(group)] = 1 / len(group)
    return np.matmul(np.matmul(rows, weights), columns, dtype=np.float32)


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


def maps(translation: Translation, *, words: bool, specials: bool) -> dict[str, Maps]:
    """The three kinds of attention, over pieces or words, with or without special tokens."""
    source = side(translation.source, translation.source_text, words=words, specials=specials)
    target = side(translation.target, translation.text, words=words, specials=specials)
    read = side(translation.decoder_input, translation.text, words=words, specials=specials)
    found = {}
    for kind, weights, queries, keys in (
        ("encoder", translation.encoder, source, source),
        ("decoder", translation.decoder, target, read),
        ("cross", translation.cross, target, source),
    ):
        found[kind] = Maps(
            kind=kind,
            weights=regroup(weights, queries, keys),
            queries=queries,
            keys=keys,
            reach=reach(queries, keys) if kind == "decoder" else None,
        )
    return found
