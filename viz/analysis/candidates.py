"""The pieces that a model considered at a step."""

import math
from typing import NamedTuple

from model.records import DecoderStep, Translation


class Candidate(NamedTuple):
    """A piece that a model had in mind for one step."""

    label: str
    probability: float
    taken: bool


def candidates(translation: Translation) -> list[list[Candidate]]:
    """For each step the most probable pieces, best first, and the one that was taken, if it is not among them."""
    steps = []
    for token, log_prob, alternatives in zip(
        translation.target, translation.log_probs, translation.alternatives, strict=True
    ):
        found = [
            Candidate(label=each.label, probability=math.exp(each.log_prob), taken=each.id == token.id)
            for each in alternatives
        ]
        if not any(each.taken for each in found):
            found.append(Candidate(label=token.label, probability=math.exp(log_prob), taken=True))
        steps.append(found)
    return steps


def probable(step: DecoderStep) -> list[tuple[str, float]]:
    """The most probable next pieces with their probabilities, best first."""
    return [(each.label, math.exp(each.log_prob)) for each in step.alternatives]
