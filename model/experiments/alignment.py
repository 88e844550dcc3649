"""Word alignment read off attention, and how far it is from one made by hand.

H heads (or any leading axes), S source pieces, T target pieces, I source words, J target words.
"""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from model.errors import UserError
from model.files import read_bytes
from model.records import Floats, Token
from model.translate import Translator

View = Literal["predicted", "read"]
"""Which target word a row of cross-attention is said to belong to: the one that the step predicts, or the one that it
has just read."""
VIEWS: tuple[View, ...] = ("predicted", "read")
Groups = Sequence[Sequence[int]]
"""For each word, the indices of its pieces."""


@dataclass(frozen=True, kw_only=True)
class Gold:
    """A sentence pair that somebody aligned by hand; words count from 0."""

    source: str
    target: str
    source_words: tuple[tuple[int, int], ...]
    """Characters [start, end) of each."""
    target_words: tuple[tuple[int, int], ...]
    sure: frozenset[tuple[int, int]]
    """(source word, target word)."""
    possible: frozenset[tuple[int, int]]
    """The sure ones among them."""


def gold_rates(translator: Translator, pairs: Sequence[Gold]) -> Generator[float, None, "ErrorRates"]:
    """Alignment error rate of every head, with each pair's target given to the model; the share that is done after each
    pair. Pairs longer than the model reads are left out. UserError when none fits, when one has an empty side, or when
    the model has no cross-attention."""
    tally, limit = Tally(), translator.config.max_length - 1  # one place is for </s>
    for done, gold in enumerate(pairs, 1):
        source, target = translator.tokenizer.encode(gold.source, source=True), translator.tokenizer.encode(gold.target)
        if max(len(source), len(target)) > limit:
            tally.skipped += 1
        else:
            forced = translator.translate(gold.source, target=gold.target)
            if not forced.cross.size:
                raise UserError("no_alignment", name=forced.checkpoint.name)
            tally.add(forced.cross, gold, forced.source, forced.target)
        yield done / len(pairs)
    return tally.rates()


MOST = 2**24
"""Bytes that a file of pairs may have."""


def read_gold(path: Path) -> list[Gold]:
    """Lines source<TAB>target<TAB>links; or, of a file that ends in .src-tgt, source ||| target with the links in the
    file beside it that ends in .gold.

    Words are set apart by a space, or by | where the text has none. A link i-j is sure and ipj possible, both counted
    from 1, source first. UserError names the first line that is something else.
    """
    try:
        lines = read_bytes(path, MOST).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise UserError("not_text", name=path.name, reason=error) from error
    if path.suffix == ".src-tgt":
        links = path.with_suffix(".gold").read_text(encoding="utf-8").splitlines()
        if len(links) != len(lines):
            raise UserError("gold_lines", name=path.name, lines=len(lines), links=len(links))
        rows = [[*line.split("|||"), link] for line, link in zip(lines, links, strict=True)]
    else:
        rows = [line.split("\t") for line in lines if line.strip()]
    if not rows:
        raise UserError("file_empty", name=path.name)
    return [_gold(row, path.name, number) for number, row in enumerate(rows, 1)]


def _gold(row: Sequence[str], name: str, line: int) -> Gold:
    if len(row) != 3:
        raise UserError("gold_fields", name=name, line=line, count=len(row))
    (source, source_words), (target, target_words) = _words(row[0].strip()), _words(row[1].strip())
    found: dict[str, set[tuple[int, int]]] = {"-": set(), "p": set()}
    for link in row[2].split():
        match = re.fullmatch(r"(\d+)([-p])(\d+)", link)
        if match is None:
            raise UserError("gold_link", name=name, line=line, link=link)
        i, j = int(match[1]) - 1, int(match[3]) - 1
        if not (0 <= i < len(source_words) and 0 <= j < len(target_words)):
            raise UserError(
                "gold_link_outside", name=name, line=line, link=link, source=len(source_words), target=len(target_words)
            )
        found[match[2]].add((i, j))
    return Gold(
        source=source,
        target=target,
        source_words=source_words,
        target_words=target_words,
        sure=frozenset(found["-"]),
        possible=frozenset(found["p"] | found["-"]),
    )


