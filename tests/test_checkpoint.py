"""Checkpoints: what is written is read, every kind of damage is named, and no pickle is ever opened."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load, save_file

from model import checkpoint
from model.checkpoint import (
    CONFIG,
    METRICS,
    TOKENIZER,
    WEIGHTS,
    load_checkpoint,
    load_state,
    save_checkpoint,
    save_state,
    start_from,
)
from model.checksums import SUMS
from model.tokenizer import Tokenizer, train


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    """A checkpoint that a test may damage."""
    return shutil.copytree(tiny, tmp_path / "pair" / "model")


@pytest.mark.parametrize("settings", [{}, {"norm": "pre", "positions": "learned", "activation": "gelu"}])
def test_round_trip_rounds_to_float16_and_nothing_else(tiny: Path, tmp_path: Path, settings: dict[str, Any]) -> None:
    loaded = load_checkpoint(tiny)
    config = checkpoint.describe(loaded.model) | settings
    model = checkpoint.build(config)
    vocabulary = (tiny / TOKENIZER).read_text(encoding="utf-8")
    save_checkpoint(tmp_path, model, vocabulary, {"note": "Zoé"}, "# card\n")
    again = load_checkpoint(tmp_path)
    assert checkpoint.describe(again.model) == config
    assert again.metrics == {"note": "Zoé"}
    assert again.tokenizer.ids(["Mary's water"]) == loaded.tokenizer.ids(["Mary's water"])
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "# card\n"
    before, after = model.state_dict(), again.model.state_dict()
    assert before.keys() == after.keys()
    for name, value in before.items():
        assert after[name].dtype == torch.float32
        assert after[name].equal(value.half().float()), name
    assert any(not after[name].equal(value) for name, value in before.items())  # there was something to round
    assert not again.model.training
    assert not any(parameter.requires_grad for parameter in again.model.parameters())
    assert all(value.dtype == torch.float16 for value in weights_of(tmp_path).values())


def test_bundled_shape_of_the_folder(tiny: Path) -> None:
    assert sorted(path.name for path in tiny.iterdir()) == [
        "README.md", "SHA256SUMS", "config.json", "metrics.json", "model.safetensors", "tokenizer.json",
    ]  # fmt: skip
    assert sum(path.stat().st_size for path in tiny.iterdir()) < 300_000
    made_by = load_checkpoint(tiny).made_by
    assert made_by.name == "data/tiny"
    assert len(made_by.fingerprint) == 12


def test_fingerprint_sees_every_byte(copy: Path) -> None:
    (copy / SUMS).unlink()  # by which such a file would be refused
    seen = {load_checkpoint(copy).made_by.fingerprint}
    content = (copy / WEIGHTS).read_bytes()
    (copy / WEIGHTS).write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])
    seen.add(load_checkpoint(copy).made_by.fingerprint)
    (copy / WEIGHTS).write_bytes(content)
    for name in (CONFIG, TOKENIZER):
        text = (copy / name).read_bytes()
        (copy / name).write_bytes(text + b"\n")
        seen.add(load_checkpoint(copy).made_by.fingerprint)
        (copy / name).write_bytes(text)
    assert len(seen) == 4
    (copy / METRICS).write_text("{}", encoding="utf-8")  # no number of a translation depends on it
    assert load_checkpoint(copy).made_by.fingerprint in seen


def test_metrics_may_be_missing(copy: Path) -> None:
    (copy / METRICS).unlink()
    assert load_checkpoint(copy).metrics == {}


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    """Read, not mapped into memory, so that the file may be written again."""
    return load((folder / WEIGHTS).read_bytes())


def change_config(**changes: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        (folder / CONFIG).write_text(json.dumps(config | changes), encoding="utf-8")

    return change


def change_weights(name: str, change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        weights = weights_of(folder)
        save_file(weights | {name: change(weights[name])}, folder / WEIGHTS)

    return apply


def write(name: str, content: bytes) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return put


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def truncate(name: str, keep: Callable[[int], int]) -> Callable[[Path], None]:
    def cut(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: keep(len(content))])

    return cut


def drop_tensor(folder: Path) -> None:
    weights = weights_of(folder)
    del weights["embedding.pieces.weight"]
    save_file(weights, folder / WEIGHTS)


def with_nan(tensor: torch.Tensor) -> torch.Tensor:
    tensor[3, 3] = torch.nan
    return tensor


def with_infinity(tensor: torch.Tensor) -> torch.Tensor:
    tensor[0, 0] = torch.inf
    return tensor


def pickled_weights(folder: Path) -> None:
    torch.save(weights_of(folder), folder / WEIGHTS)


EMBEDDING = "embedding.pieces.weight"
DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "no weights": (remove(WEIGHTS), "model.safetensors is missing"),
    "no config": (remove(CONFIG), "config.json is missing"),
    "no vocabulary": (remove(TOKENIZER), "tokenizer.json is missing"),
    "weights cut in half": (truncate(WEIGHTS, lambda size: size // 2), "model.safetensors"),
    "weights without the last byte": (truncate(WEIGHTS, lambda size: size - 1), "model.safetensors"),
    "weights cut in the header": (truncate(WEIGHTS, lambda size: 20), "model.safetensors"),
    "empty weights": (write(WEIGHTS, b""), "model.safetensors"),
    "a pickle": (pickled_weights, "model.safetensors"),
    "a Git LFS pointer": (write(WEIGHTS, b"version https://git-lfs.github.com/spec/v1\n"), "model.safetensors"),
    "NaN": (change_weights(EMBEDDING, with_nan), "model.safetensors in .* not finite"),
    "infinity": (change_weights(EMBEDDING, with_infinity), "model.safetensors in .* not finite"),
    "another shape": (change_weights(EMBEDDING, lambda t: t[:, :8].contiguous()), "model.safetensors"),
    "a tensor too few": (drop_tensor, "model.safetensors"),
    "format 2": (change_config(format=2), "config.json in .* format 2; this version of Regard reads format 1"),
    "no format": (change_config(format=None), "config.json in .* format None"),
    "unknown setting": (change_config(depth=3), "config.json in .* setting.*depth"),
    "impossible setting": (change_config(n_heads=5), "config.json in .* 5 heads"),
    "unknown kind": (change_config(kind="mixture"), "config.json in .* 'mixture'"),
    "another vocabulary": (change_config(vocab_size=451), "tokenizer.json in .* 450 pieces but the model 451"),
    "config is no JSON": (write(CONFIG, b"{'format': 1}"), "config.json in .* is not JSON"),
    "config is a list": (write(CONFIG, b"[1]"), "config.json in .* must hold a JSON object"),
    "config is not UTF-8": (write(CONFIG, b'{"kind": "\xff"}'), "config.json in .* is not JSON"),
    "vocabulary is no JSON": (write(TOKENIZER, b"<html>"), "tokenizer.json"),
    "vocabulary of another kind": (write(TOKENIZER, b'{"version": "1.0"}'), "tokenizer.json"),
}


def test_metrics_are_not_needed(copy: Path) -> None:
    (copy / METRICS).write_text("{")
    assert load_checkpoint(copy).metrics == {}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_named(copy: Path, kind: str) -> None:
    load_checkpoint(copy)
    damage, said = DAMAGE[kind]
    damage(copy)
    with pytest.raises(ValueError, match=said):
        load_checkpoint(copy)


def test_no_folder_at_all(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no checkpoint in .*nowhere"):
        load_checkpoint(tmp_path / "nowhere")


class Trap:
    """Whoever unpickles it makes a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.folder),)


