"""How far each model's attention is from alignments made by hand: a leaderboard, computed when it is opened."""

import numpy as np
import streamlit as st

from model.experiments.alignment import gold_rates
from viz import models
from viz.analysis.alignment import Entry, leaderboard
from viz.document import show
from viz.document.page import fragment, scheme_now
from viz.escape import escape
from viz.figures import heatmap, heatmap_height
from viz.i18n import message, t
from viz.state import Space
from viz.widgets.model_names import all_models, model_name
from viz.widgets.reading import choose_reading

CHART = Space("compare_gold", __file__, page="compare").key("chart")


def which(entry: Entry) -> str:
    """Which weights an entry is about, in words."""
    if entry.kind == "head":
        return t("gold.which.head", layer=entry.layer + 1, head=entry.head + 1)
    if entry.kind == "layer":
        return t("gold.which.layer", layer=entry.layer + 1)
    return t("gold.which.all") if entry.kind == "all" else t("gold.which.only")


@fragment
def draw(text: str, rnn: str) -> None:
    pairs = models.gold()
    show.caption(t("gold.intro", pairs=len(pairs)))
    names = [model for model in all_models() if models.attends(model)]
    bar = st.progress(0.0, t("gold.working"))

    def progress(share: float) -> None:
        bar.progress(share, t("gold.working"))

    try:
        rates = {
            model: models.ask(gold_rates, pairs, model=model, progress=models.portion(progress, i, len(names)))
            for i, model in enumerate(names)
        }
    except ValueError as error:
        st.error(escape(message(error)))
        return
    finally:
        bar.empty()
    rows = leaderboard({model_name(model): each for model, each in rates.items()})
    named = [
        (
            row.model,
            which(row),
            t(f"compare.view.{row.view}"),
            f"{row.error_rate:.1%}",
        )
        for row in rows
    ]
    show.table([t(f"gold.column.{name}") for name in ("model", "weights", "rows", "rate")], named)
    show.caption(t("gold.reading", best=f"{rows[0].error_rate:.1%}"))
    show.heading(t("gold.heads"))
    view = choose_reading()
    heads = rates[models.TRANSFORMER].heads[view].astype(np.float32)
    layers = [t("gold.layer", number=i + 1) for i in range(len(heads))]
    columns = [t("gold.head", number=i + 1) for i in range(heads.shape[1])]
    show.caption(t("gold.heads_intro"))
    with st.container(height=heatmap_height(layers, columns) + 20, border=False):
        show.chart(
            heatmap(
                heads, layers, columns, query_axis=t("gold.layers"), key_axis=t("gold.heads_axis"),
                weight=t("gold.column.rate"), title=t("model.transformer"), numbers=True, scheme=scheme_now(),
            ),
            key=CHART, alt=t("gold.heads_intro"), file="regard-error-rates",
        )  # fmt: skip
