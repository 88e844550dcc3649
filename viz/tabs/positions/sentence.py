"""What the encoder reads of a sentence: embeddings, positions, and their sum."""

from model.experiments.position_encoding import embedded, lengths
from viz import models
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series
from viz.figures.positions import Panel, bars_of_pieces, stacked
from viz.i18n import t
from viz.tabs.positions.pictures import draw as draw_picture
from viz.widgets.dials import piece_axes
from viz.widgets.sentence import ask_translation


def draw() -> None:
    show.caption(t("positions.sentence.intro"))
    translation = ask_translation()
    if translation is None:
        return
    show.formula("encoder_input")
    found = models.ask(embedded, translation.source)
    parts = {"pieces": found.pieces, "positions": found.positions, "sum": found.sum}
    titles = {name: t(f"positions.sentence.part.{name}") for name in parts}
    pieces = [token.label for token in translation.source]
    draw_picture(
        stacked(
            [Panel(title=titles[name], values=part) for name, part in parts.items()],
            piece_axes(found.largest),
            rows=pieces,
            scheme=scheme_now(),
        ),
        "sentence",
        t("positions.sentence.reading", largest=f"{found.largest:.3g}"),
    )
    show.heading(t("positions.sentence.lengths"))
    draw_picture(
        bars_of_pieces(
            pieces,
            [Series(name=titles[name], x=[], y=lengths(part).tolist()) for name, part in parts.items()],
            x_title=t("positions.piece"), y_title=t("positions.sentence.length"), scheme=scheme_now(),
        ),
        "lengths",
        t(
            "positions.sentence.lengths_reading",
            length=f"{lengths(found.positions)[0]:.1f}",
            factor=f"{found.factor:.3g}",
        ),
    )  # fmt: skip
