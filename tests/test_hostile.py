"""Altered checkpoints: each is what it was, or one sentence says what is wrong with it; little memory, no waiting."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from model import metrics
from model.checkpoint import SUMMED, WEIGHTS, load_checkpoint
from model.checksums import SUMS, checksum, write_checksums
from model.errors import LONGEST, UserError
from tests.hostile import CHANGES, TINY, alterations

SEED, COUNT = 16, 300
SPARED = {"metrics", *(f"{how} {name}" for how in ("bytes of", "cut", "no file") for name in ("metrics.json",))}
"""Changes of what no translation depends on."""
pytestmark = pytest.mark.xdist_group("hostile")


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, str]]:
    """What became of each alteration, in a program of its own, whose memory is bounded."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.hostile", str(SEED), str(COUNT)],
        capture_output=True, text=True, cwd=Path(__file__).parents[1], env=os.environ | {"RUST_BACKTRACE": "0"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    return {row["what"]: row for row in map(json.loads, run.stdout.splitlines())}


@pytest.mark.parametrize(("what", "sums"), [(what, sums) for what, sums, *_ in alterations(SEED, COUNT)])
def test_each_alteration_loads_equal_or_is_said(results: dict[str, dict[str, str]], what: str, sums: str) -> None:
    kind, result = what.split(": ")[1], results[what]["result"]
    if result.startswith("said: "):
        assert kind not in SPARED
        assert "\n" not in result.removesuffix("\n")
        assert len(result) < 3 * LONGEST
    elif sums == "kept" or kind in SPARED:
        assert result == "equal"
    else:  # weights that nobody vouches for may be any
        assert result in ("equal", "other")


def test_most_alterations_are_found(results: dict[str, dict[str, str]]) -> None:
    said = [row for row in results.values() if row["result"].startswith("said")]
    assert len(results) == COUNT
    assert len({row["result"] for row in said}) > 50
    assert {row["what"].split(": ")[1] for row in said} == set(CHANGES) - SPARED


def test_memory_is_bounded(results: dict[str, dict[str, str]]) -> None:
    rows = list(results.values())
    assert int(rows[-1]["most"]) - int(rows[0]["most"]) < 2**18  # KiB: all of them together


@pytest.mark.parametrize("name", SUMMED)
def test_the_file_that_is_another_is_named(tmp_path: Path, name: str) -> None:
    for path in TINY.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    content = (tmp_path / name).read_bytes()
    changed = content[:-2] + bytes([content[-2] ^ 1]) + content[-1:] if name == WEIGHTS else content + b"\n"
    (tmp_path / name).write_bytes(changed)
    with pytest.raises(UserError, match=rf"^{name} in .* is not what was made there.*python -m model\.checkpoint"):
        load_checkpoint(tmp_path)
    write_checksums(tmp_path, SUMMED)
    assert load_checkpoint(tmp_path).made_by.fingerprint != load_checkpoint(TINY).made_by.fingerprint


def test_every_bundled_checkpoint_has_its_checksums() -> None:
    bundled = sorted(Path(__file__).parents[1].glob("checkpoints/*/*/config.json"))
    assert len(bundled) > 1
    for folder in (path.parent for path in bundled):
        lines = [f"{checksum((folder / name).read_bytes())}  {name}" for name in SUMMED]
        assert (folder / SUMS).read_text(encoding="utf-8").splitlines() == lines


def test_checksums_without_one_of_the_files_are_refused(tmp_path: Path) -> None:
    for path in TINY.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (tmp_path / SUMS).read_text().splitlines()
    (tmp_path / SUMS).write_text("\n".join(lines[:2]))
    with pytest.raises(UserError, match=r"SHA256SUMS in .* has no checksum of tokenizer\.json"):
        load_checkpoint(tmp_path)


SHAPES: tuple[Any, ...] = (None, "7", [], {}, -1, [1, 2], {"bleu": 3}, float("nan"), 10**400, [[]])


def test_metrics_of_another_shape_count_as_none() -> None:
    whole = json.loads((TINY / "metrics.json").read_text(encoding="utf-8"))
    assert metrics.fits(whole, metrics.MEASURED)
    assert len(metrics.tested_by_length(whole, "greedy")) == 2
    for shape in SHAPES:
        for changed in ({"test": shape}, {"test": {"greedy": shape}}, {"test": {"greedy": {"by_length": shape}}}):
            assert not metrics.fits(whole | changed, metrics.MEASURED)
            assert metrics.tested_by_length(whole | changed, "greedy") == []
    assert not metrics.fits(whole | {"parameters": "many"}, metrics.MEASURED)
    assert not metrics.fits(whole | {"epochs": float("inf")}, metrics.MEASURED)
    without = [{name: 1 for name in metrics.GROUP if name != "to"}]
    assert metrics.tested_by_length({"test": {"strung": {"by_length": without}}}, "strung") == []
