"""The translation in large type, its pieces with their probabilities, and what else the model had in mind."""

import math
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from model.trace import Translation
from viz.analysis import candidates

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "regard_token_strip",
    html=(HERE / "strip.html").read_text(encoding="utf-8"),
    css=(HERE / "strip.css").read_text(encoding="utf-8"),
    js=(HERE / "strip.js").read_text(encoding="utf-8"),
)


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
    _component(key=key, data=payload(translation, texts, brief), height="content")
