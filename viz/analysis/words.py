"""The axes of a picture: pieces, or the words that they make, and weights summed accordingly.

[..., Q, K] is any stack of attention maps, rows queries and columns keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from model.experiments.alignment import merge
from model.records import Floats, Token, shown, unread


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
        whole = text[first.start : last.end]
        seen = "".join(character for character in whole if not unread(character)) or whole
        labels.append(first.label if len(group) == 1 else shown(seen))
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
