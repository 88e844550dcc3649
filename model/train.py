"""python -m model.train: train a model on prepared data; stop it at any moment, start it again, it goes on.

torchrun --nproc-per-node 2 -m model.train ... trains data-parallel, with the same files as the result.
"""

import argparse
import contextlib
import hashlib
import itertools
import json
import math
import os
import platform
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn

from model import checkpoint
from model.attention import attention, fused_attention
from model.card import card, corpora_of
from model.data import VARIANTS, Pair, epoch_batches, join_some, make_batch, read_lines, vary
from model.errors import UserError
from model.evaluate import evaluate, full_test
from model.tokenizer import Tokenizer
from model.translate import pick_device

STATE = "state.safetensors"
SETTINGS = ("epochs", "batch_tokens", "peak", "warmup", "cooldown", "smoothing", "join", "vary", "seed", "corpora")
"""Options that change what a run learns; metrics.json tells them."""
MAY_CHANGE = ("epochs", "cooldown")
"""Those of them that a run can go on with when they are others than it was begun with: they shape its end alone."""


def rate(step: int, total: int, *, peak: float, warmup: int, cooldown: float) -> float:
    """Learning rate of step 1, 2, ...: the paper's warm-up and inverse square root (section 5.3), scaled so that
    its highest value is `peak`, then a straight line to 0 over the last `cooldown` share of all steps."""
    base = peak * min(step / warmup, math.sqrt(warmup / step))
    return base * min(1.0, (total - step + 1) / max(1.0, cooldown * total))


