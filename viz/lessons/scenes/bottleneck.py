"""The bottleneck: quality against source length, with one vector for the sentence and with attention."""

from collections.abc import Sequence

from model.metrics import NUMBER
from model.records import Translation
from viz import models
from viz.document import show
from viz.i18n import t
from viz.lessons.more import on_compare
from viz.lessons.rnn import alike
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets.bleu_by_length import by_length
from viz.widgets.inputs import switch
from viz.widgets.model_names import all_models, model_name

SPACE = Space("bottleneck", __file__, page="lessons")
ALL = SPACE.choice("all", False)
BLEU = SPACE.key("bleu")
RUN = {"parameters": NUMBER, "epochs": NUMBER}


def show_ends(names: Sequence[str]) -> None:
    """What each model was trained with, and its quality on the shortest and on the longest texts."""
    runs = {model: run for model in names if (run := models.measured(model, RUN))}
    groups = {model: found for model in runs if (found := models.by_length(model, "strung"))}
    if not groups:
        return
    ends = [next(iter(groups.values()))[place]["words"] for place in (0, -1)]  # the same texts for every model
    head = [t(f"models.column.{name}") for name in ("model", "parameters", "epochs")]
    head += [t("scene.gains.quality", words=f"{words:.0f}") for words in ends]
    rows = []
    for model, found in groups.items():
        run = runs[model]
        rows.append(
            (
                model_name(model),
                f"{run['parameters']:,}",
                f"{run['epochs']:.0f}",
                f"{found[0]['bleu']:.1f}",
                f"{found[-1]['bleu']:.1f}",
            )
        )
    show.table(head, rows)
    epochs = {model: runs[model]["epochs"] for model in groups}
    longest = epochs.pop(models.TRANSFORMER, 0)
    if epochs and longest > (most := max(epochs.values())):
        show.caption(t("scene.bottleneck.epochs", epochs=f"{longest:.0f}", most=f"{most:.0f}"))


def draw(translation: Translation) -> None:
    names = alike()
    if names is None:
        return
    first = (*names, models.TRANSFORMER)
    every = switch(ALL, t("scene.bottleneck.all"))
    others = [model for model in all_models() if model not in first] if every else []
    by_length((*first, *others), key=BLEU, reading=t("scene.bottleneck.reading"))
    show_ends((*first, *others))


SCENE = Scene(
    name="bottleneck",
    draw=draw,
    formulas=("summary",),
    more=(on_compare("long"),),
    reads=False,
)
