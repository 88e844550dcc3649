"""The matrix sheet: a few labelled matrices with signs between them, drawn small and enlarged in place.

Python sends one binary message (`pack`) for each mount; the browser (sheet.js) draws and answers pointer and keys by
itself. Mounts of one sheet belong together: what is chosen or pointed at in one is marked in all. A message that holds
no choice does not change when another choice is made, so it is not sent again.

Shapes: R rows, C columns of a matrix.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import streamlit as st

from viz.components import FILES, as_module, declare, message, tell
from viz.theme import DIVERGING, SEQUENTIAL

Floats = npt.NDArray[np.float32]

RAW_LIMIT = 100_000
"""Bytes above which the numbers are deflated."""


@dataclass(frozen=True, kw_only=True)
class Axis:
    """What the rows or the columns of a matrix are."""

    names: tuple[str, ...]  # the same name means the same thing in every matrix of a sheet; a row can be two things
    word: str  # what one of them is, in words
    count: int
    labels: tuple[str, ...] | None = None  # None: they are numbered from 1

    def __post_init__(self) -> None:
        assert self.count > 0, "an empty axis cannot be drawn"
        assert self.labels is None or len(self.labels) == self.count, "one label each"


@dataclass(frozen=True, kw_only=True, eq=False)
class Matrix:
    """One matrix and how it is drawn."""

    title: str  # what follows an underscore is set lower
    rows: Axis
    columns: Axis
    values: Floats  # [R, C]; -inf is drawn hatched
    limit: float  # the scale ends here
    signed: bool = True  # from -limit to limit, or from 0
    sign: str = ""  # what stands before it, such as "="
    note: str = ""  # a sentence below it
    part: tuple[int, int, int] | None = None  # columns [first, end) of so many are marked: its own, or it is this part
    wide: bool = False  # as wide as there is room, for a few rows to be read number by number
    breaks: bool = False  # starts a line

    def __post_init__(self) -> None:
        assert self.values.shape == (self.rows.count, self.columns.count), "values are [rows, columns]"
        finite = self.values[~np.isneginf(self.values)]
        assert np.isfinite(finite).all(), "only minus infinity is drawn"
        assert self.limit > 0, "a scale needs two ends"
        low = -self.limit if self.signed else 0
        assert ((finite >= low * 1.0001) & (finite <= self.limit * 1.0001)).all(), "the scale must hold every value"
        assert self.part is None or 0 <= self.part[0] < self.part[1] <= self.part[2], "a part of something"


def pack(
    matrices: Sequence[Matrix],
    *,
    sheet: str,
    texts: Mapping[str, str],
    chosen: Mapping[str, int] | None = None,
    name: str = "",
) -> bytes:
    """One message for the browser: header length (4 bytes, little-endian), header (JSON), then the values of each
    matrix, float32, little-endian, in C order."""
    axes: list[Axis] = []
    for matrix in matrices:
        axes += [axis for axis in (matrix.rows, matrix.columns) if axis not in axes]
    body = b"".join(np.ascontiguousarray(matrix.values, "<f4").tobytes() for matrix in matrices)
    deflated = len(body) > RAW_LIMIT
    header = {
        "id": name,
        "sheet": sheet,
        "chosen": chosen and dict(chosen),
        "axes": [{"names": axis.names, "word": axis.word, "count": axis.count, "labels": axis.labels} for axis in axes],
        "matrices": [
            {
                "title": matrix.title,
                "rows": axes.index(matrix.rows),
                "columns": axes.index(matrix.columns),
                "limit": float(matrix.limit),
                "signed": matrix.signed,
                "sign": matrix.sign,
                "note": matrix.note,
                "part": matrix.part,
                "wide": matrix.wide,
                "breaks": matrix.breaks,
            }
            for matrix in matrices
        ],
        "deflated": deflated,
        "texts": dict(texts),
        "sequential": SEQUENTIAL,
        "diverging": DIVERGING,
    }
    return message(header, zlib.compress(body, 1) if deflated else body)


_mount = declare(
    "matrix_sheet",
    html="sheet.html",
    css=("../shared/canvas.css", "sheet.css"),
    js="mount.js",
    script="sheet.js",
)
_script = st.components.v2.component("matrix_sheet_script", js=as_module(FILES["matrix_sheet"].script))


def matrix_sheet_script(key: str = "matrix_sheet_script") -> None:
    """What draws every mount of a page: once, before them. More than once does no harm, under other keys."""
    _script(key=key)


def matrix_sheet(
    matrices: Sequence[Matrix],
    *,
    sheet: str,
    texts: Mapping[str, str],
    key: str,
    chosen: Mapping[str, int] | None = None,
) -> None:
    """Draw the matrices. `chosen` says what is chosen on an axis, by its name, for all mounts of the sheet."""
    data = pack(matrices, sheet=sheet, texts=texts, chosen=chosen, name=key)
    _mount(data=data, key=key)
    tell("matrix_sheet", key, data)
