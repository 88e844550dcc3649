"""How time grows with length, measured here and now on fresh models of the sizes in question.

How long a model takes does not depend on what it has learnt: those here have learnt nothing, and no other is touched.
"""

import statistics
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from model import checkpoint
from model.attention import attention, fused_attention
from model.checkpoint import AnyModel
from model.config import Config, RnnConfig, to_json
from model.records import Token
from model.translate import Translator

REPEATS = 5
"""Runs of which the median counts."""
SMOOTHING = 0.1
"""Of labels, as `model.train` does by default."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """What one length costs one model: a source of `length` pieces and a target of as many, in a batch of 1."""

    length: int
    encode_seconds: float
    """To encode the source; median of the repeats."""
    train_seconds: float
    """To learn from the pair: forward, loss and backward of one training step, without the optimizer's, which takes the
    same for every length; median of the repeats."""
    sequential_encode: int
    """Steps of encoding that must wait for each other: the pieces of an RNN (its two directions run side by side), the
    layers of a Transformer."""
    sequential_train: int
    """The same of a training step's forward half, which reads the target too: pieces of both, or layers of both."""


def timings(
    translator: Translator, lengths: Sequence[int], pulse: Callable[[], object] = lambda: None
) -> Generator[float, None, list[Timing]]:
    """What encoding and learning take at each length, in pieces: a fresh model of this one's sizes on its device does
    one after the other. `pulse` is called before each run and may stop the work by raising."""
    found = []
    for timing in measure_times(translator.config, lengths, device=translator.device, pulse=pulse):
        found.append(timing)
        yield len(found) / len(lengths)
    return found


def encoding_seconds(translator: Translator, source: Sequence[Token], repeats: int = 21) -> float:
    """How long this very model takes to encode the source; the fastest of so many runs."""
    return fastest_encoding(translator.model, translator.ids(source), repeats)


def measure_times(
    config: Config,
    lengths: Sequence[int],
    *,
    repeats: int = REPEATS,
    threads: int | None = None,
    device: torch.device | str = "cpu",
    pulse: Callable[[], object] = lambda: None,
) -> Iterator[Timing]:
    """Measure one length after the other, each after one run to warm up, and yield as soon as one is done.

    A length may be beyond config.max_length: the model measured reads as much as is asked. `threads` is how many
    PyTorch uses meanwhile, as many as ever if None. Between two lengths nothing runs and every setting of PyTorch is as
    it was, so whoever has seen enough just stops asking; `pulse` is called before each run and may stop one by raising.
    """
    assert all(length >= 1 for length in lengths)
    assert repeats >= 1
    model, device = None, torch.device(device)
    for length in lengths:
        used = torch.get_num_threads()
        # Weights and dropout draw from the generators that everything else in the process shares.
        drawn_from = [torch.cuda.current_device() if device.index is None else device.index] if on_cuda(device) else []
        with torch.random.fork_rng(drawn_from), torch.inference_mode(False), torch.enable_grad():
            torch.set_num_threads(threads or used)
            try:
                if model is None:
                    model = fresh_model(config, max(lengths)).to(device)
                timing = time_length(model, length, repeats, pulse)
            finally:
                torch.set_num_threads(used)
        yield timing


def fresh_model(config: Config, longest: int) -> AnyModel:
    """A model of random weights and of these sizes that reads `longest` pieces or more."""
    return checkpoint.build(to_json(replace(config, max_length=max(config.max_length, longest))))


def time_length(model: AnyModel, length: int, repeats: int, pulse: Callable[[], object]) -> Timing:
    config = model.config
    device = next(model.parameters()).device
    numbers = torch.Generator().manual_seed(length)
    ids = torch.randint(config.vocab_size, (2, 1, length), generator=numbers)
    source, target = ids.masked_fill(ids == config.pad_id, config.eos_id).to(device)  # [1, length] each
    target_in = torch.cat((torch.full_like(target[:, :1], config.bos_id), target[:, :-1]), dim=1)

    def forget() -> None:
        pulse()
        model.zero_grad()

    def learn() -> None:
        training_loss(model, source, target_in, target).backward()

    model.eval()
    with torch.inference_mode():
        encode_seconds = median_seconds(lambda: model.encode(source), device, repeats, before=pulse)
    model.train()
    train_seconds = median_seconds(learn, device, repeats, before=forget)
    model.zero_grad()
    if isinstance(config, RnnConfig):
        sequential = length, 2 * length
    else:
        sequential = config.encoder_layers, config.encoder_layers + config.decoder_layers
    return Timing(
        length=length,
        encode_seconds=encode_seconds,
        train_seconds=train_seconds,
        sequential_encode=sequential[0],
        sequential_train=sequential[1],
    )


def fastest_encoding(model: AnyModel, source: Tensor, repeats: int = REPEATS) -> float:
    """To encode source ids [1, S]: the fastest of the repeats after one that does not count, because whatever else the
    machine does meanwhile only ever adds to a time."""
    assert not model.training
    with torch.inference_mode():
        runs = [seconds_of(lambda: model.encode(source), source.device, lambda: None) for _ in range(1 + repeats)]
    return min(runs[1:])


def training_loss(model: AnyModel, source: Tensor, target_in: Tensor, target_out: Tensor) -> Tensor:
    """What `model.train` minimises, by the attention function that it takes on the device. All ids are [B, N]."""
    logits = model(source, target_in, fused_attention if on_cuda(source.device) else attention).logits
    return F.cross_entropy(
        logits.flatten(0, 1), target_out.flatten(), ignore_index=model.config.pad_id, label_smoothing=SMOOTHING
    )


def median_seconds(
    work: Callable[[], object], device: torch.device, repeats: int, before: Callable[[], object]
) -> float:
    """Of `repeats` runs after one that does not count; `before` each run comes what does not count either."""
    return statistics.median([seconds_of(work, device, before) for _ in range(1 + repeats)][1:])


def seconds_of(work: Callable[[], object], device: torch.device, before: Callable[[], object]) -> float:
    """Of one run; `before` it comes what does not count."""
    before()
    wait_for(device)
    start = time.perf_counter()
    work()
    wait_for(device)
    return time.perf_counter() - start


def wait_for(device: torch.device) -> None:
    """Until the device has done all that it was given; a CPU always has."""
    if on_cuda(device):
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


def on_cuda(device: torch.device) -> bool:
    return device.type == "cuda"
