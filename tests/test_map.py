"""The map on the outline of the lessons, without a browser: each block with its numbers and its ways on."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import build, load_checkpoint, save_checkpoint
from tests.oracle import random_model
from tests.test_head_steps import close
from tests.test_matrix_sheet import unpack
from tests.test_worksheet_page import clear
from viz import models
from viz.analysis.architecture import plan, tensors
from viz.examples import EXAMPLES
from viz.formulas import FORMULAS
from viz.lessons import map as blocks
from viz.lessons.registry import SCENES

ROOT = Path(__file__).parent.parent
PAGE = "viz/pages/lessons.py"


@pytest.fixture
def checkpoint(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    clear()
    yield tmp_path / "en-fr" / "transformer"
    clear()


@pytest.fixture
def app(checkpoint: Path) -> AppTest:
    return opened()


def opened(**address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page(PAGE)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def choose(app: AppTest, block: str) -> AppTest:
    """As a click in a browser reports it."""
    app.session_state["architecture.map/0"] = {"block": block}
    app.run()
    assert not app.exception
    return app


def shown(app: AppTest) -> dict[str, np.ndarray]:
    """Every matrix that is drawn, by its name."""
    protos = [element.proto for element in app.get("bidi_component")]
    found: dict[str, np.ndarray] = {}
    for proto in protos:
        if proto.component_name == "matrix_sheet" and proto.bytes:
            header, arrays = unpack(proto.bytes)
            found |= {each["title"]: values for each, values in zip(header["matrices"], arrays, strict=True)}
    return found


@pytest.mark.parametrize(
    "settings", [{}, {"norm": "pre", "activation": "gelu"}, {"positions": "none"}], ids=["the paper's", "pre", "none"]
)
def test_every_block_shows_its_numbers(checkpoint: Path, tiny: Path, settings: dict[str, str]) -> None:
    if settings:
        torch.manual_seed(0)
        loaded = load_checkpoint(tiny).model.config
        size = {"vocab_size": loaded.vocab_size, "d_model": 16, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 2}
        model = build({"kind": "transformer", **size, **settings})
        shutil.rmtree(checkpoint)
        save_checkpoint(checkpoint, model, (tiny / "tokenizer.json").read_text(encoding="utf-8"), {}, "")
        clear()
    app = opened()
    config, translation = models.sizes(), models.translate(EXAMPLES[0])
    for block in plan(config):
        found = shown(choose(app, block.name))
        if block.role in ("source", "shifted", "next"):
            assert not found
            continue
        layer = head = 0
        if block.kind:
            layer = int(str(app.button_group(key="architecture.layer").value))
        if block.kind and "Q" in found:
            head = int(str(app.button_group(key="architecture.head").value))
        expected = tensors(block, blocks.numbers(block, config, translation, layer, head), config.vocab_size)
        assert list(found) == [each.name for each in expected]
        for each in expected:
            np.testing.assert_array_equal(found[each.name], each.values, err_msg=f"{block.name} {each.name}")


def test_another_layer_and_head_bring_their_numbers(app: AppTest) -> None:
    choose(app, "encoderself")
    app.button_group(key="architecture.layer").set_value(0)
    app.button_group(key="architecture.head").set_value(1).run()
    close(shown(app)["A"], models.translate(EXAMPLES[0]).encoder[0, 1])
    app.button_group(key="architecture.layer").set_value(1).run()
    close(shown(app)["A"], models.translate(EXAMPLES[0]).encoder[1, 1])


def test_the_address_has_the_block(app: AppTest) -> None:
    choose(app, "softmax")
    assert app.query_params["architecture_block"] == "softmax"
    assert "Z" in shown(opened(architecture_block="linear"))
    assert "nothing" in opened(architecture_block="nothing").warning[0].value


def test_a_scene_opens_from_its_block(app: AppTest) -> None:
    choose(app, "encoderself")
    app.button(key="architecture.open/heads").click().run()
    assert not app.exception
    assert app.query_params["scene"] == "heads"


def test_links_go_to_the_same_head(app: AppTest) -> None:
    choose(app, "decodermasked")
    app.button_group(key="architecture.layer").set_value(0)
    app.button_group(key="architecture.head").set_value(1).run()
    links = {link.proto.page.split("/")[-1]: link.proto.query_string for link in app.get("page_link")}
    assert "kind=decoder" in links["worksheet"]
    assert "layer=0" in links["worksheet"]
    assert "head=1" in links["worksheet"]
    assert any("head=decoder.1.2" in query for query in links.values())


def test_every_scene_and_equation_that_is_linked_exists() -> None:
    named = {name for names in blocks.SCENES_OF.values() for name in names} | {"encoder", "decoder"}
    assert named <= {scene.name for scene in SCENES}
    variants: tuple[dict[str, Any], ...] = ({}, {"activation": "gelu", "positions": "learned"}, {"norm": "pre"})
    for settings in variants:
        config = random_model(**settings).config
        assert {name for block in plan(config) for name in blocks.formulas(block, config)} <= set(FORMULAS)


def test_sentences_that_are_hard(app: AppTest) -> None:
    for text in ("<b>x</b> $x$ `a` **b** :red[x]", "你好", "a_b </s> |", "?", "the " * 200):
        app.text_input[0].set_value(text).run()
        for name in ("source", "decodercross", "next"):
            choose(app, name)


def test_a_page_that_was_open_before_follows_a_link_to_another_head(app: AppTest) -> None:
    """The first run of `app` was that page."""
    app.query_params["head"] = "encoder.1.2"
    app.switch_page("viz/pages/translate.py").run()
    assert not app.exception
    assert app.query_params["head"] == "encoder.1.2"
    assert any("Encoder self-attention, layer 1, head 2" in caption.value for caption in app.caption)
