"""The architecture map's message to the browser, what it refuses, and which choices are heard."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.config import TransformerConfig
from tests.test_attention_grid import HOSTILE
from viz.analysis.architecture import plan
from viz.components import architecture_map as component
from viz.components.architecture_map import Box, payload
from viz.i18n import words_under

FOLDER = Path(component.__file__).parent
TEXTS = words_under("map")
BLOCKS = plan(TransformerConfig(vocab_size=9))


def boxes(detail: str = "") -> list[Box]:
    return [
        Box(block=block, label=block.role, detail=detail, title=block.name, says=f"about {block.name}")
        for block in BLOCKS
    ]


def sent(given: list[Box]) -> dict[str, Any]:
    data = payload(given, stacks={"encoder": ("E", "4 ×"), "decoder": ("D", "3 ×")}, texts=TEXTS, chosen="linear")
    found: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    return found


def test_boxes_arrive_in_order_with_their_words() -> None:
    data = sent(boxes("8 × 32"))
    assert [box["name"] for box in data["boxes"]] == [block.name for block in BLOCKS]
    assert [box["says"] for box in data["boxes"]] == [f"about {block.name}" for block in BLOCKS]
    assert {box["detail"] for box in data["boxes"]} == {"8 × 32"}
    assert (data["chosen"], data["stacks"]["decoder"]) == ("linear", ["D", "3 ×"])


def test_only_cross_attention_has_arrows_from_the_other_stack() -> None:
    found = {box["name"]: box for box in sent(boxes())["boxes"]}
    assert {name for name, box in found.items() if box["across"]} == {"decodercross"}
    assert (found["decodercross"]["below"], found["decodercross"]["across"]) == (["Q"], ["K", "V"])
    assert found["encoderself"]["below"] == found["decodermasked"]["below"] == ["Q", "K", "V"]
    assert {name for name, box in found.items() if box["beside"]} == {"encoderposition", "decoderposition"}
    assert {name for name, box in found.items() if box["skips"]} == {name for name in found if name.endswith("addnorm")}


def test_equal_work_has_equal_colours() -> None:
    found = {box["name"]: box["colour"] for box in sent(boxes())["boxes"]}
    assert found["encoderself"] == found["decodermasked"] == found["decodercross"] != found["encoderfeed"]
    assert found["source"] is found["next"] is None
    palettes = sent(boxes())["colours"]
    assert all(colour < len(palettes[scheme]) for colour in found.values() if colour for scheme in ("light", "dark"))


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_arrive_unchanged(label: str) -> None:
    given = [Box(block=block, label=label, detail=label, title=label, says=label) for block in BLOCKS]
    found = [[box[name] for name in ("label", "detail", "title", "says")] for box in sent(given)["boxes"]]
    assert found == [[label] * 4] * len(BLOCKS)


def test_no_words_outside_the_catalogue() -> None:
    assert not re.sub(r"<[^>]*>", "", (FOLDER / "map.html").read_text(encoding="utf-8")).strip()


def _page() -> None:
    import streamlit as st

    from model.config import TransformerConfig
    from viz.analysis.architecture import Stack, plan
    from viz.components.architecture_map import Box, architecture_map

    found = [Box(block=block, label="x", title="x", says="x") for block in plan(TransformerConfig(vocab_size=9))]
    stacks: dict[Stack, tuple[str, str]] = {"encoder": ("E", "1 ×"), "decoder": ("D", "1 ×")}
    chosen = st.session_state.get("start", "linear")
    st.session_state["found"] = architecture_map(found, stacks=stacks, texts={}, chosen=chosen, key="map")


@pytest.mark.parametrize(
    ("told", "heard"),
    [("source", "source"), ("nothing", "linear"), (7, "linear"), (None, "linear"), (["source"], "linear")],
)
def test_a_choice_is_heard_when_there_is_such_a_block(told: Any, heard: str) -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert app.session_state["found"] == "linear"
    app.session_state["map"] = {"block": told}
    assert app.run().session_state["found"] == heard


def test_a_start_that_is_no_block_is_a_programmers_mistake() -> None:
    with pytest.raises(AssertionError, match="a block of the map"):
        component.architecture_map([], stacks={}, texts={}, chosen="no such block", key="map")
