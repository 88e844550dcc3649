"""Prepared sentence pairs as batches of ids: few padded cells, the same order again for the same seed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from model.errors import UserError
from model.tokenizer import Tokenizer

Pair = tuple[list[int], list[int]]
"""Ids of a source and of its target, without specials."""


def read_lines(path: Path) -> list[list[str]]:
    """The tab-separated lines of a UTF-8 file. UserError names the first line with fewer than two fields."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError("not_text", name=path.name, reason=error) from error
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if line:
            fields = line.rstrip("\r").split("\t")
            if len(fields) < 2:
                raise UserError("line_no_tab", line=number, name=path.name)
            source, references = fields[0], [field for field in fields[1:] if field.strip()]
            if not (source.strip() and references):
                raise UserError("line_side_empty", line=number, name=path.name)
            lines.append([source, *references])
    if not lines:
        raise UserError("file_empty", name=path.name)
    return lines


def pad(rows: Sequence[Sequence[int]], pad_id: int) -> Tensor:
    """Rows of ids -> [B, longest], filled up on the right."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad_id] * (width - len(row))] for row in rows])


@dataclass(frozen=True, kw_only=True)
class Batch:
    source: Tensor  # [B, S], each row ends with </s>
    target_in: Tensor  # [B, T], each row starts with <s>
    target_out: Tensor  # [B, T], each row ends with </s>
    tokens: int
    """Source and target pieces that are not padding."""


def make_batch(pairs: Sequence[Pair], tokenizer: Tokenizer) -> Batch:
    bos, eos = tokenizer.bos_id, tokenizer.eos_id
    return Batch(
        source=pad([[*source, eos] for source, _ in pairs], tokenizer.pad_id),
        target_in=pad([[bos, *target] for _, target in pairs], tokenizer.pad_id),
        target_out=pad([[*target, eos] for _, target in pairs], tokenizer.pad_id),
        tokens=sum(len(source) + len(target) + 2 for source, target in pairs),
    )


def join_some(pairs: Sequence[Pair], share: float, max_length: int, rng: np.random.Generator) -> list[Pair]:
    """Shuffle, and string about `share` of the pairs together, two to four at a time.

    The corpus has one short sentence a line; a person types two, and a model that never saw two stops after one.
    """
    order = rng.permutation(len(pairs))
    joined, i = [], 0
    starts = rng.random(len(pairs))
    sizes = rng.integers(2, 5, len(pairs))
    # A run of mean size 3 starts at a pair with this probability, so that `share` of all pairs end up in runs.
    probability = share / (3 - 2 * share)
    while i < len(order):
        size = int(sizes[i]) if starts[i] < probability else 1
        run = [pairs[j] for j in order[i : i + size]]
        source, target = [id for s, _ in run for id in s], [id for _, t in run for id in t]
        if max(len(source), len(target)) < max_length:
            joined.append((source, target))
        else:
            joined += run
        i += size
    return joined


VARIANTS = ("lower", "upper", "open", "quotes")
"""What a person does to a sentence before typing it: no capitals; capitals only; no full stop; French marks."""


def vary(source: str, target: str, variant: str) -> tuple[str, str]:
    """A pair as somebody else would have typed it. A sentence typed without capitals is still answered with them; one
    in capitals, or without its final punctuation, is answered alike; guillemets are read like plain marks."""
    if variant == "lower":
        return source.lower(), target
    if variant == "upper":
        return source.upper(), target.upper()
    if variant == "open":
        return re.sub(r"[.!?]$", "", source), re.sub(r"\s*[.!?]$", "", target)
    return re.sub(r'"([^"]*)"', "\u00ab \\1 \u00bb", source), target


def epoch_batches(pairs: Sequence[Pair], batch_tokens: int, rng: np.random.Generator) -> list[list[Pair]]:
    """Groups of neighbours in length, each of at most `batch_tokens` target cells, in random order."""
    order = sorted(pairs, key=lambda pair: (len(pair[0]), len(pair[1])))
    batches: list[list[Pair]] = []
    current: list[Pair] = []
    longest = 0
    for pair in order:
        longest = max(longest, len(pair[1]) + 1)
        if current and longest * (len(current) + 1) > batch_tokens:
            batches.append(current)
            current, longest = [], len(pair[1]) + 1
        current.append(pair)
    if current:
        batches.append(current)
    return [batches[i] for i in rng.permutation(len(batches))]
