"""The words in another order: how it is read and written, and an encoder that has lost its positions."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from model.attention import attention
from model.checkpoint import LoadedCheckpoint, load_checkpoint
from model.config import RnnConfig
from model.experiments.position_encoding import (
    embedded,
)
from model.experiments.word_order import (
    encode_orders,
    order_experiment,
    order_pieces,
    order_text,
    read_order,
    shuffled,
    word_order,
)
from model.records import word_groups
from model.rnn import Rnn
from model.search import search
from model.transformer import Transformer
from model.translate import Translator

SENTENCE = "They see the white cat on the table."


def transformer(translator: Translator) -> Transformer:
    assert isinstance(translator.model, Transformer)
    return translator.model


def source_ids(translator: Translator, text: str) -> torch.Tensor:
    return torch.tensor([token.id for token in translator.translate(text).source])


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
    assert len(word_groups(source)) == len(order)
    assert order_text(text, source, order) == shown
    pieces = order_pieces(source, order)
    assert sorted(pieces) == list(range(len(source)))
    assert source[pieces[-1]].special
    numbers = [source[i].word for i in pieces[:-1]]
    assert list(dict.fromkeys(numbers)) == [source[word_groups(source)[word][0]].word for word in order]
    for group in word_groups(source):
        place = pieces.index(group[0])
        assert pieces[place : place + len(group)] == group


def test_the_words_as_typed_are_the_text_as_typed(translator: Translator) -> None:
    for text in (SENTENCE, "I don't like 12 eggs, do you?", "a\x00b", "▁▁▁", "你好，世界"):
        source = translator.translate(text).source
        assert order_text(text, source, range(len(word_groups(source)))) == text


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
    order = torch.tensor(order_pieces(translation.source, shuffled(len(word_groups(translation.source)), 1)))

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
    assert torch.equal(encoded.states, model.encode(both, attention).states)


def test_the_translator_shuffles_words_and_translates_both(translator: Translator) -> None:
    translation = translator.translate(SENTENCE)
    count = len(word_groups(translation.source))
    same = word_order(translator, translation.source, range(count), True)
    assert same.difference == 0
    assert same.reads_the_same
    assert same.translations == (translation.text, translation.text)
    found = word_order(translator, translation.source, tuple(reversed(range(count))), True)
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
    assert word_order(translator, translation.source, (2, 3, 0, 1), True).reads_the_same
    assert not word_order(translator, translation.source, (1, 0, 2, 3), True).reads_the_same


def test_the_model_stays_as_it_is(translator: Translator) -> None:
    model, translation = transformer(translator), translator.translate(SENTENCE)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    places = model.embedding.positions
    assert places is not None
    kept = places.clone()
    attributes = {name: dict(vars(layer)) for name, layer in model.named_modules()}
    order = shuffled(len(word_groups(translation.source)), 0)
    first = word_order(translator, translation.source, order, False)
    embedded(translator, translation.source)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert model.embedding.positions is places
    assert torch.equal(places, kept)
    for name, layer in model.named_modules():
        assert vars(layer).keys() == attributes[name].keys()
        assert all(attributes[name][key] is value for key, value in vars(layer).items())
    again = word_order(translator, translation.source, order, False)
    np.testing.assert_array_equal(first.other, again.other)


def test_a_recurrent_model_has_no_positions(translator: Translator, tiny: Path) -> None:
    rnn = Rnn(RnnConfig(vocab_size=len(translator.tokenizer), d_model=8)).eval().requires_grad_(False)
    loaded: LoadedCheckpoint = dataclasses.replace(load_checkpoint(tiny), model=rnn)
    recurrent = Translator(loaded, torch.device("cpu"))
    translation = translator.translate("They see.")
    with pytest.raises(ValueError, match="no positions"):
        word_order(recurrent, translation.source, (1, 0, 2), True)
