"""The steps of a worksheet in the order of the computation: name, equation, words and matrices of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from model.experiments.head_steps import LayerWeights, NormSteps, Worksheet
from model.records import Floats, Translation
from viz.analysis.worksheet import above_zero, addition, inner_lengths, largest, moments, norming, pair, powers, says
from viz.components.matrix_sheet import Axis, Matrix
from viz.escape import escape
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


def steps(frame: Frame, x: str = "X") -> Iterator[Step]:
    """From what enters the layer, called `x`, to what leaves it: pre-norm has LayerNorm first, post-norm last."""
    sheet, after = frame.sheet, frame.sheet.feed_forward
    rows = frame.axes.query
    if sheet.pre:
        yield norm_step(frame, sheet.norm, sheet.x_query, x, "N", frame.axes.entering)
    yield project_step(frame, x)
    yield pair_step(frame)
    yield scores_step(frame)
    yield softmax_step(frame)
    yield context_step(frame)
    yield heads_step(frame)
    yield add_step(frame, (sheet.x_query, sheet.output, sheet.residual), (x, "O", "R"))
    if sheet.pre and after:
        yield norm_step(frame, after.norm, sheet.residual, "R", "M", rows)
        yield feed_forward_step(frame, "M")
        yield add_step(frame, (sheet.residual, after.output, after.residual), ("R", "F", "Y"))
    elif not sheet.pre:
        yield norm_step(frame, sheet.norm, sheet.residual, "R", "N", rows)
        if after:
            yield feed_forward_step(frame, "N")
            yield add_step(frame, (sheet.norm.normed, after.output, after.residual), ("N", "F", "P"))
            yield norm_step(frame, after.norm, after.residual, "P", "Y", rows)


def project_step(frame: Frame, x: str) -> Step:
    """Q, K and V of the head, of what enters the layer, called `x`."""
    sheet, axes = frame.sheet, frame.axes
    cross, width = sheet.kind == "cross", axes.model.count
    part = (sheet.first, sheet.first + axes.head.count, width)
    x = "N" if sheet.pre else x
    y = "H" if cross else x
    at = (largest(sheet.w_q, sheet.w_k, sheet.w_v), largest(sheet.q, sheet.k))  # ends of common scales

    def weight(name: str, values: Floats, columns: Axis, sign: str, breaks: bool = False) -> Matrix:
        return Matrix(
            title=f"W_{name}", rows=axes.model, columns=columns, values=values, limit=at[0], sign=sign, part=part,
            breaks=breaks,
        )  # fmt: skip

    def product(name: str, rows: Axis, columns: Axis, values: Floats, limit: float) -> Matrix:
        return Matrix(title=name, rows=rows, columns=columns, values=values, limit=limit, sign="=")

    read = Matrix(
        title=x, rows=axes.entering, columns=axes.model, values=sheet.read_query, limit=largest(sheet.read_query)
    )
    memory = Matrix(
        title=y, rows=axes.key, columns=axes.model, values=sheet.x_key, limit=largest(sheet.x_key), breaks=True
    )
    return Step(
        name="project",
        title=t("worksheet.step.project"),
        equation=r",\quad ".join(
            rf"{shaped(name, product)} = {shaped(z, given)}\;\,{shaped(f'W^{name}_{{{sheet.head + 1}}}', w)}"
            for name, product, z, given, w in (
                ("Q", sheet.q, x, sheet.read_query, sheet.w_q),
                ("K", sheet.k, y, sheet.read_key, sheet.w_k),
                ("V", sheet.v, y, sheet.read_key, sheet.w_v),
            )
        ),
        says=t("worksheet.say.project", first=part[0] + 1, last=part[1], width=width, head=sheet.head + 1),
        whole=(
            read,
            weight("Q", sheet.w_q, axes.head, "×"),
            product("Q", axes.query, axes.head, sheet.q, at[1]),
            *([memory] if cross else []),
            weight("K", sheet.w_k, axes.head, "×" if cross else f"{x} ×", breaks=not cross),
            product("K", axes.key, axes.head, sheet.k, at[1]),
            weight("V", sheet.w_v, axes.value, f"{y} ×", breaks=cross),
            product("V", axes.key, axes.value, sheet.v, largest(sheet.v)),
        ),
    )


def pair_step(frame: Frame) -> Step:
    """The score of the chosen query and key."""
    sheet, own, i, j = frame.sheet, frame.axes.head.count, frame.query, frame.key
    product, score = float(sheet.products[i, j]), float(sheet.scaled[i, j])
    equation = rf"q \cdot k = \sum_{{c=1}}^{{{own}}} q_c k_c = {product:.3f}"
    if sheet.what_if.scale:
        equation += rf",\qquad \frac{{{product:.3f}}}{{\sqrt{{{own}}}}} = {score:.3f}"
    return Step(
        name="pair",
        title=t("worksheet.step.pair"),
        equation=equation,
        says=t("worksheet.say.pair", query=escape(frame.queries[i]), key=escape(frame.keys[j])),
        chosen=(strip(t("worksheet.pair"), ("q", "k", "q × k"), frame.axes.head, pair(sheet, i, j)),),
    )


def scores_step(frame: Frame) -> Step:
    """Every score: products, then scaled, then masked."""
    sheet, axes, own = frame.sheet, frame.axes, frame.axes.head.count
    limit = largest(sheet.products)

    def scores(title: str, values: Floats, sign: str = "", note: str = "") -> Matrix:
        return Matrix(title=title, rows=axes.query, columns=axes.key, values=values, limit=limit, sign=sign, note=note)

    score, product = shaped("S", sheet.products), shaped("Q", sheet.q) + r"\;\," + shaped(r"K^\top", sheet.k.T)
    equation, words = f"{score} = {product}", [t("worksheet.say.scores")]
    whole = [scores("Q Kᵀ", sheet.products)]
    if sheet.what_if.scale:
        equation = rf"{score} = \frac{{{product}}}{{\sqrt{{{own}}}}}"
        words.append(t("worksheet.say.scale", own=own))
        whole.append(scores(f"Q Kᵀ / √{own}", sheet.scaled, "→"))
    if sheet.kind != "decoder":
        words.append(t("worksheet.say.open"))
    elif sheet.what_if.mask:
        equation += r",\qquad S_{ij} = -\infty \;\text{ for }\; j > i"
        words.append(t("worksheet.say.mask"))
        whole.append(scores("S", sheet.masked, "→", t("worksheet.say.hatched")))
    return Step(
        name="scores", title=t("worksheet.step.scores"), equation=equation, says=" ".join(words), whole=tuple(whole)
    )


def softmax_step(frame: Frame) -> Step:
    """Weights, and for the chosen query how its scores become them."""
    sheet, axes, i, j = frame.sheet, frame.axes, frame.query, frame.key
    power = powers(sheet, i)
    title = t("worksheet.strip")
    return Step(
        name="softmax",
        title=t("worksheet.step.softmax"),
        equation=r"A_{ij} = \frac{e^{S_{ij} - m_i}}{\sum_{k} e^{S_{ik} - m_i}}"
        rf" = \frac{{{power[j]:.3f}}}{{{power.sum():.3f}}} = {sheet.weights[i, j]:.3f},\qquad m_i = \max_k S_{{ik}}",
        says=t("worksheet.say.softmax"),
        whole=(
            Matrix(
                title="A", rows=axes.query, columns=axes.key, values=sheet.weights, limit=1, signed=False,
                note=t("worksheet.say.weights"),
            ),
        ),
        chosen=(
            strip(title, ("S",), axes.key, sheet.masked[i : i + 1]),
            strip(title, ("exp(S − m)", "A"), axes.key, np.stack((power, sheet.weights[i])), 1, signed=False),
        ),
    )  # fmt: skip


def context_step(frame: Frame) -> Step:
    """The values, weighted and added up."""
    sheet, axes = frame.sheet, frame.axes
    limit = largest(sheet.v, sheet.context)
    return Step(
        name="context",
        title=t("worksheet.step.context"),
        equation=rf"{shaped('C', sheet.context)} = {shaped('A', sheet.weights)}\;{shaped('V', sheet.v)}",
        says=t("worksheet.say.context"),
        whole=(
            Matrix(title="A", rows=axes.query, columns=axes.key, values=sheet.weights, limit=1, signed=False),
            Matrix(title="V", rows=axes.key, columns=axes.value, values=sheet.v, limit=limit, sign="×"),
            Matrix(title="C", rows=axes.query, columns=axes.value, values=sheet.context, limit=limit, sign="="),
        ),
    )


def heads_step(frame: Frame) -> Step:
    """What W_O makes of the head's context, and of the contexts of all heads."""
    sheet, axes, w_o = frame.sheet, frame.axes, frame.weights.w_o
    count, number = axes.heads.count // axes.head.count, sheet.head + 1
    part = (sheet.first, sheet.first + axes.head.count, axes.heads.count)
    own, said = w_o[part[0] : part[1]], says(sheet, w_o)
    all_heads = shaped(rf"[\,C_1 \cdots C_{{{count}}}\,]", sheet.concat)
    return Step(
        name="heads",
        title=t("worksheet.step.heads"),
        equation=rf"O = {all_heads}\;{shaped('W^O', w_o)}"
        rf" = \sum_{{h=1}}^{{{count}}} O_h,\qquad O_h = {shaped('C_h', sheet.context)}\;{shaped('W^O_h', own)}",
        says=t("worksheet.say.heads", count=count, first=part[0] + 1, last=part[1]),
        whole=(
            Matrix(
                title=f"C_{number}", rows=axes.query, columns=axes.value, values=sheet.context,
                limit=largest(sheet.context),
            ),
            Matrix(
                title="W_O", rows=axes.value, columns=axes.model, values=own, limit=largest(own), sign="×",
                note=t("worksheet.say.rows", first=part[0] + 1, last=part[1], all=part[2]),
            ),
            Matrix(
                title=f"O_{number}", rows=axes.query, columns=axes.model, values=said,
                limit=largest(said, sheet.output), sign="=",
            ),
            Matrix(
                title=f"C_1…{count}", rows=axes.query, columns=axes.heads, values=sheet.concat,
                limit=largest(sheet.concat), part=part, breaks=True,
            ),
            Matrix(
                title="O", rows=axes.query, columns=axes.model, values=sheet.output,
                limit=largest(said, sheet.output), sign="→",
            ),
        ),
    )  # fmt: skip


