"""Tiny models that learn to copy, reverse or sort digits while somebody watches: the bundled classes, made small.

L layers, H heads, T target symbols, S source symbols, the end included in both.
"""

import math
import random
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import torch

from model.config import RnnConfig, TransformerConfig
from model.data import Batch, pad
from model.records import Floats
from model.rnn import Rnn
from model.search import search
from model.train import loss_of, rate
from model.transformer import Transformer

Task = Literal["copy", "reverse", "sort"]
TASKS: dict[Task, Callable[[Sequence[int]], list[int]]] = {
    "copy": list,
    "reverse": lambda source: list(reversed(source)),
    "sort": sorted,
}
"""What becomes of a source."""
Name = Literal["transformer", "rnn"]
NAMES: tuple[Name, ...] = ("transformer", "rnn")

SYMBOLS = (*("<pad>", "<s>", "</s>"), *"0123456789")
"""By id."""
FIRST = 3
"""Id of the digit 0; a larger digit has a larger id."""
LENGTHS = (5, 10)
"""Digits of a sequence, at least and at most."""
TRANSFORMER = TransformerConfig(
    vocab_size=len(SYMBOLS), d_model=64, n_heads=2, encoder_layers=1, decoder_layers=1, d_ff=128, dropout=0.0,
    max_length=LENGTHS[1] + 1,
)  # fmt: skip
RNN = RnnConfig(vocab_size=len(SYMBOLS), d_model=64, dropout=0.0, max_length=LENGTHS[1] + 1)
"""One layer each, as wide as the other, and no dropout: no two batches are alike, so there is nothing to learn by
heart."""
CHANCE = math.log(len(SYMBOLS))
"""Loss of whoever finds all symbols of the vocabulary equally probable, in nats."""
BATCH = 64
"""Sequences."""
STEPS, EVERY = 500, 20
"""Steps of a whole training; steps from one look at the models to the next."""
PEAK, WARMUP, COOLDOWN = 0.005, 50, 0.5
"""Of the learning rate, the same for both; see model.train.rate."""
HELD_OUT = 200
"""Sequences that no batch has: the models are judged on them, in every training on the same ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """What a model could do at one moment of its training."""

    model: Name
    step: int
    """Batches it has learnt from."""
    seconds: float
    """That it has spent on learning from them."""
    loss: float
    """Mean cross-entropy per symbol of the held-out targets, </s> included, in nats."""
    symbols: float
    """Share of those symbols that it finds most probable after the right beginning, from 0 to 1."""
    exact: float
    """Share of held-out sequences that it gets right from the first symbol to </s>: greedy search finds the target just
    if each symbol is the most probable after the right beginning."""
    cross: Floats
    """[L, H, T, S], of the example, read with its right target."""
    said: tuple[str, ...]
    """What greedy search makes of the example, without </s>."""

    def weights(self, head: int | None = None) -> Floats:
        """[T, S], of the last layer: of one head, counted from 1, or the mean of all."""
        last: Floats = self.cross[-1]
        return last.mean(0) if head is None else last[head - 1]


@dataclass(kw_only=True, eq=False)
class LiveRun:
    """A training that goes on: one thread adds snapshots, others read them."""

    task: Task
    seed: int
    waiting: bool = True
    """Nothing has begun: somebody else's training comes first."""
    snapshots: dict[Name, list[Snapshot]] = field(default_factory=lambda: {name: [] for name in NAMES})


def live_training(run: LiveRun) -> Generator[float, None, None]:
    """Train both models and leave what they can do in `run`, step by step."""
    run.waiting = False
    for share, snapshot in train_both(run.task, run.seed):
        if snapshot:
            run.snapshots[snapshot.model].append(snapshot)
        yield share


def sequence(rng: random.Random) -> tuple[int, ...]:
    """Random digits, as ids."""
    return tuple(rng.randrange(FIRST, len(SYMBOLS)) for _ in range(rng.randint(*LENGTHS)))