@dataclass
class Progress:
    """Everything besides tensors that a run must remember."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    """Batches of the current epoch already seen."""
    tokens: int = 0
    seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)
    begun: dict[str, Any] = field(default_factory=dict)
    """Options and data of the run that it cannot change any more; empty in a state of an early version."""
    start: str | None = None
    """The checkpoint that the weights were begun from."""
    before: list[dict[str, Any]] = field(default_factory=list)
    """What made that checkpoint, one run after the other."""


def pick_precision(name: str, device: torch.device) -> torch.dtype:
    """bfloat16 products where the hardware has them: on an AVX512-BF16 CPU a step then takes two thirds."""
    if name == "auto":
        quick = device.type == "cuda" or (device.type == "cpu" and torch.cpu._is_avx512_bf16_supported())
        name = "bfloat16" if quick else "float32"
    return torch.bfloat16 if name == "bfloat16" else torch.float32


def loss_of(logits: Tensor, target: Tensor, pad_id: int, smoothing: float = 0.0) -> Tensor:
    """Mean cross-entropy per target piece that is not padding, in nats."""
    return F.cross_entropy(
        logits.float().flatten(0, 1), target.flatten(), ignore_index=pad_id, label_smoothing=smoothing
    )


def check(options: argparse.Namespace) -> None:
    """UserError names an option of an impossible value."""
    bounds = {
        "epochs": (1e-6, 1e6),
        "batch_tokens": (1, 1e9),
        "peak": (1e-12, 1e3),
        "warmup": (1, 1e9),
        "cooldown": (0, 1),
        "smoothing": (0, 0.99),
        "join": (0, 1),
        "vary": (0, 1),
        "seed": (0, 2**62),
        "threads": (0, 4096),
        "keep": (0, 1000),
        "evaluate_every": (1, 1e9),
        "save_every": (0, 1e9),
    }
    for name, (low, high) in bounds.items():
        value = getattr(options, name)
        if not low <= value <= high:  # also true of "not a number"
            raise UserError("option_range", name=f"--{name.replace('_', '-')}", value=value, low=low, high=high)


def read_settings(path: Path) -> dict[str, Any]:
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError("not_json", name=path.name, folder=path.parent, reason=error) from error
    if not isinstance(settings, dict):
        raise UserError("not_object", name=path.name, folder=path.parent)
    return settings


def history(old: checkpoint.LoadedCheckpoint) -> list[dict[str, Any]]:
    """The runs that made a checkpoint, the last of them the one whose name it has."""
    run = {"checkpoint": old.made_by.name, "fingerprint": old.made_by.fingerprint}
    with contextlib.suppress(KeyError):  # metrics may be missing: then nothing more is known of it
        run |= {name: old.metrics[name] for name in ("epochs", "steps", "tokens")} | {
            "corpora": corpora_of(old.metrics)
        }
    return [*old.metrics.get("before", []), run]


class Run:
    """One training run: its data, model, optimizer and where it stands."""

    def __init__(self, options: argparse.Namespace) -> None:
        check(options)
        self.options = options
        self.world, self.rank = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
        self.device = pick_device(options.device)
        if self.device.type == "cuda":
            self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        if self.world > 1:
            dist.init_process_group("nccl" if self.device.type == "cuda" else "gloo")
        if options.threads:
            torch.set_num_threads(options.threads)
        self.precision = pick_precision(options.precision, self.device)
        self.attend = fused_attention if self.device.type == "cuda" else attention

        if not (options.data / "about.json").is_file():
            raise UserError("data_unprepared", folder=options.data)
        self.tokenizer = Tokenizer.load(options.data / "tokenizer.json")
        self.about = json.loads((options.data / "about.json").read_text(encoding="utf-8"))
        settings = {"kind": "transformer", "vocab_size": len(self.tokenizer)}
        if options.config:
            settings |= read_settings(options.config)
        torch.manual_seed(options.seed)
        self.model = checkpoint.build(settings).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.progress = Progress()
        self.losses: list[Tensor] = []  # of the steps since the last point of the curve
        resumed = (options.out / STATE).is_file()
        if resumed:
            self.restore()
        if (
            options.start and not self.progress.start
        ):  # also when an early version, which kept no history, began the run
            old = checkpoint.load_checkpoint(options.start)
            if not resumed:
                checkpoint.start_from(self.model, self.tokenizer, old)
            self.progress.start, self.progress.before = old.made_by.name, history(old)
        self.begin(resumed)

        longest = self.model.config.max_length - 1
        self.texts = self.training_texts()
        self.pairs = self.encode(self.texts)
        self.longest = longest
        self.planned: tuple[int, list[list[Pair]]] | None = None  # the epoch last asked for
        self.lines = {name: read_lines(options.data / f"{name}.tsv") for name in ("val", "test")}
        self.validation = [
            pair
            for source, *targets in self.lines["val"]
            for pair in zip(self.tokenizer.ids([source] * len(targets)), self.tokenizer.ids(targets), strict=True)
            if max(map(len, pair)) <= longest
        ]
        if not self.epoch(0) or not self.validation:
            raise UserError("pairs_few", folder=options.data, longest=longest, processes=self.world)
        self.stopping = False

    def begin(self, resumed: bool) -> None:
        """Note what the run is begun with. UserError when it is resumed with something else."""
        data = hashlib.sha256((self.options.data / "tokenizer.json").read_bytes())
        data.update(json.dumps([[each["name"], each["pairs"]] for each in self.about["corpora"]]).encode())
        now = {name: getattr(self.options, name) for name in SETTINGS if name not in MAY_CHANGE}
        now |= {"processes": self.world, "dropout": self.model.config.dropout, "data": data.hexdigest()[:12]}
        for name, was in self.progress.begun.items() if resumed else ():
            if was != now[name]:
                option = name.replace("_", "-")
                raise UserError("run_begun", folder=self.options.out, option=option, was=was, now=now[name])
        self.progress.begun = now

    def training_texts(self) -> list[tuple[str, str]]:
        """The pairs of the chosen corpora, of all when none is chosen."""
        names = self.options.corpora or [each["name"] for each in self.about["corpora"]]
        files = [self.options.data / "train" / f"{name}.tsv" for name in names]
        if missing := [file.name for file in files if not file.is_file()]:
            raise UserError("corpora_missing", folder=self.options.data / "train", names=", ".join(missing))
        return [(source, target) for file in files for source, target in read_lines(file)]

    def encode(self, texts: Sequence[tuple[str, str]]) -> list[Pair]:
        sources, targets = (self.tokenizer.ids([text[side] for text in texts]) for side in (0, 1))
        return list(zip(sources, targets, strict=True))

    def epoch(self, number: int) -> list[list[Pair]]:
        """This process's batches of one epoch: the same whenever they are asked for."""
        if self.planned and self.planned[0] == number:
            return self.planned[1]
        rng = np.random.default_rng((self.options.seed, number))
        pairs = list(self.pairs)
        varied = rng.permutation(len(pairs))[: round(self.options.vary * len(pairs))]
        variants = [vary(*self.texts[int(i)], VARIANTS[k % len(VARIANTS)]) for k, i in enumerate(varied)]
        for i, pair in zip(varied, self.encode(variants), strict=True):
            pairs[i] = pair
        pairs = [pair for pair in pairs if max(map(len, pair)) <= self.longest]
        pairs = join_some(pairs, self.options.join, self.model.config.max_length, rng)
        batches = epoch_batches(pairs, self.options.batch_tokens, rng)
        self.planned = number, batches[self.rank : len(batches) - len(batches) % self.world : self.world]
        return self.planned[1]

    def position(self) -> float:
        """Epochs done, with the part of the one that is under way."""
        return round(self.progress.epoch + self.progress.batch / len(self.epoch(self.progress.epoch)), 3)

    def save(self) -> None:
        if self.rank:
            return
        tensors = {f"model.{name}": value.detach().cpu() for name, value in self.model.state_dict().items()}
        for name, parameter in self.model.named_parameters():
            for part in ("exp_avg", "exp_avg_sq", "step"):
                if part in (moments := self.optimizer.state[parameter]):
                    tensors[f"{part}.{name}"] = moments[part].detach().cpu()
        if self.losses:
            tensors["losses"] = torch.stack(self.losses).cpu()
        checkpoint.save_state(self.options.out / STATE, tensors, vars(self.progress))

    def claim(self) -> None:
        """Write where the run will write, before the first step. OSError when that cannot be done."""
        if self.rank == 0:
            (self.options.out / "checkpoint").mkdir(parents=True, exist_ok=True)
            self.save()

    def restore(self) -> None:
        tensors, progress = checkpoint.load_state(self.options.out / STATE)
        prefix = "model."
        try:
            self.model.load_state_dict({k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)})
        except RuntimeError:
            raise UserError("run_of_another", folder=self.options.out) from None
        for name, parameter in self.model.named_parameters():
            for part in ("exp_avg", "exp_avg_sq", "step"):
                if f"{part}.{name}" in tensors:
                    self.optimizer.state[parameter][part] = tensors[f"{part}.{name}"].to(self.device)
        self.losses = list(tensors["losses"].to(self.device)) if "losses" in tensors else []
        self.progress = Progress(**progress)

    def send(self, ids: Tensor) -> Tensor:
        """To the device; a GPU fetches it while this process makes the next batch."""
        return (
            ids.pin_memory().to(self.device, non_blocking=True) if self.device.type == "cuda" else ids.to(self.device)
        )

    def autocast(self) -> contextlib.AbstractContextManager[None]:
        return torch.autocast(self.device.type, self.precision, enabled=self.precision != torch.float32)

    @torch.inference_mode()
    def validation_loss(self) -> float:
        self.model.eval()
        total, count = 0.0, 0
        for group in epoch_batches(self.validation, 4000, np.random.default_rng(0)):
            batch = make_batch(group, self.tokenizer)
            pieces = int(batch.target_out.ne(self.tokenizer.pad_id).sum())
            logits = self.model(batch.source.to(self.device), batch.target_in.to(self.device), self.attend).logits
            total += pieces * float(loss_of(logits, batch.target_out.to(self.device), self.tokenizer.pad_id))
            count += pieces
        self.model.train()
        return total / count

    def validate(self, train_loss: float) -> dict[str, float]:
        """Measure, append to the curve, and write the checkpoint as it is now."""
        val_loss = self.validation_loss()
        self.model.eval()
        scores, _, _ = evaluate(self.model, self.tokenizer, self.lines["val"])
        self.model.train()
        point = {
            "step": self.progress.step,
            "epoch": self.position(),
            "tokens": self.progress.tokens,
            "seconds": round(self.progress.seconds),
            "train_loss": round(train_loss, 4),
            "val_loss": round(val_loss, 4),
            **{name: round(value, 2) for name, value in scores.items()},
        }
        self.progress.curve.append(point)
        return point

    def write_checkpoint(self, test: dict[str, Any] | None = None) -> None:
        options = self.options
        metrics = {
            **self.about,
            "test": test,
            "parameters": sum(p.numel() for p in self.model.parameters()),
            "epochs": self.position(),
            "steps": self.progress.step,
            "tokens": self.progress.tokens,
            "seconds": round(self.progress.seconds),
            "machine": f"{platform.machine()}, {self.device.type}, {self.precision}".replace("torch.", ""),
            "settings": {name: getattr(options, name) for name in SETTINGS}
            | {"processes": self.world, "start": self.progress.start},
            "before": self.progress.before,
            "curve": self.progress.curve,
        }
        vocabulary = (options.data / "tokenizer.json").read_text(encoding="utf-8")
        checkpoint.save_checkpoint(
            options.out / "checkpoint", self.model, vocabulary, metrics, card(checkpoint.describe(self.model), metrics)
        )

    def keep(self) -> None:
        """A copy of the checkpoint as it is now, for model.average; the oldest beyond --keep go."""
        if self.options.keep:
            kept = self.options.out / "kept"
            shutil.copytree(self.options.out / "checkpoint", kept / f"{self.progress.step:08}", dirs_exist_ok=True)
            for folder in sorted(kept.iterdir())[: -self.options.keep]:
                shutil.rmtree(folder)

    def train(self) -> None:
        from tqdm import tqdm

        options, progress, pad_id = self.options, self.progress, self.tokenizer.pad_id
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: setattr(self, "stopping", True))
        parallel: nn.Module = self.model
        if self.world > 1:
            parallel = nn.parallel.DistributedDataParallel(self.model)
        # Joining makes every epoch a little different; the first one is near enough for planning.
        total = max(1, math.ceil(options.epochs * len(self.epoch(0))))
        bar = tqdm(
            total=total, initial=progress.step, unit="step", disable=self.rank > 0, dynamic_ncols=True,
            mininterval=0.5 if sys.stderr.isatty() else 20,
        )  # fmt: skip
        losses, tokens, since, saved = self.losses, 0, time.monotonic(), time.monotonic()
        self.model.train()
        while progress.step < total and not self.stopping:
            for group in itertools.islice(self.epoch(progress.epoch), progress.batch, None):
                batch = make_batch(group, self.tokenizer)
                source, target_in, target_out = map(self.send, (batch.source, batch.target_in, batch.target_out))
                progress.step += 1
                # What is dropped out depends on the step alone, so that a resumed run drops the same.
                torch.manual_seed(hash((options.seed, self.rank, progress.step)) % 2**63)
                for parameters in self.optimizer.param_groups:
                    parameters["lr"] = rate(
                        progress.step, total, peak=options.peak, warmup=options.warmup, cooldown=options.cooldown
                    )
                with self.autocast():
                    logits = parallel(source, target_in, self.attend).logits
                loss = loss_of(logits, target_out, pad_id, options.smoothing)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                losses.append(loss.detach())
                tokens += batch.tokens * self.world
                progress.tokens += batch.tokens * self.world
                progress.batch += 1
                bar.update()
                if progress.step % 50 == 0:
                    elapsed = time.monotonic() - since
                    loss_now = torch.stack(losses[-50:]).mean().item()  # the only wait for a GPU, every 50 steps
                    progress.seconds += elapsed
                    bar.set_postfix_str(
                        f"epoch {progress.epoch + 1}, loss {loss_now:.3f}, {tokens / elapsed:,.0f} tokens/s",
                        refresh=False,
                    )
                    tokens, since = 0, time.monotonic()
                if progress.step % options.evaluate_every == 0 or progress.step == total:
                    progress.seconds += time.monotonic() - since
                    if self.rank == 0:
                        point = self.validate(torch.stack(losses).mean().item())
                        self.write_checkpoint()
                        self.keep()
                        bar.write(json.dumps(point), file=sys.stdout)
                        sys.stdout.flush()
                    losses.clear()
                    self.save()
                    self.barrier()
                    since = saved = time.monotonic()
                    tokens = 0
                elif time.monotonic() - saved > options.save_every:
                    self.save()
                    saved = time.monotonic()
                if self.stopping or progress.step == total:
                    break
            else:
                progress.epoch, progress.batch = progress.epoch + 1, 0
        bar.close()
        progress.seconds += time.monotonic() - since
        self.save()
        if progress.step >= total and self.rank == 0:
            self.finish()
        self.barrier()
        if self.world > 1:
            dist.destroy_process_group()

    def barrier(self) -> None:
        if self.world > 1:
            dist.barrier()

    def finish(self) -> None:
        """Score the test split, greedily and with a beam, and write the final checkpoint."""
        self.model.eval()
        test = full_test(self.model, self.tokenizer, self.lines["test"])
        for name in ("greedy", "beam 4"):
            print(f"test, {name}: BLEU {test[name]['bleu']:.2f}, chrF {test[name]['chrf']:.2f}", flush=True)
        self.write_checkpoint(test)
        print(f"The checkpoint is in {self.options.out / 'checkpoint'}.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.train", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("data/en-fr"), help="folder that model.prepare wrote")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run; goes on if it has a state")
    parser.add_argument("--config", type=Path, help="JSON with settings that differ from the bundled model's")
    parser.add_argument("--epochs", type=float, default=10.0)
    parser.add_argument("--batch-tokens", type=int, default=1200, help="target pieces a batch and process")
    parser.add_argument("--peak", type=float, default=1e-3, help="highest learning rate")
    parser.add_argument("--warmup", type=int, default=2000, help="steps until it is reached")
    parser.add_argument("--cooldown", type=float, default=0.25, help="last share of the steps, down to rate 0")
    parser.add_argument("--smoothing", type=float, default=0.1, help="label smoothing")
    parser.add_argument("--join", type=float, default=0.15, help="share of sentences strung together")
    parser.add_argument("--vary", type=float, default=0.08, help="share typed otherwise: case, marks, no full stop")
    parser.add_argument("--corpora", nargs="+", help="names of the corpora to train on; all when not given")
    parser.add_argument("--start", type=Path, help="a checkpoint whose weights a new run begins with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")
    parser.add_argument("--precision", choices=("auto", "float32", "bfloat16"), default="auto")
    parser.add_argument("--threads", type=int, default=0, help="0: as many as PyTorch takes")
    parser.add_argument("--evaluate-every", type=int, default=1000, help="steps")
    parser.add_argument(
        "--keep", type=int, default=0, help="copies of the last checkpoints in OUT/kept, for model.average"
    )
    parser.add_argument("--save-every", type=float, default=240, help="seconds")
    options = parser.parse_args()
    try:
        import sacrebleu  # noqa: F401
        import tqdm  # noqa: F401

        run = Run(options)
        run.claim()
    except ModuleNotFoundError as error:
        raise SystemExit(f"python -m model.train needs {error.name}: pip install -r tests/requirements.txt") from None
    except (OSError, ValueError) as error:
        raise SystemExit(f"python -m model.train: {error}") from None
    try:
        run.train()
    except OSError as error:  # a disk that became full; the last saved state is whole
        raise SystemExit(f"python -m model.train: {error}") from error


if __name__ == "__main__":
    main()
