"""python -m tests.hostile SEED COUNT: what becomes of altered copies of the tiny checkpoint, one JSON object a line.

Every kind of file is damaged in every way that one can think of, with its checksums kept, made anew or gone, and then
loaded and asked for a translation, within a bound of memory and of time.
"""

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load, save_file

from model.checkpoint import CONFIG, METRICS, SUMMED, TOKENIZER, WEIGHTS
from model.checksums import SUMS, write_checksums
from model.errors import UserError
from model.translate import load as load_model

TINY = Path(__file__).parent / "data" / "tiny"
ROOM, SECONDS = 2**31, 30
"""Bytes of address space beyond what the program has before the first file, and seconds for each."""
TEXT = "Mary doesn't want the apple. \u6f22"
Change = Callable[[Path, random.Random], None]
NUMBERS = (0, -1, 1, 2, 3, 5, 7, 100, 2**16, 2**24, 2**31, 2**63, 10**400, -(10**18), 0.5, 1e308, float("nan"))
VALUES: tuple[Any, ...] = (*NUMBERS, "8", "", None, True, [], {}, [[[[]]]], "x" * 10**5)


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def a_setting(folder: Path, random: random.Random) -> None:
    config = json.loads((folder / CONFIG).read_text())
    config[random.choice([*config, "depth"])] = random.choice(VALUES)
    write_json(folder / CONFIG, config)


def two_sizes(folder: Path, random: random.Random) -> None:
    config = json.loads((folder / CONFIG).read_text())
    for name in random.sample(["d_model", "d_ff", "encoder_layers", "decoder_layers", "max_length", "n_heads"], 2):
        config[name] = random.choice((1, 2, 64, 2**12, 2**20, 2**30))
    write_json(folder / CONFIG, config)


def no_setting(folder: Path, random: random.Random) -> None:
    config = json.loads((folder / CONFIG).read_text())
    del config[random.choice(list(config))]
    write_json(folder / CONFIG, config)


def other_kind(folder: Path, random: random.Random) -> None:
    config = {"format": 1, "kind": "rnn", "vocab_size": 450, "d_model": random.choice((32, 2**20)), "max_length": 64}
    write_json(folder / CONFIG, config)


def bytes_of(name: str) -> Change:
    def change(folder: Path, random: random.Random) -> None:
        content = bytearray((folder / name).read_bytes())
        for _ in range(random.choice((1, 1, 3, 50))):
            content[random.randrange(len(content))] ^= 1 << random.randrange(8)
        (folder / name).write_bytes(content)

    return change


