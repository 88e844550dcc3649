"""One step of a recurrent decoder, looked into, or taken with other weights than its own.

S source pieces, T target pieces, D width of the model, V vocabulary.
"""

from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from model.rnn import Rnn, Step, moved


class Taken(NamedTuple):
    """A step, and what it started from."""

    before: Tensor  # [D], s_{t-1}
    embedded: Tensor  # [D], y_{t-1} as it is read
    step: Step  # of one sentence, so B = 1
    log_probs: Tensor  # [V]


@torch.inference_mode()
def take(model: Rnn, source: Tensor, target: Tensor, t: int, weights: Tensor | None = None) -> Taken:
    """Step `t` of the pass over source ids [1, S] and target ids as read [1, T]; earlier steps are the model's own.

    With `weights` [S] the context of step t is c_t = sum_i weights_i h_i, whatever the scores say. Needs a model with
    attention.
    """
    encoded = model.encode(source)
    embedded, state = model.embed(target[:, : t + 1]), model.start(encoded)
    assert state.context is None, "a model without attention has one context for all steps"
    for k in range(t):
        state = moved(state, model.step(embedded[:, k], state))
    given = state if weights is None else replace(state, context=(weights @ encoded.states[0])[None])
    step, read = model.step(embedded[:, t], given), embedded[:, t]
    log_probs = model.logits(step.hidden, step.context, read).log_softmax(-1)
    return Taken(state.hidden[0], read[0], step, log_probs[0])
