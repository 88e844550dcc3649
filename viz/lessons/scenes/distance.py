"""Influence against distance: how much of a piece arrives at the states far away from it, in an RNN and in a
Transformer."""

from collections.abc import Mapping, Sequence

from model.experiments.attribution import projections_for
from model.records import Floats, Translation
from viz import models
from viz.analysis.influence import by_distance, felt
from viz.figures import Series, lines
from viz.i18n import t
from viz.lessons.rnn import alike
from viz.lessons.scene import More, Scene
from viz.widgets.distance import against_distance, measure
from viz.widgets.model_names import model_name
from viz.widgets.parts import chart, choose_piece, scheme_now, show_table


def show_piece(found: Mapping[str, Floats], pieces: Sequence[str], piece: int) -> None:
    """How much of one piece each state has, as a share of what the piece's own state has."""
    figure = lines(
        [
            Series(name=model_name(model), x=range(len(pieces)), y=felt(matrix, piece).tolist())
            for model, matrix in found.items()
        ],
        x_title=t("scene.distance.state"), y_title=t("scene.distance.felt"), x_ticks=dict(enumerate(pieces)),
        y_axis="log", scheme=scheme_now(),
    )  # fmt: skip
    caption = t("scene.distance.piece.reading")
    chart(figure, key="distance_piece_chart", alt=caption, file="regard-distance-piece", caption=caption)


def draw(translation: Translation) -> None:
    names = alike()
    if names is None:
        return
    text = translation.source_text
    read = {model: models.translate(text, model=model) for model in names} | {models.TRANSFORMER: translation}
    found = measure(read, key="distance_ask")
    if found is None:
        return
    pieces = tuple(token.label for token in translation.source)
    piece = choose_piece(t("scene.distance.follow"), pieces, "distance_piece", 0)
    show_piece(found, pieces, piece)
    reading = t("distance.encoders_reading", directions=projections_for(translation.source))
    against_distance(found, key="distance_reach", reading=reading)
    head = [t("models.column.model"), t("scene.distance.way"), t("scene.distance.neighbour"), t("scene.distance.far")]
    rows = []
    for model, matrix in found.items():
        means, _ = by_distance(matrix)
        way = t("scene.distance.layers", layers=models.sizes().encoder_layers)
        if models.kind(model) != "transformer":
            way = t("scene.distance.steps", steps=len(pieces[1:]))
        rows.append((model_name(model), way, f"{means[min(1, len(means[1:]))]:.0%}", f"{means[-1]:.1%}"))
    show_table(head, rows, key="distance_table")


SCENE = Scene(
    name="distance",
    draw=draw,
    formulas=("encoder_state",),
    more=(More(page="viz/pages/compare.py", title="compare.title", chosen={"part": "distance"}),),
)
