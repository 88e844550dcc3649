"""What would change if a word changed or were not there: gradients with respect to the source's embeddings, and the
source without some of its pieces.

B copies of the sentence, S source pieces, T target pieces, D width. A model is shared and stays as it is: gradients are
taken with respect to a copy of the embeddings, and no parameter ever gets one.
"""

import math
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.attention import attention, fused_attention
from model.checkpoint import AnyModel
from model.data import pad
from model.records import Floats, Token, Translation, word_groups
from model.translate import Translator

CELLS = 1000
"""Most pieces, of all copies of a sentence together, in one pass: more takes memory and, on a CPU, longer."""


def step_gradient(translator: Translator, translation: Translation, step: int) -> Floats:
    """How much log p(target[step]) changes with each source piece: [S], as `gradient` has it. ValueError when the
    translation has no such step, or is longer than this model reads."""
    translation.check_step(step)
    source_ids, target_in = translator.ids(translation.source), translator.ids(translation.decoder_input)
    return gradient(translator.model, source_ids, target_in, translation.target[step].id, step).cpu().numpy()


def step_gradients(translator: Translator, translation: Translation) -> Generator[float, None, Floats]:
    """`step_gradient` of every step, one after the other: [T, S]."""
    rows = []
    for step in range(len(translation.target)):
        rows.append(step_gradient(translator, translation, step))
        yield len(rows) / len(translation.target)
    return np.stack(rows)


def word_drops(translator: Translator, translation: Translation) -> Floats:
    """How much log p(target[t]) falls when a source word is not there: [W, T] for the words that `word_groups` finds,
    as `drops` has it. A word's pieces are cut out of those that the model has read; the rest of the text is not cut
    into pieces anew, so that nothing else changes. ValueError when the translation is longer than this model reads."""
    source_ids, target_in = translator.ids(translation.source), translator.ids(translation.decoder_input)
    target_ids, groups = translator.ids(translation.target)[0], word_groups(translation.source)
    return drops(translator.model, source_ids, groups, target_in, target_ids).float().cpu().numpy()


def encoder_reach(
    translator: Translator, source: Sequence[Token], projections: int = 16
) -> Generator[float, None, Floats]:
    """How much encoder state j changes with source piece i: [S, S], rows are states, columns are pieces.

    An estimate: `reach_of_encoder` says how good. ValueError when the source is longer than this model reads.
    """
    found = yield from reach_of_encoder(translator.model, translator.ids(source), projections=projections)
    return found.cpu().numpy()


def projections_for(source: Sequence[Token]) -> int:
    """Fewer for a long sentence: the work grows with the square of its length, and there are more pairs to average."""
    return 16 if len(source) <= 40 else 4


@torch.inference_mode(False)
@torch.enable_grad()
def gradient(model: AnyModel, source_ids: Tensor, target_in: Tensor, target_id_at_step: int, step: int) -> Tensor:
    """|d log p(target_t | target_<t, source) / d x_i| for each source embedding x_i, Euclidean. Returns [S].

    source_ids is [1, S]; target_in is [1, T] as read, so starting with bos_id; target_id_at_step is the piece whose
    probability is asked for after reading target_in up to column `step`. The unit is nats per unit of embedding.
    """
    assert 0 <= step < target_in.size(1)
    assert not model.training
    ids, embedded = leaf(model, source_ids)
    encoded: Any = model.encode(ids, attention, embedded)
    logits = model.force(encoded, target_in[:, : step + 1].clone()).logits  # what is read later plays no part
    log_prob = logits[0, step].log_softmax(-1)[target_id_at_step]
    (found,) = torch.autograd.grad(log_prob, embedded)
    return found[0].norm(dim=-1)


