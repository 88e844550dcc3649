"""The encoder layer by layer and under a mask, against the model's own passes, and its parameters by formula."""

from typing import Literal

import numpy as np
import pytest
import torch

from model.attention import attention
from model.halves import encoder_states, one_way, parts, read
from model.translate import Translator
from tests.oracle import random_ids, random_model

NORMS: tuple[Literal["post", "pre"], ...] = ("post", "pre")


@pytest.mark.parametrize("norm", NORMS)
def test_states_begin_with_the_embedding_and_end_with_what_the_decoder_reads(norm: str) -> None:
    model, ids = random_model(norm=norm), random_ids(1, 7)
    states, weights = read(model, ids)
    encoded = model.encode(ids, attention)
    assert states.shape == (4, 7, 24)
    torch.testing.assert_close(states[:1], model.embed(ids))
    torch.testing.assert_close(states[-1:], encoded.states)
    for found, expected in zip(weights, encoded.weights, strict=True):
        assert expected is not None
        torch.testing.assert_close(found, expected[0])
    torch.testing.assert_close(encoder_states(model, ids), states)
    if norm == "post":
        second, _ = model.encoder[0](states[:1], None, attention)
        torch.testing.assert_close(states[1:2], second)


@pytest.mark.parametrize("norm", NORMS)
def test_under_the_mask_a_state_knows_nothing_of_what_follows(norm: str) -> None:
    model, ids = random_model(norm=norm), random_ids(1, 8)
    states, weights = read(model, ids, ahead=False)
    beginning, _ = read(model, ids[:, :5], ahead=False)
    torch.testing.assert_close(states[:, :5], beginning)
    assert not weights.triu(1).any()
    torch.testing.assert_close(weights.sum(-1), torch.ones(3, 4, 8))
    both_ways, _ = read(model, ids)
    assert not torch.allclose(both_ways[-1, :5], read(model, ids[:, :5])[0][-1], atol=1e-3)
    torch.testing.assert_close(states[0], both_ways[0])  # nothing has been looked at yet


def test_one_way_compares_and_translates_what_the_mask_leaves() -> None:
    model, ids = random_model(), random_ids(1, 6)
    found = one_way(model, ids, decode=lambda pieces: " ".join(map(str, pieces)))
    masked, usual = (read(model, ids, ahead=ahead)[0][-1].numpy() for ahead in (False, True))
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
    found = parts(random_model())
    heads, norm, feed = 4 * d * d, 2 * d, 2 * d * ff + ff + d
    assert found.embedding == 23 * d
    assert found.encoder == layers[0] * (heads + feed + 2 * norm)
    assert found.decoder == layers[1] * (heads + feed + 2 * norm)
    assert found.cross == layers[1] * (heads + norm)
    learned = random_model(norm="pre", positions="learned")
    found = parts(learned)
    assert found.total == sum(parameter.numel() for parameter in learned.parameters())
    assert found.encoder_only + found.decoder_only + found.cross == found.total + found.embedding


def test_a_translator_has_them(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    translation = translator.translate(sentences[0][0])
    states, embedded = translator.encoder_states(translation), translator.embedded(translation)
    assert states.shape == (translator.config.encoder_layers + 1, *embedded.sum.shape)  # type: ignore[union-attr]
    np.testing.assert_allclose(states[0], embedded.sum, atol=1e-6)
    found = translator.one_way(translation)
    assert found.weights.shape == translation.encoder.shape
    assert found.kept.shape == (len(translation.source),)
    np.testing.assert_array_equal(found.weights[..., 0, 0], 1)
    assert translator.parts().total == sum(parameter.numel() for parameter in translator.model.parameters())
