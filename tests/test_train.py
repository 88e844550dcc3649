"""Training: the learning rate, a task that is learnt, and runs that are stopped, killed, resumed and made of two."""

import argparse
import json
import math
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from model import average
from model import train as module
from model.checkpoint import load_checkpoint, load_state, save_state, start_from
from model.config import TransformerConfig
from model.data import VARIANTS, Pair, make_batch, pad, vary
from model.evaluate import score
from model.prepare import Recipe, prepare
from model.search import search
from model.train import STATE, Run, loss_of, main, rate
from model.transformer import Transformer

ROOT = Path(__file__).parents[1]
DATA = Path(__file__).parent / "data"
OPTIONS: dict[str, Any] = {
    "epochs": 4.0,
    "batch_tokens": 150,
    "peak": 0.005,
    "warmup": 20,
    "cooldown": 0.5,
    "smoothing": 0.1,
    "join": 0.2,
    "vary": 0.1,
    "corpora": None,
    "start": None,
    "seed": 3,
    "device": "cpu",
    "precision": "float32",
    "threads": 1,
    "evaluate_every": 50,
    "keep": 0,
    "save_every": 240.0,
}
CONFIG: dict[str, Any] = {
    "d_model": 16,
    "n_heads": 2,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "d_ff": 32,
    "max_length": 40,
}
CONFIG |= {"dropout": 0.0}  # so that a resumed run can be compared number by number


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny corpus, prepared, with the settings of a still smaller model beside it."""
    folder = tmp_path_factory.mktemp("data") / "tiny"
    prepare(Recipe.load(DATA / "tiny.toml"), DATA, folder)
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """A run takes over SIGTERM and SIGINT; pytest gets them back."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def new_run(data: Path, run: Path, **changes: Any) -> Run:
    options = {"config": data / "config.json"} | OPTIONS | changes
    return Run(argparse.Namespace(data=data, out=run, **options))


def command(data: Path, run: Path, **changes: Any) -> list[str]:
    """The words after `python -m`."""
    options = {name: value for name, value in (OPTIONS | changes).items() if value is not None}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    return ["model.train", "--data", str(data), "--out", str(run), "--config", str(data / "config.json"), *words]


def metrics_of(run: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((run / "checkpoint" / "metrics.json").read_text(encoding="utf-8"))
    return value


def test_rate_rises_peaks_and_ends_at_zero() -> None:
    total, peak, warmup, cooldown = 1000, 0.003, 100, 0.25
    rates = [rate(step, total, peak=peak, warmup=warmup, cooldown=cooldown) for step in range(1, total + 1)]
    assert max(rates) == rates[warmup - 1] == pytest.approx(peak)
    for step in range(1, warmup):
        assert rates[step - 1] == pytest.approx(peak * step / warmup)
    for step in range(warmup, 750):
        assert rates[step - 1] == pytest.approx(peak * math.sqrt(warmup / step))
    assert all(later < earlier for earlier, later in zip(rates[warmup - 1 :], rates[warmup:], strict=False))
    assert 0 < rates[-1] < peak / 500
    assert rate(total + 1, total, peak=peak, warmup=warmup, cooldown=cooldown) == 0


def test_rate_without_cooldown_is_the_papers() -> None:
    """Section 5.3: d_model^-0.5 min(step^-0.5, step warmup^-1.5), which peaks at (d_model warmup)^-0.5."""
    for step in (1, 10, 4000, 5000, 90_000):
        paper = 512**-0.5 * min(step**-0.5, step * 4000**-1.5)
        ours = rate(step, 100_000, peak=(512 * 4000) ** -0.5, warmup=4000, cooldown=0)
        assert ours == pytest.approx(paper)


def test_loss_is_a_mean_over_pieces_that_are_not_padding() -> None:
    torch.manual_seed(0)
    logits, target = torch.randn(2, 4, 7), torch.tensor([[3, 4, 2, 0], [5, 2, 0, 0]])
    by_hand = -logits.log_softmax(-1).gather(-1, target[..., None])[..., 0]
    assert loss_of(logits, target, 0).item() == pytest.approx(by_hand[target != 0].mean().item())
    smooth = 0.9 * by_hand - 0.1 * logits.log_softmax(-1).mean(-1)
    assert loss_of(logits, target, 0, 0.1).item() == pytest.approx(smooth[target != 0].mean().item())
    changed = logits.clone()
    changed[0, 3] += torch.randn(7)
    assert loss_of(changed, target, 0).equal(loss_of(logits, target, 0))


def test_a_toy_reverse_task_is_learnt() -> None:
    """Strings of eight letters come out backwards, also those that were never seen."""

    def strings(rng: random.Random, count: int) -> list[Pair]:
        made = [[rng.randrange(3, 11) for _ in range(rng.randint(2, 6))] for _ in range(count)]
        return [(letters, letters[::-1]) for letters in made]

    class Letters:
        pad_id, bos_id, eos_id = 0, 1, 2

    letters: Any = Letters()
    torch.manual_seed(0)
    rng = random.Random(0)
    settings: dict[str, Any] = {"d_model": 32, "n_heads": 2, "encoder_layers": 2, "decoder_layers": 2, "d_ff": 64}
    model = Transformer(TransformerConfig(vocab_size=11, dropout=0.0, max_length=16, **settings))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9)
    steps, seen, first = 300, set(), 0.0
    for step in range(1, steps + 1):
        pairs = strings(rng, 64)
        seen |= {tuple(source) for source, _ in pairs}
        batch = make_batch(pairs, letters)
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps, peak=0.01, warmup=50, cooldown=0.5)
        loss = loss_of(model(batch.source, batch.target_in).logits, batch.target_out, letters.pad_id)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        first = first or loss.item()
    assert first > 2
    assert loss.item() < 0.02
    unseen = [pair for pair in strings(random.Random(1), 400) if tuple(pair[0]) not in seen]
    assert len(unseen) > 100
    found = search(model.eval(), pad([[*source, 2] for source, _ in unseen], 0))
    right = sum(hypotheses[0].ids == target for hypotheses, (_, target) in zip(found, unseen, strict=True))
    assert right >= 0.99 * len(unseen)