@torch.inference_mode(False)
@torch.enable_grad()
def reach_of_encoder(
    model: AnyModel, source_ids: Tensor, *, projections: int = 16, seed: int = 0
) -> Generator[float, None, Tensor]:
    """How far each word reaches in the encoder: [S, S], row j is state h_j, column i is source embedding x_i.

    Entry (j, i) estimates the Frobenius norm |J_ji| of J_ji = d h_j / d x_i, which is [D, D]. For v of independent
    standard normal numbers E |v^T J|^2 = |J|^2, and v^T J for all i at once is one backward pass, so

        |J_ji| ~ sqrt(mean over n vectors v of |v^T J_ji|^2),   n = `projections`.

    The variance of |v^T J|^2 is 2 |J^T J|^2 <= 2 |J|^4. So the relative error of an entry, one standard deviation, is
    about |J^T J| / |J|^2 * sqrt(1 / (2 n)): at most sqrt(1 / (2 n)), 0.18 for n = 16, when J has rank 1, and
    sqrt(1 / (2 n r)) when its r singular values are equal. The same seed gives the same vectors on every device.

    source_ids is [1, S]. The share that is done, up to 1, is yielded after each pass.
    """
    assert projections >= 1
    assert not model.training
    length, width = source_ids.size(1), model.config.d_model
    asked = torch.arange(length, device=source_ids.device).repeat_interleave(projections)  # [S n], the j of each v
    vectors = torch.randn(len(asked), width, generator=torch.Generator().manual_seed(seed))
    passes = math.ceil(len(asked) / max(1, CELLS // length))
    copies = math.ceil(len(asked) / passes)  # as many in the last pass as in the others, or nearly
    ids, embedded = leaf(model, source_ids, copies)
    states = model.encode(ids, attention, embedded).states  # [B, S, D]; only the way back differs between copies
    squares = states.new_zeros(length, length)
    for done, (rows, vs) in enumerate(zip(asked.split(copies), vectors.split(copies), strict=True), start=1):
        weights = torch.zeros_like(states)
        weights[torch.arange(len(rows), device=rows.device), rows] = vs.to(states)
        (found,) = torch.autograd.grad(states, embedded, weights, retain_graph=done < passes)
        squares.index_add_(0, rows, found[: len(rows)].square().sum(-1))
        yield done / passes
    return (squares / projections).sqrt()


@torch.inference_mode()
def drops(
    model: AnyModel, source_ids: Tensor, groups: Sequence[Sequence[int]], target_in: Tensor, target_ids: Tensor
) -> Tensor:
    """How much log p(target_t | target_<t, source) falls when a group of the source's pieces is cut out: [G, T], nats;
    below 0 where the model finds the target likelier without them.

    source_ids is [1, S]; groups are places in it; target_in is [1, T] as read, target_ids [T] as predicted. The other
    pieces stay as they are, and those behind the gap move up: they get other positions.
    """
    assert not model.training
    ids = source_ids[0].tolist()
    rows = [[id for place, id in enumerate(ids) if place not in group] for group in ((), *map(set, groups))]
    copies, found = max(1, CELLS // max(len(ids), target_in.size(1))), []
    for first in range(0, len(rows), copies):
        source = pad(rows[first : first + copies], model.config.pad_id).to(source_ids.device)
        encoded: Any = model.encode(source, fused_attention)
        logits = model.force(encoded, target_in.expand(len(source), -1), fused_attention).logits
        chosen = target_ids.expand(len(source), -1).unsqueeze(-1)
        found.append(logits.log_softmax(-1).gather(-1, chosen).squeeze(-1))
    whole, *others = torch.cat(found)
    return whole - torch.stack(others) if others else whole.new_zeros(0, len(whole))


def leaf(model: AnyModel, source_ids: Tensor, copies: int = 1) -> tuple[Tensor, Tensor]:
    """ids [1, S] -> ids [B, S] and their embeddings [B, S, D], from which gradients start.

    Both are new, so that it does not matter whether the caller is in inference mode.
    """
    ids = source_ids.repeat(copies, 1)
    return ids, model.embed(ids).detach().requires_grad_()
