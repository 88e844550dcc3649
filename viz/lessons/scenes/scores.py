"""Four score functions on one sentence: what each model's attention looks like, and how sharp softmax made it."""

from model.metrics import NUMBER
from model.records import Translation
from viz import models
from viz.analysis.scores import Sharpness, sharpness
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures.maps import maps
from viz.figures.positions import Panel
from viz.i18n import message, t
from viz.lessons.more import on_compare
from viz.lessons.rnn import by_score
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets.bundled import loaded
from viz.widgets.model_names import model_name

MAPS = Space("scores", __file__, page="lessons").key("maps")
COLUMNS = ("model", "bleu", "error", "spread", "entropy", "slope")


def quality(model: str) -> tuple[str, str]:
    """BLEU and alignment error rate as they were measured after training."""
    metrics, rates = models.measured(model, {"test": {"greedy": {"bleu": NUMBER}}}), models.recorded_rates(model)
    bleu = f"{metrics['test']['greedy']['bleu']:.1f}" if metrics else "\u2013"
    return bleu, f"{rates.lowest:.1%}" if rates else "\u2013"


def numbers(found: Sharpness) -> tuple[str, ...]:
    return f"{found.spread:.2f}", f"{found.entropy:.2f}", f"{found.slope:.3f}"


def draw(translation: Translation) -> None:
    names = loaded(by_score)
    if names is None:
        return
    if not names:
        show.notice(t("lessons.no_rnn"))
        return
    try:
        forced = [models.hold_to(translation, each) for each in names]
    except ValueError as error:
        show.notice(escape(message(error)), "warning")
        return
    panels, rows, found = [], [], []
    for model, each in zip(names, forced, strict=True):
        assert each.recurrent is not None
        assert each.recurrent.scores is not None
        weights = each.cross[0, 0]
        found.append(sharpness(each.recurrent.scores, weights))
        panels.append(Panel(title=model_name(model), values=weights))
        rows.append((model_name(model), *quality(model), *numbers(found[-1])))
    caption = t("scene.scores.reading")
    figure = maps(
        panels,
        [token.label for token in forced[0].target],
        [token.label for token in forced[0].source],
        query_axis=t("scene.scores.query"), key_axis=t("scene.scores.key"), weight=t("axis.weight"),
        scheme=scheme_now(),
    )  # fmt: skip
    show.chart(figure, key=MAPS, alt=caption, file="regard-scores", caption=caption)
    show.table([t(f"scene.scores.column.{name}") for name in COLUMNS], rows)
    show.caption(t("scene.scores.columns", evenly=f"{found[0].evenly:.2f}"))
    first, *others = [models.measured(model, {"settings": {"epochs": NUMBER}}) for model in names]
    if first and all(other and other["settings"] == first["settings"] for other in others):
        show.caption(t("scene.scores.trained", epochs=f"{first['settings']['epochs']:g}"))


SCENE = Scene(
    name="scores",
    draw=draw,
    formulas=("dot", "general", "additive", "scaled"),
    more=(on_compare("models"),),
)
