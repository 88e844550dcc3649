"""The player's message to the browser: weights to the stated precision, honest labels, and which wishes are heard."""

import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from streamlit.testing.v1 import AppTest

from tests.test_attention_grid import HOSTILE, softmax_weights
from viz.components import player as component
from viz.components.player import AVERAGE, Branch, Force, Look, Option, PlayedTranslation, Tree, asked, looked, pack
from viz.i18n import words_under

TEXTS = words_under("player")


def playing(
    target: list[str], source: list[str], *, layers: int = 4, heads: int = 8, **changes: Any
) -> PlayedTranslation:
    steps = len(target)
    values: dict[str, Any] = {
        "source": source,
        "read": ["<s>", *target[:-1]],
        "predicted": target,
        "decoder": softmax_weights((layers, heads, steps, steps), causal=True, seed=1),
        "cross": softmax_weights((layers, heads, steps, len(source)), seed=2),
        "options": [[Option(piece, 7, 0.75, True), Option("other", 8, 0.1, False)] for piece in target],
    }
    return PlayedTranslation(**(values | changes))


def pieces(name: str, count: int) -> list[str]:
    return [f"{name}{number}" for number in range(count - 1)] + ["</s>"]


def beam(width: int, steps: int) -> Tree:
    """As a search has it: 2K candidates a step, of which K go on."""
    branches: list[Branch] = []
    before = [-1] * width
    for step in range(steps):
        first = len(branches)
        for rank in range(2 * width):
            fate = "alive" if rank < width else "dropped"
            branches.append(Branch(before[rank % width], "\u2423piece", -0.123456, -step - rank / 7, fate))  # type: ignore[arg-type]
        before = list(range(first, first + width))
    return Tree(branches=branches, best=[2 * width * step for step in range(steps)], beam=width)


def unpack(message: bytes) -> tuple[dict[str, Any], list[npt.NDArray[np.float64]]]:
    """What views.js does: the header, and the weights of both kinds of attention."""
    size = int.from_bytes(message[:4], "little")
    header = json.loads(message[4 : 4 + size])
    body = zlib.decompress(message[4 + size :]) if header["deflated"] else message[4 + size :]
    levels = np.frombuffer(body, np.uint8)
    layers, heads, steps, length = (
        header["layers"], header["heads"], len(header["predicted"]), len(header["source"])
    )  # fmt: skip
    decoder = np.zeros((layers, heads, steps, steps))
    seen = np.tri(steps, dtype=np.bool_)
    count = layers * heads * int(seen.sum())
    decoder[..., seen] = levels[:count].reshape(layers, heads, -1)
    cross = levels[count:].reshape(layers, heads, steps, length)
    return header, [(each / header["levels"]) ** 2 for each in (decoder, cross)]


@pytest.mark.parametrize(("target", "source"), [(1, 1), (1, 9), (30, 27), (100, 128)])
def test_round_trip_keeps_weights_to_the_stated_precision(target: int, source: int) -> None:
    play = playing(pieces("t", target), pieces("s", source))
    header, weights = unpack(pack(play, TEXTS)[0])
    for sent, decoded in zip((play.decoder, play.cross), weights, strict=True):
        error = np.abs(decoded - sent)
        assert error.max() <= 0.005
        assert error[sent <= 0.01].max(initial=0) <= 0.0005
    assert (header["read"], header["predicted"], header["source"]) == (play.read, play.predicted, play.source)
    assert header["options"][0][0] == [play.predicted[0], 7, 0.75, True]
    assert (header["start"], header["tree"], header["forced"], header["changed"]) == (None, None, [], [])


def test_the_tree_and_the_marks_arrive() -> None:
    tree = beam(2, 3)
    play = playing(pieces("t", 3), pieces("s", 2), tree=tree, forced=[1], changed=[2], start=1)
    header, _ = unpack(pack(play, TEXTS)[0])
    assert (header["forced"], header["changed"], header["start"]) == ([1], [2], 1)
    assert (header["tree"]["beam"], header["tree"]["best"]) == (2, [0, 4, 8])
    assert header["tree"]["branches"][5] == [1, "\u2423piece", -0.1235, -1.1429, "alive"]
    assert len(header["tree"]["branches"]) == 12


def test_hostile_labels_arrive_unchanged() -> None:
    branches = [Branch(i - 1, label, -1.0, -2.0, "alive") for i, label in enumerate(HOSTILE)]
    tree = Tree(branches=branches, best=range(len(HOSTILE)), beam=2)
    header, _ = unpack(pack(playing(HOSTILE, HOSTILE, layers=1, heads=1, tree=tree), TEXTS)[0])
    assert header["source"] == header["predicted"] == HOSTILE
    assert [options[0][0] for options in header["options"]] == HOSTILE
    assert [branch[1] for branch in header["tree"]["branches"]] == HOSTILE


@pytest.mark.parametrize(("count", "limit"), [(12, 25_000), (30, 85_000), (128, 800_000)])
def test_message_sizes(count: int, limit: int) -> None:
    """With the tree of a beam of 8 and six options a step; made-up weights are harder to deflate than real ones."""
    options = [[Option("\u2423piece", 4000 + n, 0.123456, n == 0) for n in range(6)]] * count
    play = playing(pieces("target", count), pieces("source", count), options=options, tree=beam(8, count))
    message, _ = pack(play, TEXTS)
    assert len(message) <= limit


