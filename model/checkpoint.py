"""A checkpoint on disk: the only code that knows its file names and formats. Never a pickle.

A folder holds model.safetensors (float16), config.json, tokenizer.json, metrics.json, README.md, the model card, and
SHA256SUMS, by which a file is known that is not the one that was trained.

python -m model.checkpoint FOLDER...: note the checksums of checkpoints whose files were changed on purpose.
"""

import argparse
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file

from model import config as settings
from model import records, weights_file
from model.card import card
from model.checksums import check_sums, write_checksums
from model.errors import UserError
from model.files import json_object, read_bytes, read_json
from model.rnn import Rnn
from model.tokenizer import Tokenizer
from model.transformer import Transformer

FORMAT = 1
"""Raised when older code could not read what is written."""
WEIGHTS, CONFIG, TOKENIZER, METRICS, CARD = (
    "model.safetensors",
    "config.json",
    "tokenizer.json",
    "metrics.json",
    "README.md",
)
MOST = {WEIGHTS: weights_file.MOST, CONFIG: 2**16, TOKENIZER: 2**25, METRICS: 2**22}
"""Bytes that each file may have."""
SUMMED = (WEIGHTS, CONFIG, TOKENIZER)
"""What a translation depends on."""


AnyModel = Transformer | Rnn


@dataclass(frozen=True, kw_only=True)
class LoadedCheckpoint:
    model: AnyModel  # float32, in evaluation mode, on the CPU
    tokenizer: Tokenizer
    made_by: records.Checkpoint
    metrics: dict[str, Any]


def build(values: dict[str, Any]) -> AnyModel:
    """A fresh model of the kind that the settings name."""
    config = settings.from_json(values)
    return Rnn(config) if isinstance(config, settings.RnnConfig) else Transformer(config)


def describe(model: AnyModel) -> dict[str, Any]:
    """The settings that `build` makes the same model from."""
    return settings.to_json(model.config)