def recorded(monkeypatch: pytest.MonkeyPatch, stop_after: int | None = None) -> list[list[Pair]]:
    """Every batch that training takes from now on; SIGTERM to ourselves while it works on batch `stop_after`."""
    seen: list[list[Pair]] = []
    validating: list[bool] = []

    def spy(group: list[Pair], tokenizer: Any) -> Any:
        if not validating:
            seen.append(list(group))
            if len(seen) == stop_after:
                os.kill(os.getpid(), signal.SIGTERM)
        return make_batch(group, tokenizer)

    validate = Run.validation_loss

    def quietly(self: Run) -> float:
        validating.append(True)
        try:
            return validate(self)
        finally:
            validating.clear()

    monkeypatch.setattr(module, "make_batch", spy)
    monkeypatch.setattr(Run, "validation_loss", quietly)
    return seen


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[Pair]]]:
    """A run that nobody stops, and its batches."""
    run = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as monkeypatch:
        seen = recorded(monkeypatch)
        new_run(data, run).train()
    return run, seen


def test_a_whole_run(data: Path, whole: tuple[Path, list[list[Pair]]]) -> None:
    run, seen = whole
    metrics = metrics_of(run)
    total = len(seen)
    assert metrics["steps"] == total == math.ceil(4 * len(new_run(data, run / "other").epoch(0)))
    assert [point["step"] for point in metrics["curve"]] == [*range(50, total, 50), total]
    assert metrics["tokens"] == sum(len(source) + len(target) + 2 for batch in seen for source, target in batch)
    assert metrics["tokens"] == metrics["curve"][-1]["tokens"]
    assert metrics["curve"][-1]["val_loss"] < metrics["curve"][0]["val_loss"] < math.log(450)
    assert metrics["corpora"] == json.loads((data / "about.json").read_text(encoding="utf-8"))["corpora"]
    assert metrics["settings"] == {name: OPTIONS[name] for name in module.SETTINGS} | {"processes": 1, "start": None}
    assert metrics["before"] == []
    assert metrics["parameters"] == sum(p.numel() for p in new_run(data, run / "other").model.parameters())
    assert metrics["counts"]["train pairs"] == 196
    assert set(metrics["test"]) == {"sentences", "greedy", "beam 4", "strung"}
    card = (run / "checkpoint" / "README.md").read_text(encoding="utf-8")
    assert "| tiny | 196 | 5.6 | that of Regard | made up by tests/data/make_tiny.py |" in card
    assert f"{metrics['parameters']:,} parameters" in card


