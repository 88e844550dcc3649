"""The alignment pair's message to the browser: exact numbers, honest labels, and what it refuses."""

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
from viz.components import alignment_pair as component
from viz.components.alignment_pair import STATE_LEVELS, Map, Play, pack
from viz.i18n import words_under

TEXTS = words_under("pair")
Floats = npt.NDArray[np.float32]


def weights(rows: int, columns: int, seed: int = 0) -> Floats:
    own: Floats = softmax_weights((1, 1, rows, columns), seed=seed)[0, 0]
    return own


def alignment(labels: list[str], columns: int, **changes: Any) -> Map:
    values: dict[str, Any] = {
        "title": "RNN",
        "note": "One layer, one head.",
        "weights": weights(len(labels), columns),
        "queries": labels,
        "steps": range(len(labels)),
    }
    return Map(**(values | changes))


def playing(target: list[str], source: list[str], *, width: int = 16, **changes: Any) -> Play:
    random = np.random.default_rng(1)
    alpha = weights(len(target), len(source), seed=2)
    states = np.tanh(random.normal(size=(len(source), width))).astype(np.float32)
    options = [[(piece, 0.75, True), ("other", 0.1, False)] for piece in target]
    values: dict[str, Any] = {
        "name": "RNN",
        "source": source,
        "read": ["<s>", *target[:-1]],
        "predicted": target,
        "scores": random.normal(size=alpha.shape).astype(np.float32) * 5,
        "weights": alpha,
        "states": states,
        "contexts": alpha @ states,
        "options": (options, options),
    }
    return Play(**(values | changes))


def message(target: list[str], source: list[str], play: Play | None = None, **changes: Any) -> tuple[bytes, int]:
    values: dict[str, Any] = {
        "left": alignment(target, len(source)),
        "right": alignment(target, len(source), title="Transformer", weights=weights(len(target), len(source), seed=1)),
        "keys": source,
        "difference": True,
        "agree": [True] * len(target),
        "query_word": "target word",
        "key_word": "source word",
        "play": play,
        "texts": TEXTS,
    }
    return pack(**(values | changes))


def unpack(sent: bytes) -> tuple[dict[str, Any], list[Floats], npt.NDArray[np.int8]]:
    """What unpack.js does: the header, the float arrays in their order, and the states."""
    size = int.from_bytes(sent[:4], "little")
    header = json.loads(sent[4 : 4 + size])
    body = zlib.decompress(sent[4 + size :]) if header["deflated"] else sent[4 + size :]
    shapes = [(len(each["queries"]), len(header["keys"])) for each in header["maps"]]
    states = 0
    if play := header["play"]:
        steps, length = len(play["predicted"]), len(play["source"])
        shapes += [(steps, length)] * 2 * play["attention"] + [(steps, play["width"])]
        states = length * play["width"] * play["attention"]
    arrays, offset = [], 0
    for shape in shapes:
        count = shape[0] * shape[1]
        arrays.append(np.frombuffer(body, "<f4", count, offset).reshape(shape))
        offset += 4 * count
    assert offset + states == len(body)
    return header, arrays, np.frombuffer(body, np.int8, states, offset)


def words(name: str, count: int) -> list[str]:
    return [f"{name}{number}" for number in range(count - 1)] + ["</s>"]


@pytest.mark.parametrize(("target", "source"), [(1, 1), (3, 2), (30, 27), (100, 128)])
def test_round_trip_is_exact_but_for_the_states(target: int, source: int) -> None:
    goal, start = words("t", target), words("s", source)
    play = playing(goal, start)
    gold = [(0, source - 1, True), (target - 1, 0, False)]
    left = alignment(goal, source, gold=gold)
    header, arrays, states = unpack(message(goal, start, play, left=left)[0])
    expected = [left.weights, weights(target, source, seed=1), play.scores, play.weights, play.contexts]
    for sent, decoded in zip(expected, arrays, strict=True):
        np.testing.assert_array_equal(sent, decoded)
    decoded_states = states.reshape(source, -1) / STATE_LEVELS * header["play"]["largest"]
    assert np.abs(decoded_states - play.states).max() <= 0.004 * np.abs(play.states).max()
    assert [tuple(cell) for cell in header["maps"][0]["gold"]] == gold
    assert header["maps"][0]["steps"] == list(range(target))
    assert header["agree"] == [True] * target
    assert (header["play"]["read"], header["play"]["predicted"]) == (["<s>", *goal[:-1]], goal)
    assert header["play"]["options"][0][0] == [[goal[0], 0.75, True], ["other", 0.1, False]]


def test_without_attention_only_contexts_are_sent() -> None:
    goal, start = words("t", 4), words("s", 3)
    play = playing(goal, start, scores=None, weights=None)
    header, arrays, states = unpack(message(goal, start, play)[0])
    assert header["play"]["attention"] is False
    np.testing.assert_array_equal(arrays[-1], play.contexts)
    assert (len(arrays), states.size) == (3, 0)


def test_without_a_play_and_with_other_rows_on_the_right() -> None:
    goal, start = words("t", 4), words("s", 3)
    right = alignment(["x", "y"], 3)
    header, arrays, _ = unpack(message(goal, start, right=right, difference=False, agree=None)[0])
    assert (header["play"], header["agree"], header["common"]) == (None, None, False)
    assert [array.shape for array in arrays] == [(4, 3), (2, 3)]


