"""What the models of the page are called."""

from viz import models
from viz.i18n import t


def model_name(model: str) -> str:
    """Short, from what the model is: "RNN, additive (368)"."""
    kind = models.kind(model)
    if kind == "transformer":
        return t("model.transformer")
    return t("model.rnn", score=t(f"model.score.{kind}"), width=models.translator(model).config.d_model)


def all_models() -> tuple[str, ...]:
    """Every model of the page, the Transformer first."""
    return (models.TRANSFORMER, *models.recurrent())