def test_every_epoch_has_every_pair(data: Path, tmp_path: Path) -> None:
    run = new_run(data, tmp_path, vary=0.0)
    for number in (0, 1):
        batches = run.epoch(number)
        assert batches == new_run(data, tmp_path, vary=0.0).epoch(number)
        pieces = sorted(id for batch in batches for source, _ in batch for id in source)
        assert pieces == sorted(id for source, _ in run.pairs for id in source)
    assert run.epoch(0) != run.epoch(1)


def test_every_epoch_varies_its_share_of_the_pairs(data: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"max_length": 200}), encoding="utf-8")
    run = new_run(data, tmp_path, vary=0.5, join=0.0, config=tmp_path / "config.json")
    plain = set(run.texts)
    varied = {vary(source, target, variant): variant for source, target in run.texts for variant in VARIANTS}
    seen = []
    for number in (0, 1):
        ids = [pair for batch in run.epoch(number) for pair in batch]
        pairs = [(run.tokenizer.decode(source)[0], run.tokenizer.decode(target)[0]) for source, target in ids]
        assert len(pairs) == len(plain)
        changed = {pair for pair in pairs if pair not in plain}
        assert {varied[pair] for pair in changed} == {"lower", "upper", "open"}  # no sentence here has quotation marks
        assert 0.3 * len(plain) < len(changed) <= 0.5 * len(plain)
        seen.append(changed)
    assert len(seen[0] & seen[1]) < len(seen[0]) / 2


def test_only_the_chosen_corpora_are_trained_on(data: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(data, tmp_path / "data")
    (copy / "train" / "other.tsv").write_text("The cat.\tLe chat.\n", encoding="utf-8")
    about = json.loads((copy / "about.json").read_text(encoding="utf-8"))
    about["corpora"].append(about["corpora"][0] | {"name": "other", "pairs": 1})
    (copy / "about.json").write_text(json.dumps(about), encoding="utf-8")
    tiny, other, both = (new_run(copy, tmp_path, corpora=names).texts for names in (["tiny"], ["other"], None))
    assert other == [("The cat.", "Le chat.")]
    assert tiny + other == both
    with pytest.raises(ValueError, match=r"train has no none\.tsv"):
        new_run(copy, tmp_path, corpora=["tiny", "none"])


def test_a_run_with_dropout_is_resumed_as_if_never_stopped(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"dropout": 0.2}), encoding="utf-8")
    tensors: list[dict[str, torch.Tensor]] = []
    for stop in (None, 30):
        out = tmp_path / str(stop)
        if stop:
            with monkeypatch.context() as change:
                recorded(change, stop_after=stop)
                new_run(data, out, config=tmp_path / "config.json", epochs=2.0).train()
            assert load_state(out / STATE)[1]["step"] == stop
            assert len(load_state(out / STATE)[0]["losses"]) == stop
        torch.manual_seed(len(tensors))  # another random state around it
        new_run(data, out, config=tmp_path / "config.json", epochs=2.0).train()
        tensors.append(load_state(out / STATE)[0])
    assert tensors[0].keys() == tensors[1].keys()
    assert all(value.equal(tensors[1][name]) for name, value in tensors[0].items())
    assert "losses" not in tensors[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 4}, "begun with seed 3, not 4"),
        ({"batch_tokens": 160}, "begun with batch-tokens 150, not 160"),
        ({"peak": 0.004}, "begun with peak 0.005, not 0.004"),
        ({"join": 0.0}, "begun with join 0.2, not 0.0"),
        ({"corpora": ["tiny"]}, r"begun with corpora None, not \['tiny'\]"),
        ({"epochs": 7.0, "cooldown": 0.1, "evaluate_every": 3, "save_every": 1.0, "threads": 2, "keep": 2}, None),
    ],
)
def test_a_run_goes_on_only_as_it_was_begun(
    data: Path, whole: tuple[Path, list[list[Pair]]], changes: dict[str, Any], said: str | None
) -> None:
    if said is None:
        assert new_run(data, whole[0], **changes).progress.step > 0
        return
    with pytest.raises(ValueError, match=said):
        new_run(data, whole[0], **changes)