def _words(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text without its marks, and where its words stand in it."""
    text, spans = "", []
    for part in re.split(r"( +|\|)", marked):
        if part.strip(" |"):
            spans.append((len(text), len(text) + len(part)))
        text += part if part != "|" else ""
    return text, tuple(spans)


def pieces_of(words: Sequence[tuple[int, int]], tokens: Sequence[Token]) -> Groups:
    """For each word (characters [start, end)) the pieces that share a character with it; specials belong to none."""
    return [
        [k for k, token in enumerate(tokens) if not token.special and token.start < end and start < token.end]
        for start, end in words
    ]


def merge(weights: Floats, queries: Groups, keys: Groups) -> Floats:
    """[..., Q, K] over pieces -> [..., len(queries), len(keys)]: keys of a group summed, queries averaged.

    Nothing is rescaled. A group without pieces has weight 0.
    """
    columns: Floats = np.zeros((weights.shape[-1], len(keys)), np.float32)
    for column, group in enumerate(keys):
        columns[list(group), column] = 1
    rows: Floats = np.zeros((len(queries), weights.shape[-2]), np.float32)
    for row, group in enumerate(queries):
        rows[row, list(group)] = 1 / max(len(group), 1)
    return np.matmul(np.matmul(rows, weights), columns, dtype=np.float32)


def rows_for(cross: Floats, view: View) -> Floats:
    """[..., T, S] -> [..., T - 1, S]: one row for each target piece but </s>.

    Row t predicts target[t] and has just read target[t - 1], so the views differ by one row.
    """
    return cross[..., :-1, :] if view == "predicted" else cross[..., 1:, :]


def word_weights(cross: Floats, gold: Gold, source: Sequence[Token], target: Sequence[Token], view: View) -> Floats:
    """[..., T, S] over pieces -> [..., J, I] over the words of `gold`, </s> apart."""
    return merge(rows_for(cross, view), pieces_of(gold.target_words, target[:-1]), pieces_of(gold.source_words, source))


def pointed(weights: Floats) -> NDArray[np.intp]:
    """[..., J, I] -> [..., J]: the source word that each target word looks at most, its link."""
    return weights.argmax(-1)


@dataclass(frozen=True, kw_only=True)
class ErrorRates:
    """AER = 1 - (|A & S| + |A & P|) / (|A| + |S|), Och and Ney 2003, over a whole file; 0 is perfect.

    A holds one link for each target word, to the source word it looks at most; </s> is no word.
    """

    pairs: int
    skipped: int
    """Pairs longer than the model reads."""
    heads: dict[View, NDArray[np.float64]]
    """[L, H]"""
    layers: dict[View, NDArray[np.float64]]
    """[L], the weights of a layer's heads averaged."""
    all: dict[View, float]
    """All heads averaged."""

    @property
    def best(self) -> tuple[View, int, int]:
        """View, layer and head with the lowest rate."""
        view = min(VIEWS, key=lambda view: self.heads[view].min())
        layer, head = np.unravel_index(int(self.heads[view].argmin()), self.heads[view].shape)
        return view, int(layer), int(head)

    @property
    def lowest(self) -> float:
        return min(float(rates.min()) for rates in self.heads.values())

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "ErrorRates":
        """What `as_json` wrote. KeyError or ValueError when it is something else."""
        return cls(
            pairs=values["pairs"],
            skipped=values["skipped"],
            heads={view: np.array(values["heads"][view], float).reshape(len(values["heads"][view]), -1)
                   for view in VIEWS},
            layers={view: np.array(values["layers"][view], float) for view in VIEWS},
            all={view: float(values["all"][view]) for view in VIEWS},
        )  # fmt: skip

    def fit(self, layers: int, heads: int) -> bool:
        """Whether they are rates of a model with so many of them."""
        counts = isinstance(self.pairs, int) and isinstance(self.skipped, int)
        sizes = all(
            self.heads[view].shape == (layers, heads) and self.layers[view].shape == (layers,) for view in VIEWS
        )
        parts = [*self.heads.values(), *self.layers.values(), np.array(list(self.all.values()))]
        return counts and sizes and all(bool(np.isfinite(part).all()) for part in parts)

    def as_json(self) -> dict[str, Any]:
        view, layer, head = self.best
        return {
            "pairs": self.pairs,
            "skipped": self.skipped,
            "best": {"view": view, "layer": layer, "head": head, "error_rate": self.lowest},
            "heads": {name: rates.tolist() for name, rates in self.heads.items()},
            "layers": {name: rates.tolist() for name, rates in self.layers.items()},
            "all": dict(self.all),
        }


class Tally:
    """Counts links over sentence pairs, for every head, layer and view at once."""

    def __init__(self) -> None:
        self.pairs = self.skipped = self.denominator = 0
        self.hits: dict[tuple[View, str], NDArray[np.int64]] = {}

    def add(self, cross: Floats, gold: Gold, source: Sequence[Token], target: Sequence[Token]) -> None:
        """One pair: its cross-attention [L, H, T, S] and the pieces that the model read."""
        self.pairs += 1
        self.denominator += len(gold.target_words) + len(gold.sure)
        for view in VIEWS:
            weights = word_weights(cross, gold, source, target, view)
            for name, each in (("heads", weights), ("layers", weights.mean(1)), ("all", weights.mean((0, 1)))):
                hits = agreeing(each, gold.sure) + agreeing(each, gold.possible)
                self.hits[view, name] = self.hits.get((view, name), np.int64(0)) + hits

    def rates(self) -> ErrorRates:
        """UserError when no pair was added."""
        if not self.pairs:
            raise UserError("pairs_too_long")
        found = {key: np.asarray(1 - hits / self.denominator) for key, hits in self.hits.items()}
        return ErrorRates(
            pairs=self.pairs,
            skipped=self.skipped,
            heads={view: found[view, "heads"] for view in VIEWS},
            layers={view: found[view, "layers"] for view in VIEWS},
            all={view: float(found[view, "all"]) for view in VIEWS},
        )


def agreeing(weights: Floats, links: frozenset[tuple[int, int]]) -> NDArray[np.int64]:
    """How many target words point to a source word that `links` has: [..., J, I] -> [...]."""
    linked = np.zeros(weights.shape[-2:], bool)
    for i, j in links:
        linked[j, i] = True
    return np.asarray(linked[np.arange(len(linked)), pointed(weights)].sum(-1))
