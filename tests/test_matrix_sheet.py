"""The matrix sheet's message to the browser: exact numbers, honest labels, and what it refuses."""

import json
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from streamlit.testing.v1 import AppTest

from tests.test_attention_grid import HOSTILE
from viz.components import FILES
from viz.components import matrix_sheet as component
from viz.components.matrix_sheet import Axis, Matrix, pack
from viz.i18n import words_under

TEXTS = words_under("sheet")
FOLDER = Path(component.__file__).parent
Floats = npt.NDArray[np.float32]


def axis(name: str, count: int, labels: list[str] | None = None) -> Axis:
    return Axis(names=(name,), word=f"the {name}", count=count, labels=tuple(labels) if labels else None)


def matrix(height: int = 3, width: int = 4, **changes: Any) -> Matrix:
    values: dict[str, Any] = {
        "title": "W_Q",
        "rows": axis("query", height),
        "columns": axis("head", width),
        "values": np.random.default_rng(height).normal(size=(height, width)).astype(np.float32),
        "limit": 9.0,
    }
    return Matrix(**(values | changes))


def unpack(sent: bytes) -> tuple[dict[str, Any], list[Floats]]:
    """What levels.js does: the header, and the values of each matrix."""
    size = int.from_bytes(sent[:4], "little")
    header = json.loads(sent[4 : 4 + size])
    body = zlib.decompress(sent[4 + size :]) if header["deflated"] else sent[4 + size :]
    arrays, offset = [], 0
    for each in header["matrices"]:
        shape = header["axes"][each["rows"]]["count"], header["axes"][each["columns"]]["count"]
        arrays.append(np.frombuffer(body, "<f4", shape[0] * shape[1], offset).reshape(shape))
        offset += arrays[-1].nbytes
    assert offset == len(body)
    return header, arrays


def sent(*matrices: Matrix, **changes: Any) -> tuple[dict[str, Any], list[Floats]]:
    return unpack(pack(matrices, **{"sheet": "test", "texts": TEXTS, **changes}))


@pytest.mark.parametrize("rows", [1, 3, 128])
def test_numbers_arrive_exactly_minus_infinity_too(rows: int) -> None:
    weights = np.tril(np.full((rows, rows), 0.5, np.float32))
    masked = np.where(weights > 0, 1 / 3, -np.inf).astype(np.float32)
    given = [
        matrix(rows, 256),
        matrix(rows, rows, values=weights, limit=1, signed=False),
        matrix(rows, rows, values=masked, sign="→"),
    ]
    header, found = sent(*given)
    assert header["deflated"] is (rows == 128)
    for array, each in zip(found, given, strict=True):
        np.testing.assert_array_equal(array, each.values)
    assert [each["sign"] for each in header["matrices"]] == ["", "", "→"]


def test_an_axis_of_several_matrices_is_sent_once() -> None:
    query, head = axis("query", 2, ["a", "b"]), axis("head", 5)
    header, _ = sent(
        matrix(2, 5, rows=query, columns=head), matrix(5, 2, rows=head, columns=query), matrix(2, 5, rows=query)
    )
    assert [each["names"] for each in header["axes"]] == [["query"], ["head"]]
    assert [(each["rows"], each["columns"]) for each in header["matrices"]] == [(0, 1), (1, 0), (0, 1)]


def test_hostile_labels_arrive_unchanged() -> None:
    header, _ = sent(matrix(len(HOSTILE), 2, rows=axis("query", len(HOSTILE), HOSTILE)))
    assert header["axes"][0]["labels"] == HOSTILE


def test_what_is_chosen_is_told_or_left_alone() -> None:
    assert sent(matrix())[0]["chosen"] is None
    assert sent(matrix(), chosen={"query": 2, "key": 0})[0]["chosen"] == {"query": 2, "key": 0}


@pytest.mark.parametrize(
    "changes",
    [
        {"values": np.zeros((4, 3), np.float32)},
        {"values": np.full((3, 4), np.nan, np.float32)},
        {"values": np.full((3, 4), np.inf, np.float32)},
        {"values": np.full((3, 4), 9.1, np.float32)},
        {"values": np.full((3, 4), -1, np.float32), "signed": False},
        {"limit": 0},
        {"part": (2, 2, 4)},
        {"part": (0, 5, 4)},
    ],
)
def test_an_impossible_matrix_is_a_programmers_mistake(changes: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        matrix(**changes)


def test_an_impossible_axis_is_a_programmers_mistake() -> None:
    for count, labels in ((0, None), (3, ["a", "b"])):
        with pytest.raises(AssertionError):
            axis("query", count, labels)


def test_no_words_outside_the_catalogue_and_none_unused() -> None:
    assert not re.sub(r"<[^>]*>", "", (FOLDER / "sheet.html").read_text(encoding="utf-8")).strip()
    assert set(re.findall(r"texts\??\.(\w+)", FILES["matrix_sheet"].script)) == set(TEXTS)


def _page() -> None:
    import numpy as np

    from viz.components.matrix_sheet import Axis, Matrix, matrix_sheet, matrix_sheet_script

    two = Axis(names=("query",), word="query", count=2, labels=("a", "b"))
    each = Matrix(title="A", rows=two, columns=two, values=np.eye(2, dtype=np.float32), limit=1)
    matrix_sheet([each], sheet="s", texts={}, key="one", chosen={"query": 1})
    matrix_sheet([each], sheet="s", texts={}, key="two")
    matrix_sheet_script()


def test_mounts_in_an_app_share_one_script() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    protos = [element.proto for element in app.get("bidi_component")]
    assert [unpack(proto.bytes)[0]["id"] for proto in protos[:2]] == ["one", "two"]
    assert len(protos) == 3
    assert max(len(proto.js_content) for proto in protos[:2]) < 2000 < len(protos[2].js_content)
