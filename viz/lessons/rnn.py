"""What the scenes on the recurrent model share: its own translation, and which of its steps is looked at."""

from model.records import Recurrent, Translation
from viz import models
from viz.document import show
from viz.i18n import t
from viz.state import Choice
from viz.widgets.bundled import loaded
from viz.widgets.inputs import choose_piece
from viz.widgets.model_names import model_name

SCORES = ("dot", "general", "additive", "scaled")


def attending() -> str | None:
    """The first recurrent model with attention. None, and why, where there is no such model."""
    names = loaded(models.recurrent)
    if names is None:
        return None
    model = next((name for name in names if models.attends(name)), None)
    if model is None:
        show.notice(t("lessons.no_rnn"))
    return model


def tell_own(model: str, own: Translation) -> None:
    """Which model a scene looks into, and what that made of the sentence."""
    show.caption(t("lessons.rnn", name=model_name(model)))
    show.plain(own.text or t("strip.nothing"))


def own_translation(translation: Translation) -> tuple[str, Translation, Recurrent] | None:
    """The first recurrent model with attention, its translation of the sentence, and what only it has of that. None,
    and why, where there is no such model."""
    model = attending()
    if model is None:
        return None
    own = models.translate(translation.source_text, model=model)
    assert own.recurrent is not None
    tell_own(model, own)
    return model, own, own.recurrent


def ask_step(step: Choice[int], own: Translation) -> int:
    """Which piece is being predicted; at first the one of which the model is least certain."""
    pieces = tuple(token.label for token in own.target)
    return choose_piece(step.within(int(own.log_probs.argmin())), t("lessons.step"), pieces)


def by_score() -> list[str]:
    """The recurrent models with attention of the smallest width, of which each score function has one, in the order of
    the texts."""
    names = [name for name in models.recurrent() if models.attends(name)]
    widths = {name: models.translator(name).config.d_model for name in names}
    small = [name for name in names if widths[name] == min(widths.values())]
    return sorted(small, key=lambda name: SCORES.index(models.kind(name)))


def alike() -> tuple[str, str] | None:
    """Two recurrent models of one width: without attention, whose context is the encoder's last state, and with it.
    None, and why, where they are not."""
    names = loaded(models.recurrent)
    if names is None:
        return None
    for without in names:
        for attending in names:
            widths = [models.translator(name).config.d_model for name in (without, attending)]
            if models.kind(without) == "last" and models.attends(attending) and widths[0] == widths[1]:
                return without, attending
    show.notice(t("lessons.no_pair"))
    return None