def cut(name: str) -> Change:
    def change(folder: Path, random: random.Random) -> None:
        content = (folder / name).read_bytes()
        kept = random.choice((0, 1, 7, 8, 9, 20, len(content) // 2, len(content) - 1))
        (folder / name).write_bytes(content[:kept] if random.random() < 0.8 else content * 2)

    return change


def no_file(name: str) -> Change:
    """Something that is no file, or one that never ends."""

    def change(folder: Path, random: random.Random) -> None:
        path = folder / name
        path.unlink()
        kind = random.choice(("gone", "folder", "pipe", "zeros", "noise", "loop", "sparse", "nested", "long"))
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind in ("zeros", "noise"):
            path.symlink_to("/dev/zero" if kind == "zeros" else "/dev/urandom")
        elif kind == "loop":
            path.symlink_to(path)
        elif kind == "sparse":
            path.touch()
            os.truncate(path, 2**36)
        elif kind == "nested":
            brackets = random.choice((500, 10**5))
            path.write_text(random.choice(("[", '{"a":', '{"format": 1, "kind": [')) * brackets)
        elif kind == "long":
            path.write_text('{"format": ' + "1" * random.choice((4000, 5000)) + "}")

    return change


def a_tensor(folder: Path, random: random.Random) -> None:
    weights = load((folder / WEIGHTS).read_bytes())
    name = random.choice(sorted(weights))
    value = weights[name]
    changed: dict[str, Callable[[], torch.Tensor]] = {
        "nan": lambda: value.clone().index_fill(0, torch.tensor(0), torch.nan),
        "infinite": lambda: torch.full_like(value, torch.inf),
        "largest": lambda: torch.full_like(value, 65504),
        "nought": lambda: torch.zeros_like(value),
        "longer": lambda: torch.cat((value, value)),
        "flat": lambda: value.flatten(),
        "whole": lambda: value.int(),
        "precise": lambda: value.double() * 1e300,
        "turned": lambda: value.flip(0).contiguous(),
    }
    save_file(weights | {name: changed[random.choice(sorted(changed))]()}, folder / WEIGHTS)


def all_tensors(folder: Path, random: random.Random) -> None:
    weights = load((folder / WEIGHTS).read_bytes())
    to = random.choice((65504, -65504, 6e-8, 1e4))
    save_file({name: torch.full_like(value, to) for name, value in weights.items()}, folder / WEIGHTS)


def other_tensors(folder: Path, random: random.Random) -> None:
    weights = load((folder / WEIGHTS).read_bytes())
    name = random.choice(sorted(weights))
    kept = {key: value for key, value in weights.items() if key != name}
    more = weights | {"more": torch.zeros(3)}
    save_file(random.choice((kept, more, kept | {"x" + name: weights[name]}, {})), folder / WEIGHTS)


SHAPES: tuple[Any, ...] = (
    [2**40, 2**20], [-1], "F16", "I8", "F99", [0, 2**60], [5, 3], None, {}, [[1]], ["a"], 10**300, [1e400],
)  # fmt: skip


def the_header(folder: Path, random: random.Random) -> None:
    content = (folder / WEIGHTS).read_bytes()
    length = int.from_bytes(content[:8], "little")
    parts = json.loads(content[8 : 8 + length])
    name = random.choice([each for each in parts if each != "__metadata__"])
    part = random.choice(("shape", "dtype", "data_offsets"))
    values: tuple[Any, ...] = (
        [2**40, 2**20],
        [-1],
        "F16",
        "I8",
        "F99",
        [0, 2**60],
        [5, 3],
        None,
        {},
        [[1]],
        ["a"],
        10**300,
        [1e400],
    )
    parts[name][part] = random.choice(values)
    header = json.dumps(parts).encode()
    says = random.choice((len(header), len(header), len(header) + 1, 2**63, 2**32, 0))
    (folder / WEIGHTS).write_bytes(says.to_bytes(8, "little") + header + content[8 + length :])


def a_pickle(folder: Path, random: random.Random) -> None:
    torch.save({"weights": torch.zeros(2)}, folder / WEIGHTS)


PARTS: dict[str, tuple[Any, ...]] = {
    "pre_tokenizer": (
        None, {"type": "Whitespace"}, {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True},
        {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Removed", "invert": False},
        {"type": "Split", "pattern": {"Regex": "(("}, "behavior": "Isolated", "invert": False}, {"type": "No"}, [], 3,
    ),
    "decoder": (None, {"type": "WordPiece", "prefix": "##", "cleanup": True}, {"type": "No"}),
    "normalizer": (None, {"type": "Lowercase"}, {"type": "Precompiled", "precompiled_charsmap": "AAAA"}, {}),
    "post_processor": ({"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}, {"type": "No"}),
    "truncation": ({"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
                   {"direction": "Right", "max_length": 0, "strategy": "LongestFirst", "stride": 7}),
    "padding": ({"strategy": {"Fixed": 2**20}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
                 "pad_type_id": 0, "pad_token": "<pad>"},),
    "added_tokens": ([{"id": 5, "content": "the", "single_word": False, "lstrip": True, "rstrip": True,
                       "normalized": False, "special": True}], [{"id": 9999, "content": ""}], None),
    "model": (None, {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "?"},
              {"type": "BPE", "vocab": {}, "merges": []}, {"type": "Unigram", "unk_id": 9, "vocab": []}),
    "version": ("2.0", None, 7),
}  # fmt: skip


def a_part(folder: Path, random: random.Random) -> None:
    """Of the vocabulary: how it cuts, not what it knows."""
    parts = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
    name = random.choice(sorted(PARTS))
    parts[name] = random.choice(PARTS[name])
    write_json(folder / TOKENIZER, parts)


def a_vocabulary(folder: Path, random: random.Random) -> None:
    """What it knows."""
    parts = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
    model = parts["model"]
    vocab: dict[str, Any] = model["vocab"]
    kind = random.choice(
        ("permuted", "shifted", "equal", "text", "merges", "dropout", "prefix", "fallback", "few", "mad")
    )
    if kind == "permuted":
        ids = list(vocab.values())
        random.shuffle(ids)
        model["vocab"] = dict(zip(vocab, ids, strict=True))
    elif kind in ("shifted", "equal", "text"):
        model["vocab"] = {
            piece: id + 1 if kind == "shifted" else id // 2 if kind == "equal" else "a" for piece, id in vocab.items()
        }
    elif kind == "merges":
        model["merges"] = random.choice(([["q", "nothing"]], "merges", [["a"]], [], model["merges"][::-1]))
    elif kind == "dropout":
        model["dropout"] = random.choice((0.5, 1.0, 2.0, -1.0))
    elif kind == "prefix":
        model[random.choice(("continuing_subword_prefix", "end_of_word_suffix", "unk_token"))] = "\u2581"
    elif kind == "fallback":
        model["byte_fallback"] = False
    elif kind == "few":
        model["vocab"] = {piece: id for piece, id in vocab.items() if id < 20}
    else:
        model["vocab"] = vocab | {"\u2581mad" * 10**4: 10**9}
    write_json(folder / TOKENIZER, parts)


def the_metrics(folder: Path, random: random.Random) -> None:
    metrics = json.loads((folder / METRICS).read_text())
    at = metrics
    while True:
        name = random.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if isinstance(at[name], dict | list) and at[name] and random.random() < 0.7:
            at = at[name]
            continue
        at[name] = random.choice((None, "7", [], {}, -1, [1, 2], {"bleu": 3}, 10**400))
        break
    write_json(folder / METRICS, metrics)


CHANGES: dict[str, Change] = {
    "a setting": a_setting, "two sizes": two_sizes, "no setting": no_setting, "other kind": other_kind,
    "a tensor": a_tensor, "all tensors": all_tensors, "other tensors": other_tensors, "header": the_header,
    "a pickle": a_pickle, "a part": a_part, "a vocabulary": a_vocabulary, "metrics": the_metrics,
    **{f"bytes of {name}": bytes_of(name) for name in (*SUMMED, METRICS, SUMS)},
    **{f"cut {name}": cut(name) for name in (*SUMMED, METRICS, SUMS)},
    **{f"no file {name}": no_file(name) for name in (*SUMMED, METRICS, SUMS)},
}  # fmt: skip


def alterations(seed: int, count: int) -> Iterator[tuple[str, str, Change, random.Random]]:
    """Its number and kind, what becomes of the checksums, and how it is made."""
    for number in range(count):
        name = list(CHANGES)[number % len(CHANGES)]
        sums = ("kept", "anew", "gone")[number // len(CHANGES) % 3]
        yield f"{number}: {name}", sums, CHANGES[name], random.Random(f"{seed} {number}")


def small_file(path: Path) -> bool:
    return path.is_file() and path.stat().st_size < 2**30


def late(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    seed, count = map(int, sys.argv[1:])
    torch.set_num_threads(1)
    whole = load_model(TINY, "cpu").translate(TEXT)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, -1))
    signal.signal(signal.SIGALRM, late)
    for what, sums, change, rng in alterations(seed, count):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(shutil.copytree(TINY, Path(scratch, "altered")))
            change(folder, rng)
            if sums == "anew":
                with contextlib.suppress(OSError):
                    if all(map(small_file, (*(folder / name for name in SUMMED), folder / SUMS))):
                        write_checksums(folder, SUMMED)
            elif sums == "gone":
                with contextlib.suppress(OSError):
                    (folder / SUMS).unlink()
            result = ""
            signal.alarm(SECONDS)
            try:
                found = load_model(folder, "cpu").translate(TEXT)
                same = (found.target, found.source) == (whole.target, whole.source)
                result = "equal" if same and (found.cross == whole.cross).all() else "other"
            except UserError as error:
                result = f"said: {error}"
            except BaseException as error:
                result = (
                    f"failed: {type(error).__name__}: {error} {''.join(traceback.format_tb(error.__traceback__)[-2:])}"
                )
            signal.alarm(0)
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(json.dumps({"what": what, "sums": sums, "result": result, "most": most}), flush=True)


if __name__ == "__main__":
    main()
