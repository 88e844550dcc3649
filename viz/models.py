"""The one door to the models: which there are, whose turn it is, and what they have answered already.

The only place with st.cache_* and the only importer of model.translate.
"""

import contextlib
import dataclasses
import gc
import inspect
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import streamlit as st
import torch

from model import metrics
from model.checkpoint import CONFIG
from model.config import TransformerConfig
from model.errors import UserError
from model.experiments.alignment import ErrorRates, Gold, read_gold
from model.records import Decoding, Translation
from model.search_tree import Method
from model.translate import Translator, load
from viz.jobs import Line

T = TypeVar("T")
Progress = Callable[[float], object]
"""Gets the share that is done, from 0 to 1, and may raise to stop the work."""

CHECKPOINTS = Path(os.environ.get("REGARD_CHECKPOINTS", Path(__file__).parent.parent / "checkpoints"))
PAIR = "en-fr"
TRANSFORMER = f"{PAIR}/transformer"
ONE_AT_A_TIME = Line()
"""Thirty visitors at once wait in a line; without it they all get slow together."""
REST = 0.002
"""Seconds between two parts of long work, in which the pages of others are drawn."""
MOST, MOST_BYTES = 64, 2**28
"""Answers of one kind that are remembered, and what they may take together, roughly."""


# Which there are


@st.cache_resource(show_spinner=False)
def translator(name: str = TRANSFORMER) -> Translator:
    """The shared model. ValueError says what is wrong with its files."""
    torch.set_num_threads(1)  # one sentence gains nothing from a second thread, and other visitors need it
    found = load(CHECKPOINTS / name)
    if name == TRANSFORMER and not isinstance(found.config, TransformerConfig):
        raise UserError("no_transformer", folder=CHECKPOINTS / name, kind="rnn")
    return found


def sizes() -> TransformerConfig:
    """What the Transformer is made of."""
    config = translator().config
    assert isinstance(config, TransformerConfig)
    return config


@st.cache_resource(show_spinner=False)
def recurrent() -> tuple[str, ...]:
    """Names of the bundled recurrent models: with attention first, the larger before the smaller. ValueError says what
    is wrong with the files of one."""
    folders = [path.parent.name for path in sorted((CHECKPOINTS / PAIR).glob(f"*/{CONFIG}"))]
    names = [name for name in (f"{PAIR}/{folder}" for folder in folders) if kind(name) != "transformer"]

    def order(name: str) -> tuple[bool, int]:
        return not attends(name), -translator(name).config.d_model

    return tuple(sorted(names, key=order))


def kind(model: str) -> str:
    """ "transformer", or how the recurrent model scores a source piece."""
    config = translator(model).config
    return "transformer" if isinstance(config, TransformerConfig) else config.score


def attends(model: str) -> bool:
    """Whether the model has cross-attention."""
    return kind(model) not in ("last", "mean")


def recorded_rates(model: str) -> ErrorRates | None:
    """Alignment error rates that were measured with the checkpoint and lie in its metrics.json, if any do."""
    try:
        rates = ErrorRates.from_json(translator(model).metrics["alignment"])
    except (KeyError, TypeError, ValueError):
        return None
    config = translator(model).config
    size = (config.decoder_layers, config.n_heads) if isinstance(config, TransformerConfig) else (1, 1)
    return rates if rates.fit(*size) else None


def by_length(model: str, name: str) -> list[dict[str, float]]:
    """BLEU and chrF by source length, as metrics.json has them for "greedy", "beam 4" or "strung"; maybe empty."""
    return metrics.tested_by_length(translator(model).metrics, name)


def measured(model: str, shape: Any = metrics.MEASURED) -> dict[str, Any] | None:
    """What metrics.json says of training and tests, if it has all that `shape` has."""
    found = translator(model).metrics
    return found if metrics.fits(found, shape) else None


@st.cache_resource(show_spinner=False)
def gold() -> tuple[Gold, ...]:
    """The sentence pairs that this project aligned by hand. UserError says what is wrong with their file."""
    try:
        return tuple(read_gold(CHECKPOINTS / PAIR / "gold" / "pairs.tsv"))
    except OSError as error:
        raise UserError("gold_unreadable", reason=error) from error


