"""Positions: the formula, the rotation that shifts them, and an encoder that has lost them."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from model import positions
from model.attention import attention
from model.checkpoint import LoadedCheckpoint, load_checkpoint
from model.config import RnnConfig
from model.positions import (
    dot_products,
    embed,
    encode_orders,
    frequencies,
    lengths,
    move,
    order_experiment,
    order_pieces,
    order_text,
    parts,
    read_order,
    shift,
    shift_error,
    shuffled,
    some_dimensions,
    table,
    wavelength,
    ways,
    words,
)
from model.rnn import Rnn
from model.search import search
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
    monkeypatch.setattr(positions, "shift", lambda k, d_model: shift(k, d_model).T)
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
    sinusoidal, learned, none = ways(50, 64)
    assert [way.name for way in (sinusoidal, learned, none)] == ["sinusoidal", "learned", "none"]
    assert sinusoidal.largest == pytest.approx(32)
    np.testing.assert_allclose(sinusoidal.dots, dot_products(table(50, 64)) / 32, atol=1e-5)
    assert learned.dots.max() == 1
    assert np.abs(learned.dots - np.diag(learned.dots.diagonal())).max() < 0.7  # nobody's neighbour
    assert (sinusoidal.parameters, learned.parameters, none.parameters) == (0, 50 * 64, 0)
    assert none.largest == 0
    assert not none.dots.any()
    again, other = ways(50, 64)[1], ways(50, 64, seed=1)[1]
    np.testing.assert_array_equal(learned.dots, again.dots)
    assert (learned.dots != other.dots).any()


def test_learned_positions_start_as_a_model_that_learns_them_does() -> None:
    model = Transformer(dataclasses.replace(random_model().config, positions="learned", max_length=500))
    start = model.embedding.positions
    assert start is not None
    mean_square = start.detach().square().mean().item()
    learned = ways(500, model.config.d_model)[1]
    assert learned.largest * learned.dots.diagonal().mean() / model.config.d_model == pytest.approx(
        mean_square, rel=0.05
    )


# In a sentence


@pytest.mark.parametrize("kind", ["sinusoidal", "learned", "none"])
def test_parts_add_up_to_what_the_encoder_reads(kind: str) -> None:
    model, ids = random_model(positions=kind), random_ids(2, 7)
    pieces, places = parts(model, ids)
    assert places.shape == pieces.shape[1:]
    assert torch.equal(pieces + places, model.embed(ids))
    assert places.any() == (kind != "none")


def test_lengths_of_the_parts_of_a_sentence(translator: Translator) -> None:
    found = translator.embedded(translator.translate(SENTENCE))
    width = transformer(translator).config.d_model
    np.testing.assert_array_equal(found.sum, found.pieces + found.positions)
    np.testing.assert_allclose(lengths(found.positions), math.sqrt(width / 2), rtol=1e-5)
    np.testing.assert_allclose(lengths(found.sum) ** 2, (found.sum**2).sum(-1), rtol=1e-5)
    assert found.factor == math.sqrt(width)
    assert found.largest == max(abs(part).max() for part in (found.pieces, found.positions, found.sum))
    assert embed(transformer(translator), source_ids(translator, "?")).sum.shape == (2, width)


# Order


def test_orders_are_random_but_repeatable_and_never_as_typed() -> None:
    assert shuffled(1, 3) == (0,)
    assert shuffled(0, 3) == ()
    assert {shuffled(2, seed) for seed in range(20)} == {(1, 0)}
    assert shuffled(9, 5) == shuffled(9, 5)
    assert len({shuffled(9, seed) for seed in range(20)}) == 20
    assert all(sorted(shuffled(9, seed)) == list(range(9)) for seed in range(20))


def test_an_order_is_read_as_typed() -> None:
    assert read_order("3 1 2", 3) == (2, 0, 1)
    assert read_order(" 2,1; 3 ", 3) == (1, 0, 2)
    for wrong in ("", "1 2", "1 2 2", "0 1 2", "1 2 3 4", "3 1 x", "1 -2 3", "one", "1 2 ٣"):
        with pytest.raises(ValueError, match="every number from 1 to 3 once"):
            read_order(wrong, 3)


@pytest.mark.parametrize(
    ("text", "order", "shown"),
    [
        ("The cat sleeps.", (2, 3, 1, 0), "sleeps. cat The"),
        ("The cat sleeps.", (3, 0, 1, 2), ". The cat sleeps"),
        ("  the   cat", (1, 0), "cat the"),
        ("I don't", (2, 0, 1), "n't I do"),
        ("<b> $x$", (4, 3, 0, 1, 2, 5), "x $ <b>$"),
        ("مرحبا بكم", (1, 0), "بكم مرحبا"),
        ("🙂 x", (1, 0), "x 🙂"),
        ("hello", (0,), "hello"),
    ],
)
def test_whole_words_change_places(translator: Translator, text: str, order: tuple[int, ...], shown: str) -> None:
    source = translator.translate(text).source
    assert len(words(source)) == len(order)
    assert order_text(text, source, order) == shown
    pieces = order_pieces(source, order)
    assert sorted(pieces) == list(range(len(source)))
    assert source[pieces[-1]].special
    numbers = [source[i].word for i in pieces[:-1]]
    assert list(dict.fromkeys(numbers)) == [source[words(source)[word][0]].word for word in order]
    for group in words(source):
        place = pieces.index(group[0])
        assert pieces[place : place + len(group)] == group


def test_the_words_as_typed_are_the_text_as_typed(translator: Translator) -> None:
    for text in (SENTENCE, "I don't like 12 eggs, do you?", "a\x00b", "▁▁▁", "你好，世界"):
        source = translator.translate(text).source
        assert order_text(text, source, range(len(words(source)))) == text


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("which", ["translator", "bundled"])
def test_without_positions_order_cannot_be_seen(which: str, seed: int, request: pytest.FixtureRequest) -> None:
    chosen: Translator = request.getfixturevalue(which)
    model, ids = transformer(chosen), source_ids(chosen, SENTENCE)
    order = np.random.default_rng(seed).permutation(len(ids)).tolist()  # </s> may stand anywhere too
    off = order_experiment(model, ids, order, False, decode=str)
    on = order_experiment(model, ids, order, True, decode=str)
    assert off.states.shape == off.other.shape == (len(ids), model.config.d_model)
    assert off.difference < 1e-4
    assert off.alike
    assert on.difference > 0.5
    assert not on.alike
    assert on.difference == np.abs(on.states - on.other).max()
    assert 0 < on.size < on.largest
    assert off.translations[0] == off.translations[1]


@pytest.mark.parametrize("which", ["translator", "bundled"])
def test_without_positions_the_decoder_sees_no_order_either(which: str, request: pytest.FixtureRequest) -> None:
    """Cross-attention is a sum over keys: every log-probability of a given target agrees to rounding."""
    chosen: Translator = request.getfixturevalue(which)
    model, translation = transformer(chosen), chosen.translate(SENTENCE)
    ids = torch.tensor([token.id for token in translation.source])
    read = torch.tensor([[token.id for token in translation.decoder_input]]).repeat(2, 1)
    order = torch.tensor(order_pieces(translation.source, shuffled(len(words(translation.source)), 1)))

    @torch.inference_mode()
    def apart(positions: bool) -> float:
        _, encoded = encode_orders(model, ids, order, positions)
        own, other = model.force(encoded, read).logits.log_softmax(-1)
        return (own - other).abs().max().item()

    assert apart(False) < 1e-3
    assert apart(True) > 1


def test_with_positions_it_is_the_ordinary_encoder(translator: Translator) -> None:
    model, ids = transformer(translator), source_ids(translator, SENTENCE)
    order = torch.arange(len(ids)).roll(1)
    both, encoded = encode_orders(model, ids, order, True)
    assert torch.equal(both, torch.stack((ids, ids[order])))
    assert torch.equal(encoded.states, model.encode(both).states)


def test_the_translator_shuffles_words_and_translates_both(translator: Translator) -> None:
    translation = translator.translate(SENTENCE)
    count = len(words(translation.source))
    same = translator.order_experiment(translation, range(count), positions=True)
    assert same.difference == 0
    assert same.reads_the_same
    assert same.translations == (translation.text, translation.text)
    found = translator.order_experiment(translation, tuple(reversed(range(count))), positions=True)
    assert not found.reads_the_same
    assert found.positions
    # Row i of both is piece i of the sentence: what the reversed pieces become, each at its place.
    model = transformer(translator)
    pieces = order_pieces(translation.source, tuple(reversed(range(count))))
    ids = source_ids(translator, SENTENCE)[list(pieces)]
    np.testing.assert_allclose(found.other[list(pieces)], model.encode(ids[None], attention).states[0], atol=1e-5)
    alone = search(model, ids[None])[0][0].ids
    assert found.translations == (translation.text, translator.tokenizer.decode(alone)[0])


def test_equal_words_that_change_places_make_no_other_sentence(translator: Translator) -> None:
    translation = translator.translate("the cat the cat")
    assert translator.order_experiment(translation, (2, 3, 0, 1), positions=True).reads_the_same
    assert not translator.order_experiment(translation, (1, 0, 2, 3), positions=True).reads_the_same


def test_the_model_stays_as_it_is(translator: Translator) -> None:
    model, translation = transformer(translator), translator.translate(SENTENCE)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    places = model.embedding.positions
    assert places is not None
    kept = places.clone()
    attributes = {name: dict(vars(layer)) for name, layer in model.named_modules()}
    order = shuffled(len(words(translation.source)), 0)
    first = translator.order_experiment(translation, order, positions=False)
    translator.embedded(translation)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert model.embedding.positions is places
    assert torch.equal(places, kept)
    for name, layer in model.named_modules():
        assert vars(layer).keys() == attributes[name].keys()
        assert all(attributes[name][key] is value for key, value in vars(layer).items())
    again = translator.order_experiment(translation, order, positions=False)
    np.testing.assert_array_equal(first.other, again.other)


def test_a_recurrent_model_has_no_positions(translator: Translator, tiny: Path) -> None:
    rnn = Rnn(RnnConfig(vocab_size=len(translator.tokenizer), d_model=8)).eval().requires_grad_(False)
    loaded: LoadedCheckpoint = dataclasses.replace(load_checkpoint(tiny), model=rnn)
    recurrent = Translator(loaded, torch.device("cpu"))
    translation = translator.translate("They see.")
    with pytest.raises(ValueError, match="it has no positions"):
        recurrent.embedded(translation)
    with pytest.raises(ValueError, match="it has no positions"):
        recurrent.order_experiment(translation, (1, 0, 2), positions=True)
