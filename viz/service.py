"""Between the pages and the models: loaded once, asked in turn, remembered within bounds.

The only place with st.cache_* and the only importer of model.translate.
"""

import gc
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import streamlit as st
import torch

from model import costs, depth, scaling, toy
from model.alignment import ErrorRates, Gold, read_gold
from model.checkpoint import CONFIG
from model.config import RnnConfig, TransformerConfig
from model.costs import Cost
from model.decoding import Method
from model.depth import Depth
from model.errors import UserError
from model.evaluate import align
from model.halves import OneWay, Parts
from model.positions import Embedded, OrderExperiment
from model.scaling import Measured
from model.sheet import AS_IT_IS, Kind, LayerWeights, Readout, WhatIf, Worksheet
from model.timing import Timing
from model.trace import DecoderStep, Decoding, Floats, Translation
from model.translate import Translator, load
from viz.jobs import Line

T = TypeVar("T")

CHECKPOINTS = Path(os.environ.get("REGARD_CHECKPOINTS", Path(__file__).parent.parent / "checkpoints"))
PAIR = "en-fr"
TRANSFORMER = f"{PAIR}/transformer"
ONE_AT_A_TIME = Line()
"""Thirty visitors at once wait in a line; without it they all get slow together."""
ONE_TRAINING = threading.Semaphore(1)
"""Trainings wait in a line of their own: one after the other they are done as soon, and in between people translate."""
REST = 0.002
"""Seconds between two steps of a training, in which the pages of others are drawn."""


@st.cache_resource(show_spinner=False)
def translator(name: str = TRANSFORMER) -> Translator:
    """The shared model. ValueError says what is wrong with its files."""
    torch.set_num_threads(1)  # one sentence gains nothing from a second thread, and other visitors need it
    return load(CHECKPOINTS / name)


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


@st.cache_resource(show_spinner=False)
def settle(part: str) -> None:
    """Tell Python, the first time only, that what `part` of the app has loaded by now is never garbage.

    Streamlit searches all objects for garbage after every run, half of a run's time with PyTorch and Plotly loaded.
    """
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False, max_entries=64)
def _translate(name: str, fingerprint: str, text: str, target: str | tuple[int, ...] | None, beam: int) -> Translation:
    with ONE_AT_A_TIME:
        translation = translator(name).translate(text, target=target, beam=beam)
    for weights in (translation.encoder, translation.decoder, translation.cross, translation.log_probs):
        weights.setflags(write=False)  # every visitor who types this sentence gets the same arrays
    return translation


def translate(
    text: str, *, model: str = TRANSFORMER, target: str | tuple[int, ...] | None = None, beam: int = 1
) -> Translation:
    """A translation with its weights. ValueError says what is wrong with the text or the checkpoint."""
    return _translate(model, translator(model).checkpoint.fingerprint, text, target, beam)


def hold_to(found: Translation, model: str, typed: str | None = None) -> Translation:
    """The model's pass over a translation that another found: over the very pieces, which are not always those that the
    text would be cut into, unless the model has another vocabulary, or the visitor `typed` something else."""
    piece = translator(model).tokenizer.piece
    same = typed in (None, found.text) and all(piece(token.id) == token.piece for token in found.target)
    target = found.target_ids if same else found.text if typed is None else typed
    return translate(found.source_text, model=model, target=target)


def recorded_rates(model: str) -> ErrorRates | None:
    """Alignment error rates that were measured with the checkpoint and lie in its metrics.json, if any do."""
    try:
        return ErrorRates.from_json(translator(model).metrics["alignment"])
    except (KeyError, TypeError, ValueError):
        return None


def kind(model: str) -> str:
    """ "transformer", or how the recurrent model scores a source piece."""
    config = translator(model).config
    return "transformer" if isinstance(config, TransformerConfig) else config.score


def attends(model: str) -> bool:
    """Whether the model has cross-attention."""
    return kind(model) not in ("last", "mean")


def by_length(model: str, name: str) -> list[dict[str, float]]:
    """BLEU and chrF by source length, as metrics.json has them for "greedy", "beam 4" or "strung"; maybe empty."""
    test = translator(model).metrics.get("test") or {}
    return list(test.get(name, {}).get("by_length", []))


@st.cache_resource(show_spinner=False)
def gold() -> tuple[Gold, ...]:
    """The sentence pairs that this project aligned by hand. UserError says what is wrong with their file."""
    try:
        return tuple(read_gold(CHECKPOINTS / PAIR / "gold" / "pairs.tsv"))
    except OSError as error:
        raise UserError("gold_unreadable", reason=error) from error


@st.cache_resource(show_spinner=False)
def _memory() -> OrderedDict[tuple[object, ...], Any]:
    """For long work: Streamlit's own cache does not let it draw its progress."""
    return OrderedDict()


