"""The translation in large type, its pieces with their probabilities, and what else the model had in mind."""

import math
from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from model.trace import Translation

HERE = Path(__file__).parent
_component = st.components.v2.component(
    "regard_token_strip",
    html=(HERE / "strip.html").read_text(encoding="utf-8"),
    css=(HERE / "strip.css").read_text(encoding="utf-8"),
    js=(HERE / "strip.js").read_text(encoding="utf-8"),
)


def payload(translation: Translation, texts: Mapping[str, str]) -> dict[str, object]:
    """What the browser needs, as plain JSON: probabilities from 0 to 1, labels not escaped (the browser side writes
    them as text)."""
    steps, rows = [], 0
    for token, log_prob, alternatives in zip(
        translation.target, translation.log_probs, translation.alternatives, strict=True
    ):
        options = [
            {"label": other.label, "p": math.exp(other.log_prob), "taken": other.id == token.id}
            for other in alternatives
        ]
        if not any(option["taken"] for option in options):
            options.append({"label": token.label, "p": math.exp(log_prob), "taken": True})
        rows = max(rows, len(options))
        steps.append({"label": token.label, "p": math.exp(log_prob), "options": options})
    return {
        "texts": dict(texts),
        "text": translation.text,
        "source": [token.label for token in translation.source],
        "steps": steps,
        "rows": rows,
    }


def token_strip(translation: Translation, *, texts: Mapping[str, str], key: str) -> None:
    """Draw it."""
    _component(key=key, data=payload(translation, texts), height="content")
