"""The weights of a checkpoint: their header is held against the settings before any room is made for a number."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor, nn

from model.config import Config, TransformerConfig
from model.errors import UserError
from model.files import beginning, size_of

MOST = 2**31
"""Bytes that weights may have: a thousand million numbers in float16."""
MOST_HEADER = 2**20
BYTES = {"F16": 2, "BF16": 2, "F32": 4, "F64": 8}
"""That a number takes, by its kind, as a header calls it."""


def check_sizes(path: Path, config: Config, make: Callable[[], nn.Module]) -> None:
    """UserError unless the file's header names just the tensors, and their sizes, of the model that `make` builds from
    `config`, and the file is as long as they are together. Nothing is allocated for it: a model on the "meta" device
    has shapes only."""
    found = header(path)
    if isinstance(config, TransformerConfig) and config.encoder_layers + config.decoder_layers > len(found):
        raise damaged(path, "it has fewer tensors than the model has layers")
    with torch.device("meta"):
        wanted = {name: tuple(value.shape) for name, value in make().state_dict().items()}
    for name in sorted(wanted.keys() | found.keys()):
        if (shape := found.get(name)) != (want := wanted.get(name)):
            raise damaged(path, f"{name} is {shape or 'missing'}, and the settings want {want or 'none'}")


def read_weights(content: bytes, path: Path) -> dict[str, Tensor]:
    """Each tensor of the file's content in float32. UserError when they are damaged or not finite."""
    try:
        weights = {name: value.float() for name, value in load(content).items()}
    except (SafetensorError, RuntimeError, ValueError) as error:
        raise damaged(path, str(error)) from error
    if not all(bool(value.isfinite().all()) for value in weights.values()):
        raise UserError("weights_not_finite", name=path.name, folder=path.parent)
    return weights


def header(path: Path) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor, by name. UserError when it is no header of weights, or the file has another length than
    it says."""
    first = beginning(path, 8)
    length = int.from_bytes(first, "little")
    if len(first) < 8 or length > MOST_HEADER:
        raise damaged(path, "it does not begin as such a file does")
    try:
        parts = json.loads(beginning(path, 8 + length)[8:])
        parts.pop("__metadata__", None)
        shapes = {str(name): tuple(int(size) for size in part["shape"]) for name, part in parts.items()}
        sizes = [math.prod(shapes[name]) * BYTES[part["dtype"]] for name, part in parts.items()]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise damaged(path, "its header cannot be read") from error
    if size_of(path) != 8 + length + sum(sizes):
        raise damaged(path, f"it has {size_of(path):,} bytes, and its header wants {8 + length + sum(sizes):,}")
    return shapes


def damaged(path: Path, reason: str) -> UserError:
    return UserError("weights_damaged", name=path.name, folder=path.parent, reason=reason.partition("\n")[0])
