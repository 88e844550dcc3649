"""What a search considers on its way to a translation, and translations by chance; the same for every model, no text.

S source pieces, K hypotheses, V vocabulary.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from model.errors import UserError
from model.records import Node
from model.search import ALPHA, Candidate, Model, longest, penalty, search

Method = Literal["greedy", "beam", "sample"]


@dataclass(frozen=True, kw_only=True)
class FoundPath:
    """One finished translation."""

    nodes: tuple[int, ...]
    """From its first piece to </s>, as places in `Exploration.nodes`."""
    ids: tuple[int, ...]
    """Without <s> and </s>."""
    log_prob: float
    """Of the whole, </s> included."""
    score: float
    """log_prob over the length penalty."""


@dataclass(frozen=True, kw_only=True)
class Exploration:
    nodes: tuple[Node, ...]
    """Step by step, and within a step the most probable hypothesis first: of each step's 2K best what search kept, and
    what it did not."""
    paths: tuple[FoundPath, ...]
    """All that finished, best first. `search` returns the first K of them."""


class Led:
    """A model that says what it is told to: `lead` gets a step, from 0, and the log-probabilities [K, V] of its next
    piece, and names the only piece that is possible, if any. The piece keeps its log-probability. For one search."""

    def __init__(self, model: Model, lead: Callable[[int, Tensor], int | None]) -> None:
        self.config, self.encode, self.start = model.config, model.encode, model.start
        self.model, self.lead, self.step = model, lead, 0

    def decode_step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        log_probs, state = self.model.decode_step(tokens, state)
        only = self.lead(self.step, log_probs)
        self.step += 1
        if only is None:
            return log_probs, state
        led = torch.full_like(log_probs, -torch.inf)
        led[:, only] = log_probs[:, only]
        return led, state


@torch.inference_mode()
def explore_tree(
    model: Model,
    source: Tensor,
    *,
    prefix: Sequence[int] = (),
    method: Method = "greedy",
    beam: int = 4,
    temperature: float = 1.0,
    top_k: int = 0,
    seed: int = 0,
    encoded: Any = None,
) -> Exploration:
    """Translate ids [1, S] by greedy search, by a beam, or by drawing each piece at random.

    The translation begins with the ids `prefix`, of which the last may be </s>; the method finds the rest. `sample`
    draws a piece from softmax(log p / `temperature`) over the `top_k` most probable ones (Fan et al. 2018), or over all
    of them if that is 0 (Holtzman et al. 2020 hold the two against each other); equal seeds draw equally. Whatever the
    method, all log-probabilities are the model's own. UserError when an option is impossible.
    """
    config = model.config
    limit = longest(int(source.ne(config.pad_id).sum()), config.max_length)
    prefix = list(prefix)
    check_prefix(prefix, limit, config)
    if method not in get_args(Method):
        raise UserError("method_unknown", method=method, methods=", ".join(get_args(Method)))
    if not (math.isfinite(temperature) and temperature > 0):
        raise UserError("temperature", value=temperature)
    if top_k < 0:
        raise UserError("top_k", value=top_k)
    generator = torch.Generator().manual_seed(seed % 2**63)

    def lead(step: int, log_probs: Tensor) -> int | None:
        if step < len(prefix):
            if prefix[step] >= log_probs.size(-1):
                raise UserError("piece_unknown", id=prefix[step], count=log_probs.size(-1))
            return prefix[step]
        if method != "sample":
            return None
        if step == limit - 1:
            return int(config.eos_id)
        possible = log_probs[0].cpu().clone()  # [V]
        possible[[config.pad_id, config.bos_id]] = -torch.inf
        return draw(possible, temperature, top_k, generator)

    nodes: list[Node] = []
    growing = [-1]  # the last node of each hypothesis

    def watch(_: int, candidates: Sequence[Candidate]) -> None:
        nonlocal growing
        after: list[int] = []
        for parent, id, total, fate in candidates:
            at = growing[parent]
            before = nodes[at] if at >= 0 else None
            if fate == "alive":
                after.append(len(nodes))
            nodes.append(
                Node(
                    parent=at,
                    id=id,
                    log_prob=total - (before.total if before else 0.0),
                    total=total,
                    step=before.step + 1 if before else 0,
                    fate=fate,
                )
            )
        growing = after

    search(Led(model, lead), source, encoded=encoded, beam=beam if method == "beam" else 1, watch=watch)
    ended = [i for i, node in enumerate(nodes) if node.fate == "finished"]
    if not ended:
        raise UserError("improbable")
    return Exploration(
        nodes=tuple(nodes), paths=tuple(sorted((path_to(nodes, end) for end in ended), key=lambda each: -each.score))
    )


def check_prefix(prefix: Sequence[int], limit: int, config: Any) -> None:
    """UserError unless a translation of at most `limit` pieces, </s> included, can begin so."""
    *middle, last = prefix or [-1]
    if config.eos_id in middle:
        raise UserError("after_end")
    if any(id < 0 or id in (config.pad_id, config.bos_id) for id in prefix):
        raise UserError("padding")
    if len(prefix) > limit - (last != config.eos_id):
        raise UserError("prefix_long", count=len(prefix), limit=limit)


def draw(log_probs: Tensor, temperature: float, top_k: int, generator: torch.Generator) -> int:
    """One of V pieces at random, by log-probabilities [V] of which some may be -inf."""
    best, ids = log_probs.topk(min(top_k or len(log_probs), len(log_probs)))
    weights = ((best - best[0]).double() / temperature).softmax(-1)
    return int(ids[torch.multinomial(weights, 1, generator=generator)])


def path_to(nodes: Sequence[Node], end: int) -> FoundPath:
    """From the first piece to the </s> at `end`."""
    found = [end]
    while (parent := nodes[found[-1]].parent) >= 0:
        found.append(parent)
    found.reverse()
    total = nodes[end].total
    return FoundPath(
        nodes=tuple(found),
        ids=tuple(nodes[i].id for i in found[:-1]),
        log_prob=total,
        score=total / penalty(len(found), ALPHA),
    )
