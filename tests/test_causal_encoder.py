"""The encoder layer by layer and under a mask, against the model's own passes, and its parameters by formula."""

from typing import Literal

import numpy as np
import pytest
import torch

from model.attention import attention
from model.experiments.causal_encoder import (
    causal_reading,
    count_parameters,
    encoder_states,
    one_way,
    parameter_counts,
    read,
)
from model.experiments.position_encoding import embedded
from model.transformer import Transformer
from model.translate import Translator
from tests.oracle import random_ids, random_model


def passed(model: Transformer, ids: torch.Tensor, *, ahead: bool = True) -> tuple[torch.Tensor, torch.Tensor]:
    """All states [L + 1, S, D] and weights [L, H, S, S]."""
    found = read(model, ids, ahead=ahead)
    return torch.cat(found.states), torch.cat([each for each in found.encoded.weights if each is not None])


NORMS: tuple[Literal["post", "pre"], ...] = ("post", "pre")


@pytest.mark.parametrize("norm", NORMS)
def test_states_begin_with_the_embedding_and_end_with_what_the_decoder_reads(norm: str) -> None:
    model, ids = random_model(norm=norm), random_ids(1, 7)
    states, weights = passed(model, ids)
    encoded = model.encode(ids, attention)
    assert states.shape == (4, 7, 24)
    torch.testing.assert_close(states[:1], model.embed(ids))
    torch.testing.assert_close(states[-1:], encoded.states)
    for found, expected in zip(weights, encoded.weights, strict=True):
        assert expected is not None
        torch.testing.assert_close(found, expected[0])
    if norm == "post":
        second, _ = model.encoder[0](states[:1], None, attention)
        torch.testing.assert_close(states[1:2], second)


@pytest.mark.parametrize("norm", NORMS)
def test_under_the_mask_a_state_knows_nothing_of_what_follows(norm: str) -> None:
    model, ids = random_model(norm=norm), random_ids(1, 8)
    states, weights = passed(model, ids, ahead=False)
    beginning, _ = passed(model, ids[:, :5], ahead=False)
    torch.testing.assert_close(states[:, :5], beginning)
    assert not weights.triu(1).any()
    torch.testing.assert_close(weights.sum(-1), torch.ones(3, 4, 8))
    both_ways, _ = passed(model, ids)
    assert not torch.allclose(both_ways[-1, :5], passed(model, ids[:, :5])[0][-1], atol=1e-3)
    torch.testing.assert_close(states[0], both_ways[0])  # nothing has been looked at yet


def test_one_way_compares_and_translates_what_the_mask_leaves() -> None:
    model, ids = random_model(), random_ids(1, 6)
    found = one_way(model, ids, decode=lambda pieces: " ".join(map(str, pieces)))
    masked, usual = (passed(model, ids, ahead=ahead)[0][-1].numpy() for ahead in (False, True))
    cosines = [a @ b / np.sqrt((a @ a) * (b @ b)) for a, b in zip(masked, usual, strict=True)]
    np.testing.assert_allclose(found.kept, cosines, atol=1e-5)
    assert found.kept.min() < 0.9995
    pieces = [int(piece) for piece in found.text.split()]
    target = torch.tensor([[1, *pieces]])
    encoded = model.encode(ids)._replace(states=torch.from_numpy(masked)[None])
    best = model.force(encoded, target).logits[0].argmax(-1).tolist()
    assert best[: len(pieces)] == pieces  # greedy: each is the likeliest after those before it


def test_every_parameter_is_counted_once_and_by_the_paper_s_formulas() -> None:
    d, ff, layers = 24, 40, (3, 2)
    found = count_parameters(random_model())
    heads, norm, feed = 4 * d * d, 2 * d, 2 * d * ff + ff + d
    assert found.embedding == 23 * d
    assert found.encoder == layers[0] * (heads + feed + 2 * norm)
    assert found.decoder == layers[1] * (heads + feed + 2 * norm)
    assert found.cross == layers[1] * (heads + norm)
    learned = random_model(norm="pre", positions="learned")
    found = count_parameters(learned)
    assert found.total == sum(parameter.numel() for parameter in learned.parameters())
    assert found.encoder_only + found.decoder_only + found.cross == found.total + found.embedding


def test_a_translator_has_them(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    translation = translator.translate(sentences[0][0])
    states, first = encoder_states(translator, translation.source), embedded(translator, translation.source)
    assert states.shape == (translator.config.encoder_layers + 1, *first.sum.shape)  # type: ignore[union-attr]
    np.testing.assert_allclose(states[0], first.sum, atol=1e-6)
    np.testing.assert_allclose(
        states, passed(translator.transformer(), translator.ids(translation.source))[0], atol=1e-6
    )
    found = causal_reading(translator, translation.source)
    assert found.weights.shape == translation.encoder.shape
    assert found.kept.shape == (len(translation.source),)
    np.testing.assert_array_equal(found.weights[..., 0, 0], 1)
    assert parameter_counts(translator).total == sum(parameter.numel() for parameter in translator.model.parameters())
