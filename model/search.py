"""Find a translation: beam search, of which greedy is the beam of one; the same for every model.

B sentences, K hypotheses each, V vocabulary.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from model.errors import UserError
from model.records import Fate

ALPHA = 0.6
"""Of the length penalty."""


class State(Protocol):
    def reorder(self, rows: Tensor) -> Any: ...


class Model(Protocol):
    """What search asks of a model; Transformer and RNNs both answer."""

    @property
    def config(self) -> Any: ...
    def encode(self, source: Tensor) -> Any: ...
    def start(self, encoded: Any) -> Any: ...
    def decode_step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    ids: list[int]
    """Without <s> and </s>."""
    log_prob: float
    """Of the whole, </s> included."""
    score: float
    """log_prob over the length penalty: what the beam ranks by."""


class Candidate(NamedTuple):
    """One of the 2K that a step looks at."""

    parent: int
    """Which of the K hypotheses it goes on with."""
    id: int
    total: float
    """log-probability of all its pieces."""
    fate: Fate


@dataclass
class _Sentence:
    """One source's hypotheses while they grow."""

    index: int
    alive: list[list[int]]
    finished: list[Hypothesis] = field(default_factory=list)


def penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6) ^ alpha, equation 14 of Wu et al. 2016; 0 switches it off."""
    return ((5 + length) / 6) ** alpha


def longest(source_length: int, max_length: int, extra: int = 50) -> int:
    """Most pieces of a translation, </s> included: `extra` more than the source (the paper's rule), within the model's
    limit."""
    return min(source_length + extra, max_length)


def judge(totals: Sequence[float], places: Sequence[int], vocabulary: int, beam: int, eos_id: int) -> list[Candidate]:
    """What becomes of a step's 2K best candidates, best first: the K best that do not end go on, and an ending counts
    if it is among the K best. A place is parent * V + id; impossible candidates are left out."""
    candidates, room = [], beam
    for rank, (total, place) in enumerate(zip(totals, places, strict=True)):
        if total == -torch.inf:
            break
        if math.isnan(total):
            raise UserError("not_finite")
        parent, id = divmod(place, vocabulary)
        fate: Fate = "dropped"
        if id == eos_id:
            fate = "finished" if rank < beam else "dropped"
        elif room:
            fate, room = "alive", room - 1
        candidates.append(Candidate(parent, id, total, fate))
    return candidates


@torch.inference_mode()
def search(
    model: Model,
    source: Tensor,
    *,
    encoded: Any = None,
    beam: int = 1,
    alpha: float = ALPHA,
    extra: int = 50,
    watch: Callable[[int, list[Candidate]], object] | None = None,
) -> list[list[Hypothesis]]:
    """Translate ids [B, S] and return each row's up to `beam` finished hypotheses, best first.

    `encoded` is what model.encode makes of the source, if it is at hand. A hypothesis stops at </s>, or is ended
    after `longest` pieces. `watch` gets the row and the candidates of each of its steps.
    """
    if beam < 1:
        raise UserError("beam_narrow", beam=beam)
    config, device = model.config, source.device
    lengths = source.ne(config.pad_id).sum(1).tolist()
    limits = [longest(length, config.max_length, extra) for length in lengths]
    state = model.start(model.encode(source) if encoded is None else encoded)
    sentences = [_Sentence(index=i, alive=[[]] * beam) for i in range(len(source))]
    results: list[list[Hypothesis]] = [[] for _ in sentences]
    if beam > 1:
        state = state.reorder(torch.arange(len(source), device=device).repeat_interleave(beam))
    tokens = torch.full((len(source) * beam,), config.bos_id, device=device)
    # All K hypotheses start equal, so only the first may have offspring at the first step.
    totals = torch.full((len(source), beam), -torch.inf, device=device)
    totals[:, 0] = 0
    for length in range(1, max(limits) + 1):
        log_probs, state = model.decode_step(tokens, state)  # [B * K, V]
        vocabulary = log_probs.size(-1)
        out_of_room = [i * beam + k for i, limit in enumerate(limits) if limit == length for k in range(beam)]
        if out_of_room:
            ending = log_probs[out_of_room, config.eos_id]
            log_probs[out_of_room] = -torch.inf
            log_probs[out_of_room, config.eos_id] = ending
        log_probs[:, [config.pad_id, config.bos_id]] = -torch.inf
        reached = (totals.flatten()[:, None] + log_probs).view(len(sentences), -1)  # [B, K * V]
        best, where = reached.topk(2 * beam, dim=-1)  # of 2K at most K end here, so K can go on
        rows: list[int] = []
        next_tokens: list[int] = []
        next_totals: list[list[float]] = []
        remaining: list[int] = []
        for i, (sentence, scores, places) in enumerate(zip(sentences, best.tolist(), where.tolist(), strict=True)):
            alive: list[list[int]] = []
            alive_rows: list[int] = []
            alive_totals: list[float] = []
            candidates = judge(scores, places, vocabulary, beam, config.eos_id)
            if watch:
                watch(sentence.index, candidates)
            for parent, token, total, fate in candidates:
                if fate == "alive":
                    alive.append([*sentence.alive[parent], token])
                    alive_rows.append(i * beam + parent)
                    alive_totals.append(total)
                elif fate == "finished":
                    score = total / penalty(length, alpha)
                    sentence.finished.append(Hypothesis(ids=sentence.alive[parent], log_prob=total, score=score))
            if len(sentence.finished) >= beam or not alive:
                results[sentence.index] = sorted(sentence.finished, key=lambda h: -h.score)[:beam]
                continue
            missing = beam - len(alive)  # a vocabulary smaller than the beam
            rows += alive_rows + alive_rows[:1] * missing
            next_tokens += [hypothesis[-1] for hypothesis in alive] + [config.eos_id] * missing
            next_totals.append(alive_totals + [-torch.inf] * missing)
            sentence.alive = alive + [[]] * missing
            remaining.append(i)
        if not remaining:
            break
        if rows != list(range(len(sentences) * beam)):
            state = state.reorder(torch.tensor(rows, device=device))
        sentences, limits = [sentences[i] for i in remaining], [limits[i] for i in remaining]
        tokens = torch.tensor(next_tokens, device=device)
        totals = torch.tensor(next_totals, device=device)
    return results
