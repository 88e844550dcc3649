"""What attention buys: steps that wait, ways between pieces, what arrives over a distance, and weights to look at."""

from collections.abc import Mapping

import streamlit as st

from model.experiments.attribution import projections_for
from model.experiments.timing import encoding_seconds
from model.records import Translation
from viz import models
from viz.analysis.alignment import Pick, alignment
from viz.analysis.influence import by_distance
from viz.analysis.maps import maps_of
from viz.escape import escape
from viz.figures import Series, bars
from viz.i18n import t
from viz.lessons.rnn import attending
from viz.lessons.scene import More, Scene
from viz.widgets.distance import measure
from viz.widgets.model_names import model_name
from viz.widgets.parts import chart, choose_piece, scheme_now, show_table

ROWS = {
    "waits": ("d", False),
    "way": ("d", False),
    "arrives": (".2%", True),
    "maps": ("d", True),
    "time": (".1f", False),
}
"""How a number is written, and whether more of it is better."""


def numbers(read: Mapping[str, Translation]) -> dict[str, list[float]]:
    """For each row the numbers of the models: what is counted and measured on this sentence."""
    found = measure(read, key="gains_ask")
    rows: dict[str, list[float]] = {name: [] for name in ROWS if found or name != "arrives"}
    for model, translation in read.items():
        recurrent = models.kind(model) != "transformer"
        rows["waits"].append(len(translation.source) if recurrent else models.sizes().encoder_layers)
        rows["way"].append(len(translation.source[1:]) if recurrent else 1)
        if found:
            rows["arrives"].append(by_distance(found[model])[0][-1])
        rows["maps"].append(maps_of(translation))
        rows["time"].append(1000 * models.ask(encoding_seconds, translation.source, model=model))
    return rows


def side_by_side(read: Mapping[str, Translation]) -> None:
    """The RNN and the Transformer side by side, and where the RNN is ahead."""
    count = len(read[models.TRANSFORMER].source)
    lines = [(t(f"scene.gains.row.{name}"), each, *ROWS[name]) for name, each in numbers(read).items()]
    groups = [models.by_length(model, "strung") for model in read]
    if all(groups):
        for place in (0, -1):
            title = t("scene.gains.quality", words=f"{groups[0][place]['words']:.0f}")
            lines.append((title, [group[place]["bleu"] for group in groups], ".1f", True))
    rows = [(title, *(format(number, form) for number in each)) for title, each, form, _ in lines]
    show_table([t("scene.gains.about", count=count), *(model_name(model) for model in read)], rows, key="gains_table")
    ahead = [title for title, (rnn, other), _, more in lines if rnn != other and (rnn > other) == more]
    st.markdown(
        t("scene.gains.ahead", what=t("scene.gains.between").join(map(escape, ahead)))
        if ahead
        else t("scene.gains.behind")
    )
    st.caption(
        t(
            "scene.gains.reading",
            directions=projections_for(read[models.TRANSFORMER].source),
            device=models.translator().device.type,
        )
    )


def show_row(translation: Translation) -> None:
    """Where the head that aligns best looked for one French piece."""
    rates = models.recorded_rates(models.TRANSFORMER)
    if rates is None:
        return
    view, layer, head = rates.best
    found = alignment(translation, Pick(view=view, layer=layer, head=head), words=False, specials=True)
    if not found.rows.labels:
        return
    row = choose_piece(t("scene.gains.piece"), found.rows.labels, "gains_piece", 0)
    weights, pieces = found.weights[row], found.columns.labels
    figure = bars(
        pieces, [Series(name=t("compare.weights.best"), x=[], y=weights.tolist())],
        x_title=t("positions.piece"), y_title=t("axis.weight"), most=1, scheme=scheme_now(),
    )  # fmt: skip
    caption = t(
        "scene.gains.looked",
        layer=layer + 1,
        head=head + 1,
        pairs=rates.pairs,
        piece=escape(found.rows.labels[row]),
        most=escape(pieces[weights.argmax()]),
        share=f"{weights.max():.0%}",
    )
    chart(figure, key="gains_row", alt=caption, file="regard-gains", caption=caption)


def draw(translation: Translation) -> None:
    rnn = attending()
    if rnn is None:
        return
    side_by_side({rnn: models.translate(translation.source_text, model=rnn), models.TRANSFORMER: translation})
    show_row(translation)


SCENE = Scene(
    name="gains",
    draw=draw,
    formulas=("attention",),
    more=(
        More(page="viz/pages/translate.py", title="translate.title"),
        More(page="viz/pages/compare.py", title="compare.title"),
    ),
)
