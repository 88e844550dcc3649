"""The bottleneck: quality against source length, with one vector for the sentence and with attention."""

from collections.abc import Sequence

import streamlit as st

from model.records import Translation
from viz import models
from viz.i18n import t
from viz.lessons.rnn import alike
from viz.lessons.scene import More, Scene
from viz.widgets.bleu_by_length import by_length
from viz.widgets.model_names import all_models, model_name
from viz.widgets.parts import show_table, switch


def show_ends(names: Sequence[str]) -> None:
    """What each model was trained with, and its quality on the shortest and on the longest texts."""
    groups = {model: found for model in names if (found := models.by_length(model, "strung"))}
    if not groups:
        return
    ends = [next(iter(groups.values()))[place]["words"] for place in (0, -1)]  # the same texts for every model
    head = [t(f"models.column.{name}") for name in ("model", "parameters", "epochs")]
    head += [t("scene.gains.quality", words=f"{words:.0f}") for words in ends]
    rows = []
    for model, found in groups.items():
        metrics = models.translator(model).metrics
        rows.append(
            (
                model_name(model),
                f"{metrics['parameters']:,}",
                f"{metrics['epochs']:.0f}",
                f"{found[0]['bleu']:.1f}",
                f"{found[-1]['bleu']:.1f}",
            )
        )
    show_table(head, rows, key="bottleneck_table")
    epochs = {model: models.translator(model).metrics["epochs"] for model in groups}
    longest = epochs.pop(models.TRANSFORMER, 0)
    if epochs and longest > (most := max(epochs.values())):
        st.caption(t("scene.bottleneck.epochs", epochs=f"{longest:.0f}", most=f"{most:.0f}"))


def draw(translation: Translation) -> None:
    names = alike()
    if names is None:
        return
    first = (*names, models.TRANSFORMER)
    every = switch(t("scene.bottleneck.all"), key="bottleneck_all")
    others = [model for model in all_models() if model not in first] if every else []
    by_length((*first, *others), key="bottleneck_bleu", reading=t("scene.bottleneck.reading"))
    show_ends((*first, *others))


SCENE = Scene(
    name="bottleneck",
    draw=draw,
    formulas=("summary",),
    more=(More(page="viz/pages/compare.py", title="compare.title", chosen={"part": "long"}),),
    reads=False,
)
