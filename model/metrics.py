"""What pages believe of a metrics.json: an entry of another shape than training and evaluation write counts as none."""

from collections.abc import Mapping
from typing import Any

LARGEST = 1e18
NUMBER = object()
"""A number below it."""
GROUP = {"from": NUMBER, "to": NUMBER, "sentences": NUMBER, "bleu": NUMBER}
QUALITY = {"bleu": NUMBER, "chrf": NUMBER}
MEASURED = {"parameters": NUMBER, "epochs": NUMBER, "seconds": NUMBER, "test": {"greedy": QUALITY, "beam 4": QUALITY}}
"""What is said of every model: how it was trained and how good it is."""


def fits(value: Any, shape: Any) -> bool:
    """Whether a value has all that the shape has; of a list each member."""
    if shape is NUMBER:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(each, shape[0]) for each in value)
    return isinstance(value, dict) and all(name in value and fits(value[name], part) for name, part in shape.items())


def tested_by_length(metrics: Mapping[str, Any], name: str) -> list[dict[str, float]]:
    """The quality in a test by the length of its sentences; none when it was not measured."""
    shape = GROUP | {"words": NUMBER} if name == "strung" else GROUP
    if not fits(metrics.get("test"), {name: {"by_length": [shape]}}):
        return []
    return list(metrics["test"][name]["by_length"])