def held_out() -> tuple[tuple[int, ...], ...]:
    """HELD_OUT different sources. The first is the example: eight digits, no two alike, so that one column of a picture
    is right for each row."""
    rng = random.Random(0)
    example = tuple(rng.sample(range(FIRST, len(SYMBOLS)), 8))
    found = {example: None}  # a dict keeps the order
    while len(found) < HELD_OUT:
        found[sequence(rng)] = None
    return tuple(found)


def digit_batch(sources: Sequence[Sequence[int]], task: Task) -> Batch:
    targets = [TASKS[task](source) for source in sources]
    bos, eos, empty = TRANSFORMER.bos_id, TRANSFORMER.eos_id, TRANSFORMER.pad_id
    return Batch(
        source=pad([[*source, eos] for source in sources], empty),
        target_in=pad([[bos, *target] for target in targets], empty),
        target_out=pad([[*target, eos] for target in targets], empty),
        tokens=sum(len(source) + len(target) + 2 for source, target in zip(sources, targets, strict=True)),
    )


def batches(task: Task, seed: int, known: Sequence[tuple[int, ...]]) -> Iterator[Batch]:
    """Without end; none of `known` is in them."""
    rng, never = random.Random(seed), frozenset(known)
    fresh = (source for source in iter(lambda: sequence(rng), None) if source not in never)
    while True:
        yield digit_batch([next(fresh) for _ in range(BATCH)], task)


def labels(task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The example and what shall become of it, as they are written, both with their </s>."""
    source = held_out()[0]
    spelt = [[SYMBOLS[i] for i in (*ids, TRANSFORMER.eos_id)] for ids in (source, TASKS[task](source))]
    return tuple(spelt[0]), tuple(spelt[1])


class Learner:
    """One of the models and its optimizer."""

    def __init__(self, name: Name, task: Task, seed: int, steps: int) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.model: Any = Transformer(TRANSFORMER) if name == "transformer" else Rnn(RNN)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9)
        self.name, self.steps, self.step, self.seconds = name, steps, 0, 0.0
        sources = held_out()
        self.test, self.example = digit_batch(sources, task), digit_batch(sources[:1], task)

    def learn(self, batch: Batch) -> None:
        begin = time.perf_counter()
        self.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = rate(self.step, self.steps, peak=PEAK, warmup=WARMUP, cooldown=COOLDOWN)
        loss = loss_of(self.model(batch.source, batch.target_in).logits, batch.target_out, TRANSFORMER.pad_id)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.seconds += time.perf_counter() - begin

    @torch.inference_mode()
    def look(self) -> Snapshot:
        target = self.test.target_out
        logits = self.model(self.test.source, self.test.target_in).logits
        loss = float(loss_of(logits, target, TRANSFORMER.pad_id))
        logits[..., [TRANSFORMER.pad_id, TRANSFORMER.bos_id]] = -torch.inf  # search never takes them either
        there = target.ne(TRANSFORMER.pad_id)
        right = logits.argmax(-1).eq(target) & there
        cross = self.model(self.example.source, self.example.target_in).cross
        found = search(self.model, self.example.source, extra=1)[0][0].ids
        return Snapshot(
            model=self.name,
            step=self.step,
            seconds=self.seconds,
            loss=loss,
            symbols=float(right.sum() / there.sum()),
            exact=float((right == there).all(1).float().mean()),
            cross=np.stack([layer[0].numpy() for layer in cross]),
            said=tuple(SYMBOLS[i] for i in found),
        )


def train_both(
    task: Task, seed: int, *, steps: int = STEPS, every: int = EVERY
) -> Iterator[tuple[float, Snapshot | None]]:
    """Train both models on the same batches, in turn. The share that is done, after each step of each model, and what
    it can do before the first, after every `every` and after the last. Whoever asks for the next decides when it is
    computed."""
    learners = [Learner(name, task, seed, steps) for name in NAMES]
    for learner in learners:
        yield 0.0, learner.look()
    for step, batch in zip(range(1, steps + 1), batches(task, seed, held_out()), strict=False):
        for i, learner in enumerate(learners, 1):
            learner.learn(batch)
            share = (step - 1 + i / len(learners)) / steps
            yield share, None
            if step % every == 0 or step == steps:
                yield share, learner.look()