def save_checkpoint(folder: Path, model: AnyModel, tokenizer_json: str, metrics: dict[str, Any], card: str) -> None:
    """Write all files; weights are rounded to float16."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.detach().half().cpu().contiguous() for name, value in model.state_dict().items()}
    save_file(weights, folder / WEIGHTS)
    config = {"format": FORMAT, **describe(model)}
    (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    (folder / TOKENIZER).write_text(tokenizer_json, encoding="utf-8")
    (folder / METRICS).write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
    (folder / CARD).write_text(card, encoding="utf-8")
    write_checksums(folder, SUMMED)


def add_metrics(folder: Path, found: dict[str, Any]) -> None:
    """Put more numbers into the metrics of a checkpoint and write its model card anew."""
    metrics = read_json(folder / METRICS, MOST[METRICS]) | found
    (folder / METRICS).write_text(json.dumps(metrics, indent=1) + "\n", encoding="utf-8")
    config = read_json(folder / CONFIG, MOST[CONFIG])
    config.pop("format", None)
    (folder / CARD).write_text(card(config, metrics), encoding="utf-8")


def load_checkpoint(folder: Path) -> LoadedCheckpoint:
    """Read a checkpoint. UserError names the file and what is wrong with it."""
    try:
        return _load(folder)
    except OSError as error:
        raise UserError("checkpoint_unreadable", folder=folder, reason=error) from error


def _load(folder: Path) -> LoadedCheckpoint:
    if not folder.is_dir():
        raise UserError("checkpoint_missing", folder=folder, weights=WEIGHTS, config=CONFIG, tokenizer=TOKENIZER)
    for name in SUMMED:
        if not (folder / name).exists():
            raise UserError("checkpoint_incomplete", folder=folder, name=name)
    settings_read, vocabulary = (read_bytes(folder / name, MOST[name]) for name in (CONFIG, TOKENIZER))
    config = json_object(settings_read, folder / CONFIG)
    if (number := config.pop("format", None)) != FORMAT:
        raise UserError("format", name=CONFIG, folder=folder, found=number, known=FORMAT)
    try:
        made_of = settings.from_json(config)
    except ValueError as error:
        raise UserError("no_model", name=CONFIG, folder=folder, reason=error) from error
    tokenizer = Tokenizer.read(vocabulary, TOKENIZER)
    if len(tokenizer) != made_of.vocab_size:
        raise UserError(
            "other_vocabulary", name=TOKENIZER, folder=folder, found=len(tokenizer), wanted=made_of.vocab_size
        )
    if (tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id) != (made_of.pad_id, made_of.bos_id, made_of.eos_id):
        raise UserError("other_specials", name=TOKENIZER, config=CONFIG, folder=folder)
    weights_file.check_sizes(folder / WEIGHTS, made_of, lambda: build(config))
    numbers = read_bytes(folder / WEIGHTS, MOST[WEIGHTS])
    weights = weights_file.read_weights(numbers, folder / WEIGHTS)
    files = {WEIGHTS: numbers, CONFIG: settings_read, TOKENIZER: vocabulary}
    check_sums(folder, files)
    model = build(config)
    model.load_state_dict(weights)
    try:
        metrics = read_json(folder / METRICS, MOST[METRICS])
    except (OSError, ValueError):  # nothing needs them to translate
        metrics = {}
    made_by = records.Checkpoint(name="/".join(folder.resolve().parts[-2:]), fingerprint=_fingerprint(files.values()))
    return LoadedCheckpoint(
        model=model.eval().requires_grad_(False), tokenizer=tokenizer, made_by=made_by, metrics=metrics
    )


def start_from(model: AnyModel, tokenizer: Tokenizer, old: LoadedCheckpoint) -> None:
    """Give a fresh model the weights of a checkpoint of the same shape, whatever the vocabularies: a piece that both
    have is copied, one that is new begins as the mean of the old pieces that spell it. UserError when the shapes
    differ."""
    weights = old.model.state_dict()
    vocabulary = old.tokenizer.vocabulary
    spelled = [
        [part.id for part in vocabulary.model.tokenize(piece)]
        if (id := vocabulary.token_to_id(piece)) is None
        else [id]
        for piece in map(tokenizer.piece, range(len(tokenizer)))
    ]
    name = next(name for name in weights if name.endswith("pieces.weight"))
    weights[name] = torch.stack([weights[name][ids].mean(0) for ids in spelled])
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        reason = str(error).splitlines()[1].strip()
        raise UserError("other_shape", name=old.made_by.name, reason=reason) from error


def _fingerprint(contents: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for content in contents:
        digest.update(content)
    return digest.hexdigest()[:12]


def save_state(path: Path, tensors: dict[str, torch.Tensor], progress: dict[str, Any]) -> None:
    """A training state in one file, replaced in one step, so that a kill leaves the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    try:
        save_file(tensors, beside, metadata={"progress": json.dumps(progress)})
    except SafetensorError as error:  # so it calls a full disk
        raise OSError(f"{path} cannot be written: {error}") from error
    beside.replace(path)


def load_state(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """What `save_state` wrote. UserError when the file is something else."""
    from safetensors import safe_open

    try:
        with safe_open(path, "pt") as file:
            # Copies: an optimizer would keep the file mapped, and Windows then refuses to replace it.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
            return tensors, json.loads((file.metadata() or {})["progress"])
    except (SafetensorError, KeyError, ValueError) as error:
        raise UserError("not_training_state", path=path, reason=error) from error


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m model.checkpoint", description="Note the checksums of checkpoints."
    )
    parser.add_argument("folders", type=Path, nargs="+", help="folders of checkpoints")
    try:
        for folder in parser.parse_args().folders:
            write_checksums(folder, SUMMED)
            print(f"{folder}: {load_checkpoint(folder).made_by.fingerprint}")
    except (OSError, ValueError) as error:
        raise SystemExit(f"python -m model.checkpoint: {error}") from None


if __name__ == "__main__":
    main()