def _remember(make: Callable[[], T], *key: object) -> T:
    """What `make` returns, made once for a key, of which the last 64 are kept. Work that is stopped leaves nothing."""
    memory = _memory()
    found: T | None = memory.get(key)  # asked once: others may push it out meanwhile
    if found is None:
        found = memory[key] = make()
        while len(memory) > 64:
            memory.popitem(last=False)
    return found


def _asked(ask: Callable[[], T], *key: object) -> T:
    """`_remember` for what a model answers when its turn has come."""

    def make() -> T:
        with ONE_AT_A_TIME:
            return ask()

    return _remember(make, *key)


def _pieces(translation: Translation) -> tuple[object, ...]:
    """A key of exactly this translation: a text may be cut in several ways."""
    return *_source(translation), translation.target_ids


def _source(translation: Translation) -> tuple[object, ...]:
    """A key of what was read and by which model."""
    return translation.checkpoint, translation.source_text


def gold_rates(model: str, progress: Callable[[int], object]) -> ErrorRates:
    """Alignment error rates on `gold`, computed now unless they were before; `progress` gets 1 after each pair.
    ValueError when the model has no attention."""

    def translate(text: str, *, target: str) -> Translation:
        with ONE_AT_A_TIME:
            return translator(model).translate(text, target=target)

    return _remember(lambda: align(translate, gold(), progress), "gold", translator(model).checkpoint.fingerprint)


def influence(translation: Translation, model: str, step: int) -> Floats:
    """Gradient norms [S] of one step of a translation by the model."""
    return _asked(lambda: translator(model).influence(translation, step), "step", *_pieces(translation), step)


def influences(translation: Translation, model: str, progress: Callable[[float], object]) -> Floats:
    """Gradient norms [T, S] of every step, one after the other; others get their turn between. `progress` gets the
    share that is done."""

    def make() -> Floats:
        rows = []
        for step in range(len(translation.target)):
            with ONE_AT_A_TIME:
                rows.append(translator(model).influence(translation, step))
            progress(len(rows) / len(translation.target))
        return np.stack(rows)

    return _remember(make, "steps", *_pieces(translation))


def without_words(translation: Translation, model: str) -> Floats:
    """[W, T]: how much log p of each target piece falls without each source word."""
    return _asked(lambda: translator(model).without_words(translation), "without words", *_pieces(translation))


def depths(layers: int) -> list[Depth]:
    """What residual connections and LayerNorm do in stacks of so many layers that have learnt nothing."""
    return _asked(lambda: depth.measure(layers), "depth", layers)


def scalings(seed: int) -> list[Measured]:
    """Random scores of every width, with the division by its square root and without."""
    return _remember(lambda: scaling.measure(scaling.WIDTHS, seed=seed), "scaling", seed)


def decoder_step(
    translation: Translation, model: str, step: int, weights: tuple[float, ...] | None = None
) -> DecoderStep:
    """One step of a recurrent model, with its own weights or with these [S]; so quick that nothing is remembered."""
    given = None if weights is None else np.asarray(weights, np.float32)
    with ONE_AT_A_TIME:
        return translator(model).decoder_step(translation, step, given)


def value_norms(translation: Translation) -> dict[str, Floats]:
    """For each kind of attention of the Transformer how long the vectors are that it weighs: [L, H, K]."""
    return _asked(lambda: translator().value_norms(translation), "values", *_pieces(translation))


def worksheet(translation: Translation, kind: Kind, layer: int, head: int, what_if: WhatIf = AS_IT_IS) -> Worksheet:
    """One head of the Transformer stage by stage. ValueError when it is not there."""

    of = (kind, layer, head, what_if)
    return _asked(lambda: translator().worksheet(translation, *of), "worksheet", *_pieces(translation), *of)


def layer_weights(kind: Kind, layer: int) -> LayerWeights:
    """The matrices of a layer of the Transformer that are not one head's own; no copies on a CPU, so not remembered.
    ValueError when it is not there."""
    return translator().layer_weights(kind, layer)


def readout(translation: Translation, pieces: tuple[int, ...]) -> Readout:
    """What becomes of the Transformer's last vectors, for the pieces of these ids."""
    return _asked(lambda: translator().readout(translation, pieces), "readout", *_pieces(translation), pieces)


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

    def make() -> Decoding:
        with ONE_AT_A_TIME:
            decoding = translator().explore(text, prefix=prefix, method=method, **options)
        best = decoding.best
        for weights in (best.encoder, best.decoder, best.cross, best.log_probs):
            weights.setflags(write=False)
        return decoding

    fingerprint = translator().checkpoint.fingerprint
    return _remember(make, "decoding", fingerprint, text, prefix, method, *options.values())


def never_predicted() -> tuple[int, int]:
    """The ids of <pad> and <s>."""
    tokenizer = translator().tokenizer
    return tokenizer.pad_id, tokenizer.bos_id


def projections(translation: Translation) -> int:
    """Fewer for a long sentence: the work grows with the square of its length, and there are more pairs to average."""
    return 16 if len(translation.source) <= 40 else 4


