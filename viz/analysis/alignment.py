"""Cross-attention as an alignment of words, and how it agrees with links made by hand."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from model.experiments.alignment import (
    VIEWS,
    ErrorRates,
    Gold,
    View,
    agreeing,
    merge,
    pieces_of,
    pointed,
    rows_for,
    word_weights,
)
from model.records import Floats, Translation
from viz.analysis.words import Side, side


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


def measured_rate(rates: ErrorRates, pick: Pick) -> float:
    """The error rate that was measured of these weights."""
    if pick.layer is None:
        return rates.all[pick.view]
    if pick.head is None:
        return float(rates.layers[pick.view][pick.layer])
    return float(rates.heads[pick.view][pick.layer, pick.head])


def usual_view(rates: ErrorRates, layer: int | None, head: int | None) -> View:
    """The reading of the rows under which these weights are nearer to the hand-made alignments."""
    return min(VIEWS, key=lambda view: measured_rate(rates, Pick(view=view, layer=layer, head=head)))


def best_head(rates: ErrorRates, view: View) -> tuple[int, int]:
    """Layer and head with the lowest error rate under this reading."""
    layer, head = np.unravel_index(int(rates.heads[view].argmin()), rates.heads[view].shape)
    return int(layer), int(head)


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
            layer, head = best_head(each, view)
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