def add_step(frame: Frame, stages: tuple[Floats, Floats, Floats], names: tuple[str, str, str]) -> Step:
    """A residual connection: what came in, what was said about it, and the sum."""
    before, said, after = names
    kept = frame.sheet.what_if.residual
    title = t("worksheet.strip")
    return Step(
        name="add",
        title=t("worksheet.step.add"),
        equation=f"{after} = {before} + {said}" if kept else f"{after} = {said}",
        says=t("worksheet.say.add") if kept else t("worksheet.say.alone"),
        whole=(
            Matrix(
                title=after, rows=frame.axes.query, columns=frame.axes.model, values=stages[2],
                limit=largest(stages[2]),
            ),
        ),
        chosen=(strip(title, names, frame.axes.model, addition(*stages, frame.query)),),
    )  # fmt: skip


def norm_step(frame: Frame, norm: NormSteps, before: Floats, x: str, y: str, rows: Axis) -> Step:
    """LayerNorm, row by row."""
    model, i = frame.axes.model, frame.query
    both = moments(norm)
    two = Axis(names=(), word=t("worksheet.axis.moments"), labels=("μ", "σ"), count=2)

    def measured(of: str, values: Floats) -> Matrix:
        return Matrix(title=f"μ({of}), σ({of})", rows=rows, columns=two, values=values, limit=largest(*both))

    return Step(
        name="norm",
        title=t("worksheet.step.norm"),
        equation=rf"{y} = \gamma \odot \frac{{{x} - \mu}}{{\sigma}} + \beta,\qquad "
        rf"\mu = {norm.mean[i]:.3f},\quad \sigma = {norm.deviation[i]:.3f}",
        says=t("worksheet.say.norm"),
        whole=(
            measured(x, both[0]),
            Matrix(title=y, rows=rows, columns=model, values=norm.normed, limit=largest(norm.normed), sign="→"),
            measured(y, both[1]),
        ),
        chosen=(
            strip(t("worksheet.strip"), (x, f"({x} − μ) / σ", "γ", "β", y), model, norming(norm, before, i)),
        ),
    )  # fmt: skip


