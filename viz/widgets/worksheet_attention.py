"""The steps of one attention head, and of all heads of its layer together."""

import numpy as np

from model.records import Floats
from viz.analysis.worksheet import largest, pair, powers, says
from viz.components.matrix_sheet import Axis, Matrix
from viz.escape import escape
from viz.i18n import t
from viz.widgets.worksheet_frame import Frame, Step, shaped, strip


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
