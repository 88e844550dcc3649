"""The translation in large type, its pieces with their probabilities, and what else the model had in mind."""

import math
from collections.abc import Mapping

from model.records import Translation
from viz.analysis.candidates import candidates
from viz.components import declare, tell

_mount = declare("token_strip", html="strip.html", css=("strip.css",), js="strip.js")


def payload(translation: Translation, texts: Mapping[str, str], brief: bool = False) -> dict[str, object]:
    """What the browser needs, as plain JSON: probabilities from 0 to 1, labels not escaped (the browser side writes
    them as text)."""
    options = candidates(translation)
    return {
        "texts": dict(texts),
        "brief": brief,
        "text": translation.text,
        "source": [token.label for token in translation.source],
        "steps": [
            {
                "label": token.label,
                "p": math.exp(log_prob),
                "options": [{"label": each.label, "p": each.probability, "taken": each.taken} for each in step],
            }
            for token, log_prob, step in zip(translation.target, translation.log_probs, options, strict=True)
        ],
        "rows": max(map(len, options)),
    }


def token_strip(translation: Translation, *, texts: Mapping[str, str], key: str, brief: bool = False) -> None:
    """Draw it; in `brief` the translation and its pieces alone."""
    data = payload(translation, texts, brief)
    _mount(data=data, key=key)
    tell("token_strip", key, data)
