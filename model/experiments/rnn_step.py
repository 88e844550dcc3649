"""One step of a recurrent decoder, looked into, or taken with other weights than its own.

S source pieces, T target pieces, D width of the model, V vocabulary.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from model.records import DecoderStep, Translation
from model.rnn import Rnn, Step, moved
from model.translate import Translator


def decoder_step(
    translator: Translator,
    translation: Translation,
    step: int,
    weights: Sequence[float] | None = None,
    *,
    alternatives: int = 5,
) -> DecoderStep:
    """One step of the pass that read the translation, with `weights` [S] in place of its own if they are given.

    ValueError when the translation has no such step, or the model has no such attention.
    """
    translation.check_step(step)
    model, source, target = translator.recurrent(), translator.ids(translation.source), translation.decoder_input
    given = None if weights is None else torch.tensor(weights, dtype=torch.float32, device=source.device)
    taken = take(model, source, translator.ids(target), step, given)
    best, ids = taken.log_probs.topk(min(alternatives, len(taken.log_probs)))
    return DecoderStep(
        before=taken.before.cpu().numpy(),
        embedded=taken.embedded.cpu().numpy(),
        context=taken.step.context[0].cpu().numpy(),
        state=taken.step.hidden[0].cpu().numpy(),
        alternatives=translator.named(zip(ids.tolist(), best.tolist(), strict=True)),
    )


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
