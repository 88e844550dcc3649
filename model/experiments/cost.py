"""What self-attention costs as a sentence grows: time by parts, measured here and now, and memory, counted.

n pieces. How long a layer takes does not depend on what it has learnt: those here have learnt nothing.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.attention import attention
from model.config import RnnConfig, TransformerConfig
from model.experiments.timing import REPEATS, on_cuda, seconds_of
from model.rnn import Rnn
from model.transformer import EncoderLayer
from model.translate import Translator

NUMBER = 4
"""Bytes of a float32."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a layer of an encoder takes to read one sequence of `length` pieces, in seconds: the fastest of the repeats,
    because whatever else the machine does meanwhile only ever adds to a time."""

    length: int
    attention: float
    """softmax(Q K^T / sqrt(d_k)) V of all heads of one layer of a Transformer: O(n^2 d)."""
    rest: float
    """All else in that layer: four projections, the feed-forward network, two residuals with LayerNorm: O(n d^2)."""
    layer: float
    """That layer as it is."""
    recurrent: float
    """The encoder of an RNN, one layer in both directions: O(n d^2), one piece after the other."""

    @property
    def share(self) -> float:
        """Of attention in the time of its layer's parts."""
        return self.attention / (self.attention + self.rest)

    @property
    def gap(self) -> float:
        """Between the sum of the parts and the whole layer, as a share of the latter: large when the machine was busy
        with something else."""
        return abs(self.attention + self.rest - self.layer) / self.layer


def costs(
    translator: Translator, rnn: RnnConfig, lengths: Sequence[int], pulse: Callable[[], object] = lambda: None
) -> Generator[float, None, list[Cost]]:
    """What a layer of this Transformer's encoder takes at each length, in pieces, beside an RNN's of other sizes, both
    fresh and on its device. `pulse` is called before each run and may stop the work by raising. ValueError for a
    recurrent model."""
    config, found = translator.transformer().config, []
    for cost in measure_costs(config, rnn, lengths, device=translator.device, pulse=pulse):
        found.append(cost)
        yield sum(each.length for each in found) / sum(lengths)
    return found


def measure_costs(
    config: TransformerConfig,
    rnn: RnnConfig,
    lengths: Sequence[int],
    *,
    repeats: int = REPEATS,
    device: torch.device | str = "cpu",
    pulse: Callable[[], object] = lambda: None,
) -> Iterator[Cost]:
    """Measure one length after the other, each after one run to warm up, and yield as soon as one is done. Each repeat
    runs all parts, so that a moment in which the machine is slow is one for all.

    Between two lengths nothing runs, so whoever has seen enough just stops asking; `pulse` is called before each run
    and may stop it by raising. A length may be beyond what a model of these configs reads.
    """
    assert repeats >= 1
    assert all(length >= 1 for length in lengths)
    device = torch.device(device)
    drawn_from = [torch.cuda.current_device() if device.index is None else device.index] if on_cuda(device) else []
    with torch.random.fork_rng(drawn_from):  # weights draw from the generators that everything else shares
        layer = EncoderLayer(config).eval().to(device)
        encoder = Rnn(rnn).encoder.eval().to(device)
    for length in lengths:
        yield cost_of_length(layer, encoder, length, (config, rnn), repeats, device, pulse)


@torch.inference_mode()
def cost_of_length(
    layer: EncoderLayer,
    encoder: nn.Module,
    length: int,
    configs: tuple[TransformerConfig, RnnConfig],
    repeats: int,
    device: torch.device,
    pulse: Callable[[], object],
) -> Cost:
    config, rnn = configs
    numbers = torch.Generator().manual_seed(length)

    def random(*shape: int) -> Tensor:
        return torch.randn(shape, generator=numbers).to(device)

    heads = (1, config.n_heads, length, config.d_model // config.n_heads)
    query, key, value = random(*heads), random(*heads), random(*heads)
    states, read = random(1, length, config.d_model), random(1, length, rnn.d_model)
    works: dict[str, Callable[[], object]] = {
        "attention": lambda: attention(query, key, value),
        "rest": lambda: layer(states, None, looking_nowhere),
        "layer": lambda: layer(states, None, attention),
        "recurrent": lambda: encoder(read),
    }
    runs = [[seconds_of(work, device, pulse) for work in works.values()] for _ in range(1 + repeats)]
    return Cost(length=length, **dict(zip(works, map(min, zip(*runs[1:], strict=True)), strict=True)))


def looking_nowhere(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> tuple[Tensor, None]:
    """In the place of attention, and at no cost: each piece gets its own value."""
    return value, None


def weight_bytes(config: TransformerConfig, length: int) -> int:
    """Of the weights [n, n] of all heads of all layers of the encoder, when they are kept, as a picture of them or a
    training step needs."""
    return NUMBER * config.encoder_layers * config.n_heads * length**2


def state_bytes(config: TransformerConfig, length: int) -> int:
    """Of the states [n, D] that the encoder's layers make."""
    return NUMBER * config.encoder_layers * config.d_model * length