def test_the_stamp_knows_labels_weights_marks_and_words() -> None:
    target, source = pieces("t", 3), pieces("s", 3)
    play = playing(target, source)
    stamps = [
        pack(play, TEXTS)[1],
        pack(playing(pieces("u", 3), source), TEXTS)[1],
        pack(playing(target, source, cross=softmax_weights((4, 8, 3, 3), seed=9)), TEXTS)[1],
        pack(playing(target, source, forced=[1]), TEXTS)[1],
        pack(playing(target, source, tree=beam(2, 3)), TEXTS)[1],
        pack(play, {})[1],
        pack(play, TEXTS, name="other")[1],
    ]
    assert len(set(stamps)) == len(stamps)
    assert unpack(pack(play, TEXTS)[0])[0]["stamp"] == stamps[0]


def test_a_wish_is_heard_when_it_is_about_what_was_sent() -> None:
    options = [[Option("a", 7, 0.6, True), Option("b", 8, 0.3, False), Option("<s>", None, 0.1, False)]] * 2
    play = playing(["a", "</s>"], ["x"], options=options)
    assert asked({"step": 1, "id": 8, "stamp": 5}, play, 5) == Force(step=1, id=8)
    wrong: list[Any] = [
        None,
        "x",
        [],
        {},
        {"step": 1, "id": 8, "stamp": 6},
        {"step": 1, "id": 8},
        {"step": 2, "id": 8, "stamp": 5},
        {"step": -1, "id": 8, "stamp": 5},
        {"step": 1, "id": 9, "stamp": 5},
        {"step": 1, "id": None, "stamp": 5},
        {"step": True, "id": 8, "stamp": 5},
        {"step": 0.0, "id": 8, "stamp": 5},
        {"step": 1, "id": "8", "stamp": 5},
    ]
    for each in wrong:
        assert asked(each, play, 5) is None, each


def test_a_look_is_heard_when_it_is_about_what_was_sent() -> None:
    play = playing(["a", "</s>"], ["x"], layers=3, heads=2)
    assert looked([5, 1, 2, AVERAGE, 0.5], play, 5) == Look(step=1, layer=2, head=AVERAGE, speed=0.5)
    assert looked([5, 0, 0, 1, 4], play, 5) == Look(step=0, layer=0, head=1, speed=4)
    wrong: list[Any] = [None, "x", [], {}, [6, 1, 2, 0, 1], [5, 2, 0, 0, 1], [5, 0, 3, 0, 1], [5, 0, 0, 2, 1]]
    wrong += [[5, 0, 0, -2, 1], [5, 0, 0, 0, 3], [5, -1, 0, 0, 1], [5, True, 0, 0, 1], [5, 0, 0, None, 1]]
    for each in wrong:
        assert looked(each, play, 5) is None, each


@pytest.mark.parametrize(
    "changes",
    [
        {"predicted": []},
        {"source": []},
        {"read": ["<s>"]},
        {"options": []},
        {"decoder": softmax_weights((4, 8, 2, 3))},
        {"decoder": softmax_weights((4, 8, 2, 2))},
        {"cross": softmax_weights((4, 7, 2, 3))},
        {"cross": np.full((4, 8, 2, 3), np.nan, np.float32)},
        {"cross": np.full((4, 8, 2, 3), 1.5, np.float32)},
        {"forced": [2]},
        {"changed": [-1]},
        {"start": 2},
        {"tree": beam(2, 3)},
    ],
)
def test_an_impossible_play_is_a_programmers_mistake(changes: dict[str, Any]) -> None:
    good = vars(playing(["a", "</s>"], ["x", "y", "z"]))
    with pytest.raises(AssertionError):
        PlayedTranslation(**(good | changes))


@pytest.mark.parametrize(
    ("branches", "best"),
    [([Branch(0, "a", 0, 0, "alive")], [0]), ([Branch(-2, "a", 0, 0, "alive")], [0]), ([], [0])],
)
def test_an_impossible_tree_is_a_programmers_mistake(branches: list[Branch], best: list[int]) -> None:
    with pytest.raises(AssertionError):
        Tree(branches=branches, best=best, beam=2)


def test_no_words_outside_the_catalogue() -> None:
    html = (Path(component.__file__).parent / "player.html").read_text(encoding="utf-8")
    assert not re.sub(r"<[^>]*>", "", html).strip()


def _page() -> None:
    import numpy as np
    import streamlit as st

    from viz.components.player import Option, PlayedTranslation, player

    one = np.ones((1, 1, 1, 1), np.float32)
    options = [[Option("</s>", 2, 0.9, True), Option("a", 3, 0.1, False)]]
    only = PlayedTranslation(source=["x"], read=["<s>"], predicted=["</s>"], decoder=one, cross=one, options=options)
    st.session_state["asked"] = player(only, texts={}, key="player").asked


def test_component_in_an_app() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert app.session_state["asked"] is None
    header, _ = unpack(app.get("bidi_component")[0].proto.bytes)
    assert header["id"] == "player"
    app.session_state["player"] = {"force": {"step": 0, "id": 3, "stamp": header["stamp"]}}
    assert app.run().session_state["asked"] == Force(step=0, id=3)
    app.session_state["player"] = {"force": {"step": 0, "id": 3, "stamp": header["stamp"] + 1}}
    assert app.run().session_state["asked"] is None
