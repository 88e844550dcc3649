"""Pages over damaged files: metrics of any shape, and a model of another kind, break none of them."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import METRICS, build, load_checkpoint, save_checkpoint
from viz import models
from viz.lessons.registry import SCENES
from viz.lessons.scene import OPEN

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.name for path in (ROOT / "viz" / "pages").glob("[!_]*.py"))
GROUP = {"from": 1, "to": 5, "words": 3, "sentences": 2, "bleu": 9.0, "chrf": 9.0}
SHAPES: dict[str, Any] = {
    "a test that is a list": {"test": [1]},
    "a test that is a word": {"test": "good", "settings": "many"},
    "a quality that is a word": {"test": {"greedy": {"bleu": "9"}, "beam 4": None, "strung": {"by_length": [GROUP]}}},
    "groups without lengths": {"test": {name: {"by_length": [{"bleu": 3}]} for name in ("greedy", "strung")}},
    "groups that are none": {"test": {"greedy": {"by_length": 7}, "strung": [GROUP]}, "settings": [1]},
    "rates of another model": {"alignment": {"pairs": 1, "skipped": 0, "best": {"view": "read", "layer": 9, "head": 9},
                                             "heads": {"predicted": [[0.5]], "read": [[0.5]]},
                                             "layers": {"predicted": [0.5], "read": [0.5]},
                                             "all": {"predicted": 0.5, "read": 0.5}}},
    "rates that are words": {"alignment": {"pairs": "x", "heads": "y"}, "parameters": "many", "epochs": None},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tiny Transformer and two recurrent models, without any pairs."""
    there = tmp_path / "en-fr"
    shutil.copytree(tiny, there / "transformer")
    reads = load_checkpoint(tiny).model.config
    for name, score in (("rnn-dot", "dot"), ("rnn-none", "last")):
        torch.manual_seed(1)
        settings = {"vocab_size": reads.vocab_size, "max_length": reads.max_length, "d_model": 16, "score": score}
        vocabulary = (tiny / "tokenizer.json").read_text(encoding="utf-8")
        save_checkpoint(there / name, build({"kind": "rnn", **settings}), vocabulary, {}, "")
    (there / "gold").mkdir()
    (there / "gold" / "pairs.tsv").write_text("a dog\tun chien\t1-1 2p2\n", encoding="utf-8")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    models.forget()
    yield there
    models.forget()


def opened(page: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    return app.switch_page(f"viz/pages/{page}").run()


@pytest.mark.parametrize("shape", SHAPES)
def test_metrics_of_another_shape_break_no_page(folder: Path, shape: str) -> None:
    for model in ("transformer", "rnn-dot", "rnn-none"):
        (folder / model / METRICS).write_text(json.dumps(SHAPES[shape]), encoding="utf-8")
    app = opened("compare.py")
    for tab in ("Long sentences", "The models"):
        app.session_state["compare.tab/tabs"] = tab
        app.run()
        assert not app.exception, (tab, app.exception)
    assert "\u2013" in app.markdown[-1].value  # not measured
    app = opened("lessons.py")
    app.session_state[OPEN.key] = "all"
    app.run()
    assert not app.exception, app.exception
    assert len(app.subheader) >= len(SCENES)


@pytest.mark.parametrize("page", PAGES)
def test_a_recurrent_model_in_the_transformers_place_is_said(folder: Path, page: str) -> None:
    shutil.rmtree(folder / "transformer")
    (folder / "rnn-dot").rename(folder / "transformer")
    models.forget()
    app = opened(page)
    assert not app.exception
    said = " ".join(each.value for each in (*app.error, *app.warning))
    assert page == "live.py" or "needs a Transformer" in said  # the live page has models of its own


def test_pairs_that_are_a_pipe_are_said(folder: Path) -> None:
    (folder / "gold" / "pairs.tsv").unlink()
    os.mkfifo(folder / "gold" / "pairs.tsv")
    app = opened("compare.py")
    assert not app.exception
    assert "pairs" in app.error[0].value


def test_pairs_that_are_no_text_name_their_file(folder: Path) -> None:
    (folder / "gold" / "pairs.tsv").write_bytes(b"a dog\tun chien\xff\t1-1\n")
    app = opened("compare.py")
    assert not app.exception
    assert r"pairs\.tsv" in app.error[0].value