def never_predicted() -> tuple[int, int]:
    """The ids of <pad> and <s>."""
    tokenizer = translator().tokenizer
    return tokenizer.pad_id, tokenizer.bos_id


@st.cache_resource(show_spinner=False)
def freeze_garbage(part: str) -> None:
    """Tell Python, the first time only, that what `part` of the app has loaded by now is never garbage.

    Streamlit searches all objects for garbage after every run, half of a run's time with PyTorch and Plotly loaded.
    """
    gc.collect()
    gc.freeze()


# What they have answered


class Memory:
    """The latest answers of one kind of question, within bounds: one kind never pushes out another's."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self.most, self.most_bytes = most, most_bytes
        self.turn = threading.Lock()
        """Held by whoever does long work of this kind."""
        self._answers: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._guard = threading.Lock()

    def recall(self, key: Hashable) -> tuple[Any, ...]:
        """(answer,), or () if there is none."""
        with self._guard:
            if key not in self._answers:
                return ()
            self._answers.move_to_end(key)
            return self._answers[key][:1]

    def keep(self, key: Hashable, answer: Any, size: int) -> None:
        """The latest is kept however large it is: somebody is looking at it."""
        with self._guard:
            self._answers[key] = answer, size
            self._answers.move_to_end(key)
            while len(self._answers) > 1 and (len(self._answers) > self.most or self.bytes > self.most_bytes):
                self._answers.popitem(last=False)

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self._answers.values())


_memories: dict[Callable[..., Any], Memory] = {}


def memory(experiment: Callable[..., Any]) -> Memory:
    """Where the answers of an experiment are kept."""
    return _memories.setdefault(experiment, Memory())


def forget() -> None:
    """Load and compute everything anew: for whoever puts other files in `CHECKPOINTS`."""
    for loaded in (translator, recurrent, gold):
        loaded.clear()
    _memories.clear()


# Asking


@overload
def ask(
    experiment: Callable[..., Generator[float, None, T]],
    *arguments: Any,
    model: str | None = TRANSFORMER,
    progress: Progress | None = None,
    remember: bool = True,
    **options: Any,
) -> T: ...


@overload
def ask(
    experiment: Callable[..., T],
    *arguments: Any,
    model: str | None = TRANSFORMER,
    progress: Progress | None = None,
    remember: bool = True,
    **options: Any,
) -> T: ...


def ask(
    experiment: Callable[..., Any],
    *arguments: Any,
    model: str | None = TRANSFORMER,
    progress: Progress | None = None,
    remember: bool = True,
    **options: Any,
) -> Any:
    """What `experiment(translator(model), *arguments, **options)` answers, from memory if it has answered this before;
    without the translator if `model` is None. Its arrays cannot be written to: every visitor gets the same ones.

    It waits for its turn: nobody else computes meanwhile. A generator, which is how long work is written, gives others
    their turn after each part, when `progress` gets the share that it yields; long work of one kind is done one after
    the other. If it has a parameter `pulse` it gets a function to call within a part, so that it can be stopped there.
    """
    key = _key(experiment, arguments, options, model)
    kept = memory(experiment)
    if remember and (found := kept.recall(key)):
        return found[0]
    tell = progress or (lambda share: None)
    work = _long if inspect.isgeneratorfunction(experiment) else _short
    with _turn(kept, tell) if work is _long else ONE_AT_A_TIME:
        if remember and (found := kept.recall(key)):  # somebody asked the same, and was before us
            return found[0]
        if model is None:
            torch.set_num_threads(1)
            answer = work(experiment, arguments, options, tell)
        else:
            answer = translator(model).with_room(lambda here: work(experiment, (here, *arguments), options, tell))
        size = freeze(answer)
        if remember:
            kept.keep(key, answer, size)
    return answer


def known(experiment: Callable[..., Any], *arguments: Any, model: str | None = TRANSFORMER, **options: Any) -> Any:
    """What `ask` has answered before; None if it has not, or not lately."""
    found = memory(experiment).recall(_key(experiment, arguments, options, model))
    return found[0] if found else None


def portion(progress: Progress, number: int, count: int) -> Progress:
    """For one of several pieces of work that take their turns: `progress` gets the share of all that is done."""
    return lambda share: progress((number + share) / count)


def _short(experiment: Callable[..., T], arguments: Any, options: dict[str, Any], progress: Progress) -> T:
    return experiment(*arguments, **options)


def _long(
    experiment: Callable[..., Generator[float, None, T]], arguments: Any, options: dict[str, Any], progress: Progress
) -> T:
    share = 0.0
    if "pulse" in inspect.signature(experiment).parameters:
        options = options | {"pulse": lambda: progress(share)}
    with contextlib.closing(experiment(*arguments, **options)) as work:
        while True:
            with ONE_AT_A_TIME:
                try:
                    share = next(work)
                except StopIteration as done:
                    answer: T = done.value
                    return answer
            progress(share)
            time.sleep(REST)


@contextlib.contextmanager
def _turn(kept: Memory, progress: Progress) -> Iterator[None]:
    """Whoever waits can leave the line."""
    while not kept.turn.acquire(timeout=0.2):
        progress(0.0)
    try:
        yield
    finally:
        kept.turn.release()


def _key(
    experiment: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any], model: str | None
) -> Hashable:
    """The same for the same question, however it is put: of the model its fingerprint, of a translation its exact
    pieces, because a text may be cut in several ways."""
    bound = inspect.signature(experiment).bind(*((model,) if model else ()), *arguments, **options)
    bound.apply_defaults()
    asked = [(name, exact(value)) for name, value in bound.arguments.items() if name != "pulse"]
    return (translator(model).checkpoint.fingerprint, *asked[1:]) if model else (None, *asked)


def exact(argument: Any) -> Hashable:
    if isinstance(argument, Translation):
        return argument.checkpoint, argument.source, argument.target
    if isinstance(argument, list | tuple | range) and type(argument) in (list, tuple, range):
        return tuple(exact(each) for each in argument)
    if isinstance(argument, dict):
        return tuple((name, exact(value)) for name, value in argument.items())
    return argument


def freeze(answer: Any) -> int:
    """Make all arrays in it read-only, in dataclasses, tuples, lists and dicts too; roughly its size in bytes."""
    if isinstance(answer, np.ndarray):
        answer.setflags(write=False)
        return answer.nbytes
    size = sys.getsizeof(answer)
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        return size + sum(freeze(getattr(answer, field.name)) for field in dataclasses.fields(answer))
    if isinstance(answer, dict):
        return size + sum(freeze(each) for each in answer.values())
    if isinstance(answer, tuple | list):
        return size + sum(freeze(each) for each in answer)
    return size


# What every page asks


def translate(
    text: str, *, model: str = TRANSFORMER, target: str | tuple[int, ...] | None = None, beam: int = 1
) -> Translation:
    """A translation with its weights. ValueError says what is wrong with the text or the checkpoint."""
    return ask(Translator.translate, text, target=target, beam=beam, model=model)


def hold_to(found: Translation, model: str, typed: str | None = None) -> Translation:
    """The model's pass over a translation that another found: over the very pieces, which are not always those that the
    text would be cut into, unless the model has another vocabulary, or the visitor `typed` something else."""
    piece = translator(model).tokenizer.piece
    same = typed in (None, found.text) and all(piece(token.id) == token.piece for token in found.target)
    target = found.target_ids if same else found.text if typed is None else typed
    return translate(found.source_text, model=model, target=target)


def explore(
    text: str,
    *,
    prefix: tuple[int, ...] = (),
    method: Method = "greedy",
    beam: int = 4,
    temperature: float = 1.0,
    top_k: int = 0,
    seed: int = 0,
) -> Decoding:
    """The Transformer's translation and how it was found. ValueError says what is wrong with the text or an option."""
    options: dict[str, Any] = {}
    if method == "beam":
        options = {"beam": beam}
    elif method == "sample":
        options = {"temperature": temperature, "top_k": top_k, "seed": seed}
    return ask(Translator.explore, text, prefix=prefix, method=method, **options)
