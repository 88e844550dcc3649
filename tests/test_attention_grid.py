"""The attention grid's message to the browser, and who decides which head is shown."""

import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from streamlit.testing.v1 import AppTest

from viz.components.attention_grid import Choice, Mark, Panel, pack, valid_choice
from viz.i18n import words_under

TEXTS = words_under("grid")
HOSTILE = [
    "<b>x</b>",
    "$x$",
    "</s>",
    "",
    " ",
    "\x00",
    "␀",
    '"',
    "\\",
    "\u2028",
    "العربية",
    "👩‍🔬",
    "日本語",
    "a" * 500,
    "\ud800",
]
FIRST: Choice = ("encoder", 0, 0)


def softmax_weights(
    shape: tuple[int, int, int, int], *, causal: bool = False, seed: int = 0
) -> npt.NDArray[np.float32]:
    """Heads of different sharpness, from nearly uniform to nearly one key."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=shape) * random.uniform(1, 5, size=(*shape[:2], 1, 1))
    if causal:
        scores = np.where(np.tri(*shape[2:], dtype=np.bool_), scores, -np.inf)
    odds = np.exp(scores - scores.max(-1, keepdims=True))
    return (odds / odds.sum(-1, keepdims=True)).astype(np.float32)


def panel(
    kind: str, queries: list[str], keys: list[str], *, causal: bool = False, layers: int = 4, heads: int = 8
) -> Panel:
    return Panel(
        kind=kind,
        title=kind.title(),
        weights=softmax_weights((layers, heads, len(queries), len(keys)), causal=causal),
        queries=queries,
        keys=keys,
        query_word="query piece",
        key_word="key piece",
        reach=range(1, len(queries) + 1) if causal else None,
        hidden="Hatched: later pieces." if causal else "",
    )


def three_panels(source: int, target: int) -> list[Panel]:
    sources, targets = [f"▁source{i}" for i in range(source)], [f"▁target{i}" for i in range(target)]
    return [
        panel("encoder", sources, sources),
        panel("decoder", targets, targets, causal=True),
        panel("cross", targets, sources),
    ]


def message_of(panels: list[Panel], choice: Choice = FIRST) -> bytes:
    return pack(panels, TEXTS, choice)[0]


def unpack(message: bytes) -> tuple[dict[str, Any], list[npt.NDArray[np.float64]]]:
    """What panels.js does: header and weights of each panel."""
    size = int.from_bytes(message[:4], "little")
    header = json.loads(message[4 : 4 + size])
    body = message[4 + size :]
    levels = np.frombuffer(zlib.decompress(body) if header["deflated"] else body, np.uint8)
    weights, offset = [], 0
    for meta in header["panels"]:
        queries, keys = len(meta["queries"]), len(meta["keys"])
        dense = np.zeros((meta["layers"] * meta["heads"], queries, keys))
        reach = meta["reach"] or [keys] * queries
        sent = np.arange(keys) < np.array(reach)[:, None]
        count = len(dense) * int(sent.sum())
        dense[:, sent] = levels[offset : offset + count].reshape(len(dense), -1)
        offset += count
        weights.append((dense.reshape(meta["layers"], meta["heads"], queries, keys) / header["levels"]) ** 2)
    assert offset == len(levels)
    return header, weights


@pytest.mark.parametrize(("source", "target"), [(1, 1), (1, 9), (30, 27), (27, 30), (128, 100)])
def test_round_trip_keeps_weights_to_the_stated_precision(source: int, target: int) -> None:
    panels = three_panels(source, target)
    header, weights = unpack(message_of(panels, ("cross", 2, 3)))
    assert header["choice"] == ["cross", 2, 3]
    for sent, decoded in zip(panels, weights, strict=True):
        error = np.abs(decoded - sent.weights)
        assert error.max() <= 0.005
        assert error[sent.weights <= 0.01].max(initial=0) <= 0.0005


def test_masked_cells_are_not_sent_and_stay_zero() -> None:
    message = message_of([panel("decoder", ["a", "b", "c"], ["a", "b", "c"], causal=True, layers=1, heads=1)])
    _, (weights,) = unpack(message)
    assert not weights[..., ~np.tri(3, dtype=np.bool_)].any()
    np.testing.assert_allclose(weights[0, 0, 0], [1, 0, 0])


def test_a_weight_beyond_its_querys_reach_is_a_programmers_mistake() -> None:
    looks_ahead = panel("decoder", ["a", "b"], ["a", "b"])
    wrong = Panel(**{**vars(looks_ahead), "reach": (1, 2)})
    with pytest.raises(AssertionError, match="reach"):
        message_of([wrong])


@pytest.mark.parametrize(("pieces", "limit"), [(30, 100_000), (128, 800_000)])
def test_message_sizes(pieces: int, limit: int) -> None:
    assert len(message_of(three_panels(pieces, pieces))) <= limit


def test_small_weights_that_do_not_compress_are_sent_as_they_are() -> None:
    header, _ = unpack(message_of([panel("encoder", ["a"], ["a"], layers=1, heads=1)]))
    assert header["deflated"] is False


def test_hostile_labels_arrive_unchanged() -> None:
    header, _ = unpack(message_of([panel("encoder", HOSTILE, HOSTILE)]))
    assert header["panels"][0]["queries"] == HOSTILE
    assert header["panels"][0]["keys"] == HOSTILE


def test_marks_arrive_with_one_note_for_each_habit() -> None:
    bare = panel("encoder", ["a", "b"], ["a", "b"], layers=1, heads=4)
    back = Mark(label="prev", note="Looks back.", entropy=0.256)
    wide = Mark(label="", note="Looks everywhere.", entropy=1.0)
    (sent,) = unpack(message_of([Panel(**{**vars(bare), "marks": [[back, wide, back, None]]})]))[0]["panels"]
    assert sent["marks"] == [[["prev", 0, 0.26], ["", 1, 1.0], ["prev", 0, 0.26], None]]
    assert sent["notes"] == [back.note, wide.note]
    with pytest.raises(AssertionError, match=r"\[layer\]\[head\]"):
        Panel(**{**vars(bare), "marks": [[back]]})


@pytest.mark.parametrize(
    "value",
    [
        None,
        "cross",
        [],
        ["cross", 0],
        ["other", 0, 0],
        ["cross", 4, 0],
        ["cross", 0, 8],
        ["cross", -1, 0],
        ["cross", True, 0],
    ],
)
def test_foreign_choices_are_refused(value: object) -> None:
    assert valid_choice(value, three_panels(3, 3)) is None


def _page() -> None:
    import numpy as np
    import streamlit as st

    from viz.components.attention_grid import Panel, attention_grid

    weights = np.full((2, 2, 2, 2), 0.5, np.float32)
    words = {"queries": ["a", "b"], "keys": ["a", "b"], "query_word": "query", "key_word": "key"}
    only = Panel(kind="encoder", title="Encoder", weights=weights, **words)  # type: ignore[arg-type]
    shown = attention_grid([only], texts={}, choice=("encoder", 9, 9), key="grid")
    st.session_state["shown"], st.session_state["drawn"] = shown.choice, shown.drawn


def test_component_in_an_app() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert app.session_state["shown"] == FIRST  # layer 9 does not exist
    header, _ = unpack(app.get("bidi_component")[0].proto.bytes)
    assert header["panels"][0]["queries"] == ["a", "b"]
    assert app.session_state["drawn"] is False
    app.session_state["grid"] = {"drawn": [header["stamp"], "dark"]}
    assert app.run().session_state["drawn"] is True
    app.session_state["grid"] = {"choice": ["encoder", 1, 1]}
    assert app.run().session_state["shown"] == ("encoder", 1, 1)
    app.session_state["grid"] = {"choice": ["encoder", 1, 5]}
    assert app.run().session_state["shown"] == FIRST
