"""What was trained, for how long, and how good it is."""

from viz import models
from viz.document import show
from viz.document.page import fragment
from viz.i18n import t
from viz.widgets.model_names import all_models, model_name

COLUMNS = ("model", "parameters", "epochs", "minutes", "greedy", "beam", "chrf", "alignment")


@fragment
def draw(text: str, rnn: str) -> None:
    show.caption(t("models.intro"))
    rows = []
    for model in all_models():
        metrics, rates = models.measured(model), models.recorded_rates(model)
        if metrics is None:
            rows.append((model_name(model), *["\u2013"] * (len(COLUMNS) - 1)))
            continue
        test = metrics["test"]
        rows.append(
            (
                model_name(model),
                f"{metrics['parameters']:,}",
                f"{metrics['epochs']:.1f}",
                f"{metrics['seconds'] / 60:.0f}",
                f"{test['greedy']['bleu']:.1f}",
                f"{test['beam 4']['bleu']:.1f}",
                f"{test['greedy']['chrf']:.1f}",
                f"{rates.lowest:.1%}" if rates and models.attends(model) else "\u2013",
            )
        )
    show.table([t(f"models.column.{name}") for name in COLUMNS], rows)
    if rates := models.recorded_rates(models.TRANSFORMER):
        show.caption(t("models.reading", pairs=rates.pairs))
    lengths = {model: models.by_length(model, "greedy") for model in all_models()}
    spans = sorted({(group["from"], group["to"], group["sentences"]) for each in lengths.values() for group in each})
    if spans:
        show.heading(t("models.lengths"))
        head = [t("models.column.words"), t("models.column.sentences"), *(model_name(model) for model in lengths)]
        bleu = {(model, group["from"]): group["bleu"] for model, each in lengths.items() for group in each}
        show.table(
            head,
            [
                (
                    t("models.span", low=low, high=high),
                    str(count),
                    *(f"{bleu[model, low]:.1f}" if (model, low) in bleu else "\u2013" for model in lengths),
                )
                for low, high, count in spans
            ],
        )