def encoder_influence(translation: Translation, model: str, progress: Callable[[float], None]) -> Floats:
    """[S, S]: how much the encoder's state j changes with source piece i, from `projections(translation)` random
    directions; `progress` gets the share that is done."""
    count = projections(translation)
    return _asked(
        lambda: translator(model).encoder_influence(translation, projections=count, progress=progress),
        "encoder",
        *_source(translation),
    )


def encoder_influences(read: Mapping[str, Translation]) -> Callable[[Callable[[float], None]], bool]:
    """The work of `encoder_influence` for each model, for a job; `known_influences` has it afterwards."""

    def work(progress: Callable[[float], None]) -> bool:
        for i, (model, translation) in enumerate(read.items()):

            def pulse(done: float, i: int = i) -> None:
                progress((i + done) / len(read))

            encoder_influence(translation, model, pulse)
        return True

    return work


def known_influences(read: Mapping[str, Translation]) -> dict[str, Floats] | None:
    """What `encoder_influence` has found for each model before; None if any is missing."""
    found = {}
    for model, translation in read.items():
        known: Floats | None = _memory().get(("encoder", *_source(translation)))
        if known is None:
            return None
        found[model] = known
    return found


def embedded(translation: Translation, stack: Literal["encoder", "decoder"] = "encoder") -> Embedded:
    """What the Transformer's encoder reads of the source, or its decoder of the target."""
    return _asked(lambda: translator().embedded(translation, stack), "embedded", *_pieces(translation), stack)


def encoder_states(translation: Translation) -> Floats:
    """What the Transformer's encoder makes of the source, layer by layer: [L + 1, S, D]."""
    return _asked(lambda: translator().encoder_states(translation), "states", *_source(translation))


def one_way(translation: Translation) -> OneWay:
    """The source read by the Transformer's encoder under the decoder's mask."""
    return _asked(lambda: translator().one_way(translation), "one way", *_source(translation))


def parts() -> Parts:
    """How many parameters each half of the Transformer has."""
    return translator().parts()


def order_experiment(translation: Translation, order: tuple[int, ...], positions: bool) -> OrderExperiment:
    """The Transformer reads the source with its words in another order, with positions or without."""
    return _asked(
        lambda: translator().order_experiment(translation, order, positions=positions),
        "order",
        *_source(translation),
        order,
        positions,
    )


def timings(
    models: Sequence[str], lengths: Sequence[int]
) -> Callable[[Callable[[float], None]], dict[str, list[Timing]]]:
    """The work of measuring them, for a job: one length after the other; nobody else computes meanwhile, and others get
    their turn between."""
    translators = [translator(model) for model in models]

    def work(progress: Callable[[float], None]) -> dict[str, list[Timing]]:
        found: dict[str, list[Timing]] = {model: [] for model in models}
        done = 0

        def pulse() -> None:
            progress(done / (len(models) * len(lengths)))

        for model, each in zip(models, translators, strict=True):
            measured = each.timings(lengths, pulse)
            for _ in lengths:
                with ONE_AT_A_TIME:
                    found[model].append(next(measured))
                done += 1
        return found

    return work


def cost_timings(rnn: str, lengths: Sequence[int]) -> Callable[[Callable[[float], None]], list[Cost]]:
    """The work of measuring the parts of an encoder, for a job: as `timings`."""
    recurrent = translator(rnn).config
    assert isinstance(recurrent, RnnConfig)

    def work(progress: Callable[[float], None]) -> list[Cost]:
        found: list[Cost] = []

        def pulse() -> None:
            progress(sum(each.length for each in found) / sum(lengths))

        measured = costs.measure(sizes(), recurrent, lengths, device=translator().device, pulse=pulse)
        for _ in lengths:
            with ONE_AT_A_TIME:
                found.append(next(measured))
        return found

    return work


def toy_training(run: toy.Run) -> Callable[[Callable[[float], None]], None]:
    """The work of a training, for a job; what it finds goes into `run`. Nobody else computes during a step, and others
    get their turn between two."""

    def work(progress: Callable[[float], None]) -> None:
        torch.set_num_threads(1)  # this page may be the first that somebody opens
        while not ONE_TRAINING.acquire(timeout=0.2):
            progress(0)
        try:
            run.waiting = False
            training = toy.train(run.task, run.seed)
            while True:
                with ONE_AT_A_TIME:
                    step = next(training, None)
                if step is None:
                    return
                share, snapshot = step
                if snapshot:
                    run.snapshots[snapshot.model].append(snapshot)
                progress(share)
                time.sleep(REST)
        finally:
            ONE_TRAINING.release()

    return work


def encoding_seconds(translation: Translation, model: str) -> float:
    """To encode the source of a translation by the model; measured once."""
    return _asked(lambda: translator(model).encoding_seconds(translation), "encoding", *_source(translation))
