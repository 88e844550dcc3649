"""What waits for what: time of encoding and of a training step against length, measured when asked."""

from viz import models
from viz.document import show
from viz.document.page import fragment
from viz.i18n import t
from viz.state import Space
from viz.widgets import timing
from viz.widgets.model_names import model_name

SPACE = Space("compare_parallel", __file__, page="compare")
MEASURE, CHART = SPACE.key("measure"), SPACE.key("chart")


@fragment
def draw(text: str, rnn: str) -> None:
    show.caption(t("parallel.intro"))
    shown = timing.ask((rnn, models.TRANSFORMER), key=MEASURE)
    if shown is None:
        return
    timing.curve(shown, "encode", key=CHART.at("encode"))
    timing.curve(shown, "train", key=CHART.at("train"))
    names = [model_name(model) for model in shown]
    columns = [t(f"parallel.column.{what}", name=name) for what in ("waits", "encode", "train") for name in names]
    rows = [
        (
            str(row[0].length),
            *(str(each.sequential_encode) for each in row),
            *(f"{1000 * each.encode_seconds:.1f}" for each in row),
            *(f"{1000 * each.train_seconds:.1f}" for each in row),
        )
        for row in zip(*shown.values(), strict=True)
    ]
    show.table([t("parallel.pieces"), *columns], rows)
    show.caption(timing.reading())