def test_a_right_model_that_translates_something_else_has_no_options() -> None:
    goal, start = words("t", 4), words("s", 3)
    own = playing(goal, start).options[0]
    header, _, _ = unpack(message(goal, start, playing(goal, start, options=(own, None)))[0])
    assert header["play"]["options"][1] is None


def test_states_of_zero_are_no_division_by_zero() -> None:
    goal, start = words("t", 2), words("s", 2)
    play = playing(goal, start, states=np.zeros((2, 4), np.float32), contexts=np.zeros((2, 4), np.float32))
    _, _, states = unpack(message(goal, start, play)[0])
    assert not states.any()


def test_hostile_labels_arrive_unchanged() -> None:
    header, _, _ = unpack(message(HOSTILE, HOSTILE, playing(HOSTILE, HOSTILE))[0])
    assert header["keys"] == header["maps"][1]["queries"] == header["play"]["source"] == HOSTILE


def test_the_stamp_knows_labels_numbers_and_words() -> None:
    goal, start = words("t", 3), words("s", 3)
    stamps = [
        message(goal, start)[1],
        message(words("u", 3), start)[1],
        message(goal, start, left=alignment(goal, 3, weights=weights(3, 3, seed=5)))[1],
        message(goal, start, playing(goal, start))[1],
        message(goal, start, difference=False)[1],
        message(goal, start, texts={})[1],
    ]
    assert len(set(stamps)) == len(stamps)
    header, _, _ = unpack(message(goal, start)[0])
    assert (header["stamp"], header["texts"]) == (stamps[0], TEXTS)


@pytest.mark.parametrize(("pieces", "limit"), [(30, 80_000), (128, 550_000)])
def test_message_sizes(pieces: int, limit: int) -> None:
    goal, start = words("target", pieces), words("source", pieces)
    options = [[(f"piece{n}", 0.123456, n == 0) for n in range(6)]] * pieces
    play = playing(goal, start, width=256, options=(options, options))
    assert len(message(goal, start, play)[0]) <= limit


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": np.ones((2, 3, 1), np.float32)},
        {"weights": np.full((2, 3), 1.5, np.float32)},
        {"weights": np.full((2, 3), -0.1, np.float32)},
        {"weights": np.full((2, 3), np.nan, np.float32)},
        {"queries": ["a"]},
        {"steps": [0]},
        {"steps": [1, 1]},
        {"steps": [1, 0]},
        {"steps": [-1, 0]},
        {"gold": [(2, 0, True)]},
        {"gold": [(0, -1, True)]},
    ],
)
def test_an_impossible_map_is_a_programmers_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        alignment(["a", "b"], 3, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"predicted": []},
        {"read": ["<s>"]},
        {"scores": None},
        {"scores": np.full((2, 3), np.inf, np.float32)},
        {"weights": np.full((2, 3), 2, np.float32)},
        {"weights": np.ones((3, 2), np.float32)},
        {"states": np.ones((2, 16), np.float32)},
        {"states": np.full((3, 16), np.nan, np.float32)},
        {"contexts": np.ones((2, 15), np.float32)},
        {"options": ([], None)},
    ],
)
def test_an_impossible_play_is_a_programmers_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        playing(["a", "b"], ["x", "y", "z"], **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"right": alignment(["a", "c"], 3)},
        {"right": alignment(["a", "c"], 3), "difference": False},
        {"agree": [True]},
        {"keys": ["x", "y"]},
        {"left": alignment(["a", "b"], 3, steps=[0, 2])},
    ],
)
def test_maps_that_do_not_fit_together_are_refused(changes: dict[str, Any]) -> None:
    source = ["x", "y", "z"]
    with pytest.raises(AssertionError):
        message(["a", "b"], source, playing(["a", "b"], source), **changes)


def test_no_words_outside_the_catalogue() -> None:
    html = (Path(component.__file__).parent / "pair.html").read_text(encoding="utf-8")
    assert not re.sub(r"<[^>]*>", "", html).strip()


def _page() -> None:
    import numpy as np
    import streamlit as st

    from viz.components.alignment_pair import Map, alignment_pair

    only = Map(title="t", note="", weights=np.full((2, 2), 0.5, np.float32), queries=["a", "b"], steps=[0, 1])
    st.session_state["shown"] = alignment_pair(
        only,
        only,
        ["x", "y"],
        difference=True,
        agree=None,
        query_word="q",
        key_word="k",
        play=None,
        texts={},
        key="pair",
    )


def test_component_in_an_app() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    shown = app.session_state["shown"]
    assert (shown.drawn, shown.scheme) == (False, None)
    header, _, _ = unpack(app.get("bidi_component")[0].proto.bytes)
    assert (header["id"], header["keys"]) == ("pair", ["x", "y"])
    app.session_state["pair"] = {"drawn": [header["stamp"], "dark"]}
    shown = app.run().session_state["shown"]
    assert (shown.drawn, shown.scheme) == (True, "dark")
    app.session_state["pair"] = {"drawn": [header["stamp"] + 1, "purple"]}
    shown = app.run().session_state["shown"]
    assert (shown.drawn, shown.scheme) == (False, None)
