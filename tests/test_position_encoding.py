"""Positions: the formula, the rotation that shifts them, and what a sentence gets of them."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from model.activations import encoder_activations
from model.checkpoint import LoadedCheckpoint, load_checkpoint
from model.config import RnnConfig
from model.experiments import position_encoding
from model.experiments.position_encoding import (
    dot_products,
    embed,
    embedded,
    frequencies,
    lengths,
    move,
    position_schemes,
    shift,
    shift_error,
    some_dimensions,
    table,
    wavelength,
)
from model.rnn import Rnn
from model.transformer import Transformer
from model.translate import Translator
from tests.oracle import random_ids, random_model

WIDTHS = (2, 12, 32, 256)
SHIFTS = (-7, 0, 1, 2, 17, 49)
SENTENCE = "They see the white cat on the table."


def transformer(translator: Translator) -> Transformer:
    assert isinstance(translator.model, Transformer)
    return translator.model


def source_ids(translator: Translator, text: str) -> torch.Tensor:
    return torch.tensor([token.id for token in translator.translate(text).source])


# The table


@pytest.mark.parametrize("width", WIDTHS)
def test_the_table_is_the_papers(width: int) -> None:
    position = np.arange(60)[:, None]
    exact = np.zeros((60, width))
    exact[:, 0::2] = np.sin(position / 10000 ** (np.arange(0, width, 2) / width))
    exact[:, 1::2] = np.cos(position / 10000 ** (np.arange(0, width, 2) / width))
    np.testing.assert_allclose(table(60, width, np.float64), exact, atol=1e-13)
    assert table(60, width).dtype == np.float32
    np.testing.assert_allclose(table(60, width), exact, atol=1e-7)


def test_it_is_the_table_of_the_model(translator: Translator) -> None:
    model = transformer(translator)
    assert model.embedding.positions is not None
    np.testing.assert_array_equal(table(model.config.max_length, model.config.d_model), model.embedding.positions)


def test_a_dimension_is_back_after_its_wavelength() -> None:
    """Dimensions 2i of width 4 turn once in 2 pi and in 200 pi positions: 628 of them are nearly 100 and 1 turns."""
    assert [wavelength(dimension, 4) for dimension in range(4)] == pytest.approx(
        [2 * math.pi, 2 * math.pi, 200 * math.pi, 200 * math.pi]
    )
    vectors = table(629, 4)
    np.testing.assert_allclose(vectors[628], vectors[0], atol=0.32)  # 628 is 0.32 short of 200 pi
    np.testing.assert_allclose(vectors[628, 2:], vectors[0, 2:], atol=0.0032)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_dimensions_shown_first_are_sines_of_the_table(width: int) -> None:
    found = some_dimensions(width)
    assert found[0] == 0
    assert len(set(found)) == len(found)
    assert all(dimension % 2 == 0 and dimension < width for dimension in found)
    assert len(found) == 4 or width < 16


@pytest.mark.parametrize("width", WIDTHS)
def test_dot_products_depend_on_the_distance_alone(width: int) -> None:
    dots = dot_products(table(40, width))
    apart = np.subtract.outer(np.arange(40), np.arange(40))
    expected = np.cos(apart[..., None] * frequencies(width)).sum(-1)
    np.testing.assert_allclose(dots, expected, atol=1e-4)
    np.testing.assert_allclose(dots.diagonal(), width / 2, rtol=1e-5)


# The shift


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("k", SHIFTS)
def test_a_shift_is_a_rotation_whatever_the_position(k: int, width: int) -> None:
    assert shift_error(k, width, 128) < 1e-5
    assert shift_error(k, width, 128, np.float64) < 1e-10
    vectors, matrix = table(128, width, np.float64), shift(k, width)
    for position in range(max(0, -k), 128 - max(0, k), 9):
        np.testing.assert_allclose(matrix @ vectors[position], vectors[position + k], atol=1e-10)


def test_the_measured_error_sees_a_wrong_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shift_error(3, 12, 20) < 1e-5
    monkeypatch.setattr(position_encoding, "shift", lambda k, d_model: shift(k, d_model).T)
    assert shift_error(3, 12, 20) > 0.1


@pytest.mark.parametrize("width", WIDTHS)
def test_shifts_are_orthogonal_blocks_and_add_up(width: int) -> None:
    np.testing.assert_allclose(shift(0, width), np.eye(width))
    for a, b in ((1, 1), (5, -5), (17, 40)):
        np.testing.assert_allclose(shift(a, width) @ shift(b, width), shift(a + b, width), atol=1e-10)
    matrix = shift(5, width)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(width), atol=1e-12)
    blocks = np.kron(np.eye(width // 2), np.ones((2, 2)))
    assert not matrix[blocks == 0].any()


def test_one_position_moved_is_the_other() -> None:
    found = move(11, 4, 32)
    np.testing.assert_array_equal(found.before, table(20, 32)[11])
    np.testing.assert_array_equal(found.true, table(20, 32)[15])
    np.testing.assert_allclose(found.moved, found.true, atol=1e-6)
    assert found.degrees[0] == pytest.approx(math.degrees(4))
    assert found.degrees.shape == (16,)


# Other ways


def test_other_ways_are_what_they_say() -> None:
    sinusoidal, learned, none = position_schemes(50, 64)
    assert [way.name for way in (sinusoidal, learned, none)] == ["sinusoidal", "learned", "none"]
    assert sinusoidal.largest == pytest.approx(32)
    np.testing.assert_allclose(sinusoidal.dots, dot_products(table(50, 64)) / 32, atol=1e-5)
    assert learned.dots.max() == 1
    assert np.abs(learned.dots - np.diag(learned.dots.diagonal())).max() < 0.7  # nobody's neighbour
    assert (sinusoidal.parameters, learned.parameters, none.parameters) == (0, 50 * 64, 0)
    assert none.largest == 0
    assert not none.dots.any()
    again, other = position_schemes(50, 64)[1], position_schemes(50, 64, seed=1)[1]
    np.testing.assert_array_equal(learned.dots, again.dots)
    assert (learned.dots != other.dots).any()


def test_learned_positions_start_as_a_model_that_learns_them_does() -> None:
    model = Transformer(dataclasses.replace(random_model().config, positions="learned", max_length=500))
    start = model.embedding.positions
    assert start is not None
    mean_square = start.detach().square().mean().item()
    learned = position_schemes(500, model.config.d_model)[1]
    assert learned.largest * learned.dots.diagonal().mean() / model.config.d_model == pytest.approx(
        mean_square, rel=0.05
    )


# In a sentence


@pytest.mark.parametrize("kind", ["sinusoidal", "learned", "none"])
def test_parts_add_up_to_what_the_encoder_reads(kind: str) -> None:
    model, ids = random_model(positions=kind), random_ids(2, 7)
    found = encoder_activations(model, ids).embedded
    pieces, places = found.pieces, found.positions
    assert places.shape == pieces.shape[1:]
    assert torch.equal(pieces + places, model.embed(ids))
    assert torch.equal(found.sum, model.embed(ids))
    assert places.any() == (kind != "none")


def test_lengths_of_the_parts_of_a_sentence(translator: Translator) -> None:
    found = embedded(translator, translator.translate(SENTENCE).source)
    width = transformer(translator).config.d_model
    np.testing.assert_array_equal(found.sum, found.pieces + found.positions)
    np.testing.assert_allclose(lengths(found.positions), math.sqrt(width / 2), rtol=1e-5)
    np.testing.assert_allclose(lengths(found.sum) ** 2, (found.sum**2).sum(-1), rtol=1e-5)
    assert found.factor == math.sqrt(width)
    assert found.largest == max(abs(part).max() for part in (found.pieces, found.positions, found.sum))
    assert embed(transformer(translator), source_ids(translator, "?")).sum.shape == (2, width)


def test_a_recurrent_model_has_no_positions(translator: Translator, tiny: Path) -> None:
    rnn = Rnn(RnnConfig(vocab_size=len(translator.tokenizer), d_model=8)).eval().requires_grad_(False)
    loaded: LoadedCheckpoint = dataclasses.replace(load_checkpoint(tiny), model=rnn)
    recurrent = Translator(loaded, torch.device("cpu"))
    translation = translator.translate("They see.")
    with pytest.raises(ValueError, match="no positions"):
        embedded(recurrent, translation.source)