def feed_forward_step(frame: Frame, x: str) -> Step:
    """Two more matrices with an activation between them; the many numbers inside only for the chosen query."""
    model, i, after = frame.axes.model, frame.query, frame.sheet.feed_forward
    w_1, w_2 = frame.weights.w_1, frame.weights.w_2
    assert after is not None
    assert w_1 is not None
    assert w_2 is not None
    inner, lengths = inner_axis(w_1), inner_lengths(w_1, w_2)
    inside = np.stack((after.hidden[i], after.activated[i]))
    name = {"relu": "ReLU", "gelu": "GELU"}[after.activation]
    title = t("worksheet.strip")
    return Step(
        name="feed",
        title=t("worksheet.step.feed"),
        equation=rf"F = \text{{{name}}}({shaped(x, after.output)}\;\,{shaped('W_1', w_1)} + b_1)\;"
        rf"{shaped('W_2', w_2)} + b_2",
        says=t("worksheet.say.feed", inner=inner.count, above=above_zero(after.hidden[i])),
        whole=(
            strip(
                t("worksheet.lengths"), (t("worksheet.lengths.column"), t("worksheet.lengths.row")), inner, lengths,
                signed=False,
            ),
        ),
        chosen=(
            strip(title, (f"{x} W₁ + b₁", name), inner, inside),
            strip(title, ("F",), model, after.output[i : i + 1]),
        ),
    )  # fmt: skip


def inner_axis(w_1: Floats) -> Axis:
    return Axis(names=("inner",), word=t("worksheet.axis.inner"), count=w_1.shape[1])


def feed_forward_weights(frame: Frame) -> tuple[Matrix, ...]:
    """All of W_1 and W_2: the largest matrices of a layer, by far."""
    w_1, w_2 = frame.weights.w_1, frame.weights.w_2
    assert w_1 is not None
    assert w_2 is not None
    inner, model = inner_axis(w_1), frame.axes.model
    return (
        Matrix(title="W_1", rows=model, columns=inner, values=w_1, limit=largest(w_1)),
        Matrix(title="W_2", rows=inner, columns=model, values=w_2, limit=largest(w_2), breaks=True),
    )
