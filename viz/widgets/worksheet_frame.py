"""What the steps of a worksheet are made of: the frame of queries and keys, a step, and how both are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from model.experiments.head_steps import LayerWeights, Worksheet
from model.records import Floats, Translation
from viz.analysis.worksheet import largest
from viz.components.matrix_sheet import Axis, Matrix
from viz.i18n import t


class Axes(NamedTuple):
    """What rows and columns are."""

    entering: Axis
    query: Axis
    key: Axis
    model: Axis
    head: Axis
    value: Axis
    heads: Axis


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A worksheet, what its queries and keys are called, and which of them are chosen."""

    sheet: Worksheet
    weights: LayerWeights
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    axes: Axes
    query: int
    key: int


@dataclass(frozen=True, kw_only=True)
class Step:
    """One stage of the sheet."""

    name: str
    """Of the key of its title."""
    title: str
    equation: str
    """LaTeX."""
    says: str
    whole: tuple[Matrix, ...] = ()
    """The same whatever query and key are chosen."""
    chosen: tuple[Matrix, ...] = ()
    """Of the chosen ones alone."""


def labels(translation: Translation, sheet: Worksheet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What queries and keys are called: a query of the decoder is the step that predicts a piece."""
    source, read, target = (
        tuple(token.label for token in tokens)
        for tokens in (translation.source, translation.decoder_input, translation.target)
    )
    return source if sheet.kind == "encoder" else target, read if sheet.kind == "decoder" else source


def axes_of(sheet: Worksheet, queries: tuple[str, ...], keys: tuple[str, ...]) -> Axes:
    def pieces(word: str, names: tuple[str, ...], labels: tuple[str, ...]) -> Axis:
        return Axis(names=names, word=word, labels=labels, count=len(labels))

    def numbers(word: str, name: str, count: int) -> Axis:
        return Axis(names=(name,), word=word, count=count)

    width, own = sheet.w_q.shape
    query = pieces(t("worksheet.axis.query"), ("query",), queries)
    both = pieces(t("worksheet.axis.both"), ("query", "key"), keys)  # in self-attention a row becomes both
    return Axes(
        entering=query if sheet.kind == "cross" else both,
        query=query,
        key=pieces(t("worksheet.axis.key"), ("key",), keys),
        model=numbers(t("worksheet.axis.model"), "model", width),
        head=numbers(t("worksheet.axis.head"), "head", own),
        value=numbers(t("worksheet.axis.head"), "value", own),
        heads=numbers(t("worksheet.axis.heads"), "heads", width),
    )


def strip(
    title: str, names: Sequence[str], columns: Axis, values: Floats, limit: float | None = None, *, signed: bool = True
) -> Matrix:
    """A few vectors, one a row, as wide as there is room for."""
    rows = Axis(names=(), word=t("worksheet.axis.vector"), labels=tuple(names), count=len(names))
    return Matrix(
        title=title, rows=rows, columns=columns, values=values, limit=limit or largest(values), signed=signed, wide=True
    )


def shaped(name: str, values: Floats) -> str:
    """A matrix in a formula, with its size below."""
    return rf"\underset{{{len(values)}\times{values.shape[1]}}}{{{name}}}"


def entering(sheet: Worksheet, x: str = "X") -> str:
    """What enters the layer, in words; `x` is what it is called."""
    where = "cross" if sheet.kind == "cross" else "later" if sheet.layer else "first"
    return t(f"worksheet.comes.{where}", x=x)