def test_a_run_does_not_go_on_with_other_data(data: Path, whole: tuple[Path, list[list[Pair]]], tmp_path: Path) -> None:
    other = shutil.copytree(data, tmp_path / "data")
    about = json.loads((other / "about.json").read_text(encoding="utf-8"))
    about["corpora"][0]["pairs"] += 1
    (other / "about.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ValueError, match="begun with data"):
        new_run(other, whole[0])


def test_a_state_of_an_early_version_goes_on(data: Path, whole: tuple[Path, list[list[Pair]]], tmp_path: Path) -> None:
    """It knew neither its options, nor where it started, nor the losses since the last point of the curve."""
    tensors, progress = load_state(whole[0] / STATE)
    early = {name: progress[name] for name in ("step", "epoch", "batch", "tokens", "seconds", "curve")}
    save_state(tmp_path / STATE, tensors, early)
    run = new_run(data, tmp_path, epochs=5.0, seed=4, start=DATA / "tiny", config=data / "config.json")
    assert run.progress.step == progress["step"]
    assert all(value.equal(tensors[f"model.{name}"]) for name, value in run.model.state_dict().items())
    run.train()
    metrics = metrics_of(tmp_path)
    assert metrics["steps"] > progress["step"]
    assert metrics["settings"]["start"] == "data/tiny"  # told at last
    assert load_state(tmp_path / STATE)[1]["begun"]["seed"] == 4


def test_a_start_from_a_checkpoint_is_told(data: Path, tmp_path: Path) -> None:
    """Its weights are there, its history in the metrics and the card, after a stop too, and of a start from a start."""
    settings = json.loads((DATA / "tiny" / "config.json").read_text(encoding="utf-8"))
    shape = {name: settings[name] for name in CONFIG}
    (tmp_path / "config.json").write_text(json.dumps(shape), encoding="utf-8")
    common: dict[str, Any] = {"config": tmp_path / "config.json", "epochs": 0.5, "peak": 1e-6}
    run = new_run(data, tmp_path / "one", start=DATA / "tiny", **common)
    old = load_checkpoint(DATA / "tiny")
    assert all(value.equal(old.model.state_dict()[name]) for name, value in run.model.state_dict().items())
    run.train()
    new_run(data, tmp_path / "one", **common).train()  # over already; the start is remembered without being named
    first = {
        "checkpoint": "data/tiny",
        "fingerprint": old.made_by.fingerprint,
        **{name: old.metrics[name] for name in ("epochs", "steps", "tokens")},
        "corpora": ["tiny"],
    }
    metrics = metrics_of(tmp_path / "one")
    assert (metrics["settings"]["start"], metrics["before"]) == ("data/tiny", [first])
    assert metrics["test"]["greedy"]["bleu"] == pytest.approx(100)  # knows by heart what the start did
    new_run(data, tmp_path / "two", start=tmp_path / "one" / "checkpoint", **common).train()
    last = metrics_of(tmp_path / "two")
    assert [run["checkpoint"] for run in last["before"]] == ["data/tiny", "one/checkpoint"]
    assert last["before"][1]["steps"] == metrics["steps"]
    card = (tmp_path / "two" / "checkpoint" / "README.md").read_text(encoding="utf-8")
    assert f"**Begun from** `data/tiny` ({old.made_by.fingerprint}): {first['epochs']} epochs, " in card
    assert "**Begun from** `one/checkpoint` (" in card
    other = new_run(data, tmp_path / "three", config=data / "config.json")
    with pytest.raises(ValueError, match="The model of data/tiny has another shape"):
        start_from(other.model, other.tokenizer, old)


def test_the_last_checkpoints_are_kept_and_averaged(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new_run(data, tmp_path, epochs=2.0, evaluate_every=10, keep=3).train()
    metrics = metrics_of(tmp_path)
    kept = sorted((tmp_path / "kept").iterdir())
    assert [int(folder.name) for folder in kept] == [point["step"] for point in metrics["curve"]][-3:]
    out = tmp_path / "mean"
    monkeypatch.setattr(sys, "argv", ["average", str(out), *map(str, kept)])
    average.main()
    assert "The mean of 3 checkpoints" in capsys.readouterr().out
    mean, parts = load_checkpoint(out), [load_checkpoint(folder) for folder in kept]
    for name, value in mean.model.state_dict().items():
        by_hand = sum(part.model.state_dict()[name].double() for part in parts) / 3
        torch.testing.assert_close(value.double(), by_hand, atol=1e-6, rtol=1e-3)  # float16 on disk
    assert mean.metrics == parts[-1].metrics | {"averaged": 3, "test": None}
    assert "the mean of 3 checkpoints" in (out / "README.md").read_text(encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["average", str(out), str(kept[0]), str(DATA / "tiny")])
    with pytest.raises(SystemExit, match="different shapes or vocabularies"):
        average.main()


def test_a_folder_that_cannot_be_written_is_found_before_the_first_step(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(Run, "train", lambda self: pytest.fail("it began to train"))
    monkeypatch.setattr(sys, "argv", command(data, tmp_path / "file" / "run"))
    with pytest.raises(SystemExit, match=r"python -m model\.train: .*file"):
        main()
    monkeypatch.setattr(sys, "argv", command(data, tmp_path / "run"))
    resource = pytest.importorskip("resource")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, old[1]))  # as a disk with 5 kB left
    try:
        with pytest.raises(SystemExit, match=r"python -m model\.train: .*state\.safetensors cannot be written"):
            main()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("where", ["in the middle of an epoch", "at its end", "after a validation"])
def test_stopped_and_resumed_sees_each_batch_once(
    data: Path, whole: tuple[Path, list[list[Pair]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """SIGTERM ends the run after its step; started again, it ends with the very numbers of the whole run."""
    whole_run, expected = whole
    per_epoch = len(new_run(data, tmp_path / "other").epoch(0))
    stop = {"in the middle of an epoch": per_epoch + 5, "at its end": per_epoch, "after a validation": 50}[where]
    seen = recorded(monkeypatch, stop_after=stop)
    new_run(data, tmp_path).train()
    assert len(seen) == stop
    assert load_state(tmp_path / STATE)[1]["step"] == stop
    assert (tmp_path / "checkpoint").exists() == (stop >= 50)
    second = new_run(data, tmp_path)
    rest = recorded(monkeypatch)
    second.train()
    assert seen + rest == expected
    tensors, progress = load_state(tmp_path / STATE)
    expected_tensors, expected_progress = load_state(whole_run / STATE)
    assert tensors.keys() == expected_tensors.keys()
    assert all(tensors[name].equal(expected_tensors[name]) for name in tensors)
    for told in ("step", "epoch", "batch", "tokens"):
        assert progress[told] == expected_progress[told]
    curve, expected_curve = metrics_of(tmp_path)["curve"], metrics_of(whole_run)["curve"]
    for told in ("val_loss", "train_loss"):
        assert [point[told] for point in curve] == [point[told] for point in expected_curve]


def test_seconds_count_every_step(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of a run that is shorter than the 50 steps between two looks at the clock."""

    def slow(group: list[Pair], tokenizer: Any) -> Any:
        time.sleep(0.03)
        return make_batch(group, tokenizer)

    monkeypatch.setattr(module, "make_batch", slow)
    started = time.monotonic()
    new_run(data, tmp_path, epochs=0.9).train()
    elapsed = time.monotonic() - started
    progress = load_state(tmp_path / STATE)[1]
    assert progress["step"] < 50
    assert 0.03 * progress["step"] <= progress["seconds"] <= elapsed


def start(*words: str) -> subprocess.Popen[str]:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.Popen(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_a_killed_run_goes_on(data: Path, tmp_path: Path) -> None:
    """SIGKILL leaves the last state that was saved; the same command finishes the run from there."""
    words = command(data, tmp_path, save_every=0, epochs=5)
    process = start(*words)
    try:
        deadline = time.monotonic() + 60
        # its state is saved at every step: wait for some steps after the first checkpoint
        while not (tmp_path / "checkpoint" / "README.md").is_file():
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.1)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    killed_at = load_state(tmp_path / STATE)[1]["step"]
    test_was = metrics_of(tmp_path)["test"]
    process = start(*words)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    printed = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    metrics = metrics_of(tmp_path)
    assert 0 < killed_at < metrics["steps"]
    assert test_was is None
    assert all(point["step"] > killed_at for point in printed)
    steps = [point["step"] for point in metrics["curve"]]
    assert steps == [*range(50, metrics["steps"], 50), metrics["steps"]]
    assert metrics["curve"][-len(printed) :] == printed
    assert metrics["curve"][-1]["val_loss"] < metrics["curve"][0]["val_loss"]
    assert all(a["tokens"] < b["tokens"] for a, b in zip(metrics["curve"], metrics["curve"][1:], strict=False))
    assert metrics["settings"]["seed"] == 3
    assert "test, greedy: BLEU" in output
    assert load_checkpoint(tmp_path / "checkpoint").metrics == metrics


def test_two_processes_train_one_model(data: Path, whole: tuple[Path, list[list[Pair]]], tmp_path: Path) -> None:
    """Each takes every other batch, so the steps are half as many and the pieces as many."""
    if not (torch.distributed.is_available() and torch.distributed.is_gloo_available()):
        pytest.skip("this PyTorch has no gloo, over which two processes on a CPU would talk")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    launcher = ("torch.distributed.run", "--nproc-per-node=2", "--master-addr=127.0.0.1", f"--master-port={port}")
    process = start(*launcher, "-m", *command(data, tmp_path, evaluate_every=25))
    try:
        output, errors = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.terminate()
        output, errors = process.communicate()
    assert process.returncode == 0, errors
    metrics, alone = metrics_of(tmp_path), metrics_of(whole[0])
    assert metrics["settings"]["processes"] == 2
    assert abs(metrics["steps"] - alone["steps"] / 2) <= 4
    assert metrics["tokens"] == pytest.approx(alone["tokens"], rel=0.1)
    assert [point["step"] for point in metrics["curve"]] == [*range(25, metrics["steps"], 25), metrics["steps"]]
    assert metrics["curve"][-1]["val_loss"] < metrics["curve"][0]["val_loss"]
    assert output.count('{"step"') == len(metrics["curve"])  # one process speaks
    loaded = load_checkpoint(tmp_path / "checkpoint")
    assert loaded.metrics.keys() == alone.keys()
    assert load_state(tmp_path / STATE)[0].keys() == load_state(whole[0] / STATE)[0].keys()


def test_validation_scores_are_those_of_the_checkpoint(whole: tuple[Path, list[list[Pair]]], data: Path) -> None:
    """The last point of the curve can be had again from the files (but for the rounding to float16)."""
    run, _ = whole
    loaded = load_checkpoint(run / "checkpoint")
    lines = [line.split("\t") for line in (data / "val.tsv").read_text(encoding="utf-8").splitlines()]
    hypotheses = []
    for source, *_ in lines:
        ids = torch.tensor([[*loaded.tokenizer.ids([source])[0], loaded.tokenizer.eos_id]])
        hypotheses.append(loaded.tokenizer.decode(search(loaded.model, ids)[0][0].ids)[0])
    expected = score(hypotheses, [references for _, *references in lines])
    point = metrics_of(run)["curve"][-1]
    assert (point["bleu"], point["chrf"]) == pytest.approx((expected["bleu"], expected["chrf"]), abs=0.01)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("tokenizer.json", None, "tokenizer.json"),
        ("about.json", None, "run python -m model.prepare first"),
        ("train/tiny.tsv", None, "train has no tiny.tsv"),
        ("train/tiny.tsv", "", "tiny.tsv is empty"),
        ("val.tsv", "no tab\n", "Line 1 of val.tsv"),
        ("train/tiny.tsv", "the water " * 40 + "\tl'eau\n", "too few pairs of at most 39 pieces"),
        ("val.tsv", "the water " * 40 + "\tl'eau\n", "too few pairs of at most 39 pieces"),
        ("config.json", '{"n_heads": 3}', "3 heads"),
        ("config.json", "{", "line 1 column 2"),
        ("state.safetensors", "half", "not a training state"),
    ],
)
def test_the_command_says_what_is_wrong(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str | None, said: str
) -> None:
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", command(tmp_path, tmp_path))
    with pytest.raises(SystemExit) as caught:
        main()
    assert str(caught.value).startswith("python -m model.train: ")
    assert said in str(caught.value)


def test_more_processes_than_batches_is_refused(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setattr(torch.distributed, "init_process_group", lambda backend: None)
    with pytest.raises(ValueError, match=r"too few pairs .* for 2 process"):
        new_run(data, tmp_path, batch_tokens=10**6)