def test_nothing_is_unpickled(copy: Path, tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    torch.save({"weights": Trap(sprung)}, tmp_path / "trap.pt")
    torch.load(tmp_path / "trap.pt", weights_only=False)
    assert sprung.is_dir()  # the trap works
    sprung.rmdir()
    shutil.copyfile(tmp_path / "trap.pt", copy / WEIGHTS)
    with pytest.raises(ValueError, match=r"model\.safetensors"):
        load_checkpoint(copy)
    with pytest.raises(ValueError, match="not a training state"):
        load_state(copy / WEIGHTS)
    assert not sprung.exists()


def test_a_start_copies_shared_pieces_and_averages_for_new_ones(tiny: Path, tmp_path: Path) -> None:
    old = load_checkpoint(tiny)
    vocabulary = train(["the water sees the whiteboard", "l'eau voit le tableau", "the the whiteboard"] * 5, 330)
    vocabulary.save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.load(tmp_path / "tokenizer.json")
    model = checkpoint.build(checkpoint.describe(old.model) | {"vocab_size": len(tokenizer)})
    start_from(model, tokenizer, old)
    before, after = old.model.state_dict()[EMBEDDING], model.state_dict()[EMBEDDING]
    was = {old.tokenizer.piece(i): i for i in range(len(old.tokenizer))}
    pieces = [tokenizer.piece(i) for i in range(len(tokenizer))]
    new = [piece for piece in pieces if piece not in was]
    assert {"<pad>", "<s>", "</s>", "<0x41>", "\u2581the", "\u2581water"} < set(pieces) - set(new)
    assert "\u2581whiteboard" in new
    for i, piece in enumerate(pieces):
        if piece in was:
            assert after[i].equal(before[was[piece]]), piece
        else:  # the pieces of the old vocabulary that spell it
            parts = [part.id for part in old.tokenizer.vocabulary.model.tokenize(piece)]
            assert len(parts) > 1
            assert "".join(old.tokenizer.piece(part) for part in parts) == piece
            torch.testing.assert_close(after[i], before[parts].mean(0))
    assert all(
        value.equal(model.state_dict()[name]) for name, value in old.model.state_dict().items() if name != EMBEDDING
    )


def test_a_start_from_another_kind_of_model_is_refused(tiny: Path) -> None:
    old = load_checkpoint(tiny)
    for config in ({"kind": "rnn", "d_model": 32}, checkpoint.describe(old.model) | {"d_ff": 65}):
        model = checkpoint.build({"vocab_size": 450, **config})
        with pytest.raises(ValueError, match="The model of data/tiny has another shape"):
            start_from(model, old.tokenizer, old)


def test_state_round_trip(tmp_path: Path) -> None:
    tensors = {"model.a": torch.randn(3, 4), "step.a": torch.tensor(5.0)}
    progress = {"step": 5, "seconds": 1.25, "curve": [{"step": 5, "bleu": 1.5}]}
    save_state(tmp_path / "new" / "state.safetensors", tensors, progress)
    loaded, again = load_state(tmp_path / "new" / "state.safetensors")
    assert again == progress
    assert loaded.keys() == tensors.keys()
    assert all(loaded[name].equal(tensors[name]) for name in tensors)


def test_a_failed_save_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.safetensors"
    save_state(path, {"a": torch.zeros(2)}, {"step": 1})

    def half_written(tensors: dict[str, torch.Tensor], file: Path, **rest: Any) -> None:
        Path(file).write_bytes(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(checkpoint, "save_file", half_written)
    with pytest.raises(OSError, match="no space"):
        save_state(path, {"a": torch.ones(2)}, {"step": 2})
    assert load_state(path)[1] == {"step": 1}


def test_other_files_are_no_state(tmp_path: Path, tiny: Path) -> None:
    with pytest.raises(ValueError, match="not a training state"):
        load_state(tiny / WEIGHTS)
    (tmp_path / "state.safetensors").write_bytes(b"half")
    with pytest.raises(ValueError, match=r"state\.safetensors is not a training state"):
        load_state(tmp_path / "state.safetensors")
