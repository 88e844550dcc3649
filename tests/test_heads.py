"""What is measured of heads and of a word in two sentences, against numbers made by hand."""

import numpy as np
import pytest

from model.experiments.alignment import ErrorRates
from model.experiments.causal_encoder import encoder_states
from model.experiments.position_encoding import embedded
from model.records import Floats
from model.translate import Translator
from viz.analysis.alignment import Alignment
from viz.analysis.habits import places
from viz.analysis.heads import (
    Head,
    ahead,
    aligned,
    aligners,
    cells,
    cosines,
    even,
    favourite,
    in_both,
    last_pronoun,
    least_kept,
    levels,
    looking_back,
    other_words,
    same_word,
    spread,
    strongest,
    words,
)
from viz.analysis.words import Side
from viz.examples import SAME_WORD


def random_rows(*shape: int) -> Floats:
    weights = np.random.default_rng(0).random(shape).astype(np.float32)
    return weights / weights.sum(-1, keepdims=True)


def test_strongest_are_the_largest_in_order() -> None:
    shares = np.array([[0.1, 0.5, 0.2], [0.4, 0.5, 0.3]], np.float32)
    assert [(each.layer, each.head) for each in strongest(shares, 4)] == [(0, 1), (1, 1), (1, 0), (1, 2)]
    assert strongest(shares, 1)[0].share == pytest.approx(0.5)
    assert len(strongest(shares, 99)) == 6


def test_the_favourite_place_has_the_strongest_head_of_all() -> None:
    found = {"first": [Head(0, 0, 0.5), Head(0, 1, 0.4)], "itself": [Head(1, 2, 0.8)], "end": [Head(0, 3, 0.7)]}
    assert favourite(found) == "itself"


def test_an_even_head_gives_each_place_its_part() -> None:
    np.testing.assert_allclose(even(2, 5, masked=False), np.full((1, 1, 2, 5), 0.2))
    masked = even(4, 4, masked=True)[0, 0]
    np.testing.assert_allclose(masked.sum(-1), 1)
    np.testing.assert_allclose(masked[2], [1 / 3, 1 / 3, 1 / 3, 0])
    shares = places(even(4, 4, masked=True), (), "", "decoder")
    assert shares["first"].item() == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert shares["previous"].item() == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)


def test_aligners_are_the_heads_below_the_bound_under_either_reading() -> None:
    heads = {"predicted": np.array([[0.9, 0.49], [0.8, 0.7]]), "read": np.array([[0.2, 0.6], [0.5, 0.9]])}
    rates = ErrorRates(pairs=1, skipped=0, heads=heads, layers={}, all={})  # type: ignore[arg-type]
    assert aligners(rates) == [Head(0, 0, 0.2), Head(0, 1, 0.49)]


def test_looking_back_names_for_each_earlier_word_its_head() -> None:
    weights = random_rows(2, 3, 4, 4)
    found = looking_back(weights, 3)
    assert {each.word for each in found} == {0, 1, 2}
    shares = [each.strongest.share for each in found]
    assert shares == sorted(shares, reverse=True)
    for each in found:
        layer, head, share = each.strongest
        assert share == weights[layer, head, 3, each.word] == weights[:, :, 3, each.word].max()
        assert each.average == pytest.approx(weights[:, :, 3, each.word].mean())
    assert looking_back(weights, 0) == []


@pytest.mark.parametrize(
    ("sentence", "place"),
    [("The animal was tired when it ran .", 5), ("It ran .", 1), ("HE said HE ran", 2), ("It", 0), ("? !", 0), ("", 0)],
)
def test_the_last_pronoun_that_can_look_back(sentence: str, place: int) -> None:
    assert last_pronoun(sentence.split()) == place


def test_a_spread_is_the_whole_row() -> None:
    weights = random_rows(2, 3, 4, 5)[..., :4]  # the fifth column, </s>, is not drawn
    found = spread(weights, 1)
    assert sum(found) == pytest.approx(1)
    assert found.earlier == pytest.approx(weights[:, :, 1, 0].mean())
    assert found.itself == pytest.approx(weights[:, :, 1, 1].mean())


def test_words_in_both_have_the_same_pieces(translator: Translator) -> None:
    one, other = translator.translate("They see the water."), translator.translate("The cat sees the water, the water!")
    assert in_both(one, other) == ["the", "water"]
    found = words(other)
    assert "The" in found
    assert found["The"].ids != found["the"].ids
    assert "," not in found
    for label, word in found.items():
        first, last = (other.source[word.places[i]] for i in (0, -1))
        assert other.source_text[first.start : last.end].strip() == label
    assert found["water"].places[0] < 8  # the first of two


def test_the_same_word_is_the_same_until_it_is_read(translator: Translator) -> None:
    one, other = translator.translate("They see the water."), translator.translate("We eat the water.")
    found = [
        levels(embedded(translator, each.source).pieces, encoder_states(translator, each.source))
        for each in (one, other)
    ]
    a, b = words(one)["water"].places, words(other)["water"].places
    curve = same_word(found[0], a, found[1], b)
    assert curve.shape == (len(found[0]),)
    assert curve[0] == pytest.approx(1, abs=1e-6)
    if a == b:
        assert curve[1] == pytest.approx(1, abs=1e-6)
    assert curve[-1] < 0.9999
    mean_a, mean_b = found[0][-1, list(a)].mean(0), found[1][-1, list(b)].mean(0)
    assert curve[-1] == pytest.approx(np.corrcoef(mean_a, mean_b)[0, 1], abs=0.2)
    np.testing.assert_allclose(same_word(found[0], a, found[0], a), 1, atol=1e-6)


def test_cosines_and_what_other_words_have() -> None:
    np.testing.assert_allclose(cosines(np.array([[3.0, 4.0], [1, 0]]), np.array([[4.0, 3.0], [0, 2]])), [0.96, 0])
    states = np.array([[[1, 0], [0, 2], [3, 3], [5, 5]]], np.float32)
    found = other_words(states, (0,), 3)  # the fourth is </s>
    assert found is not None
    np.testing.assert_allclose(found, [(0 + 0.5**0.5) / 2], atol=1e-6)
    assert other_words(states, (0, 1, 2), 3) is None


def test_aligned_is_the_row_with_most_weight_in_the_word_s_column() -> None:
    weights = np.array([[0.1, 0.6], [0.5, 0.2]], np.float32)
    rows, columns = Side(labels=("un", "mot"), groups=((0,), (1,))), Side(labels=("a", "word"), groups=((0,), (1, 2)))
    view = Alignment(weights=weights, rows=rows, columns=columns, steps=(0, 1))
    assert aligned(view, (1, 2)) == ("un", pytest.approx(0.6))
    assert aligned(view, (0,)) == ("mot", pytest.approx(0.5))
    nothing = Alignment(weights=weights[:0], rows=Side(labels=(), groups=()), columns=columns, steps=())
    assert aligned(nothing, (0,)) is None


def test_ahead_is_what_a_mask_would_take() -> None:
    weights = np.zeros((1, 3, 3, 3), np.float32)
    weights[0, 0] = np.eye(3)
    weights[0, 1] = [[0, 1, 0], [0, 0, 1], [0, 0, 1]]
    weights[0, 2] = np.full((3, 3), 1 / 3)
    found = ahead(weights)
    assert found.least == Head(0, 0, 0)
    assert (found.most.layer, found.most.head) == (0, 1)
    assert found.most.share == pytest.approx(2 / 3)
    assert found.mean == pytest.approx((0 + 2 / 3 + 1 / 3) / 3)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_cells_are_those_that_a_mask_leaves(count: int) -> None:
    assert cells(count, masked=True) == np.tril(np.ones((count, count))).sum()
    assert cells(count, masked=False) == count * count


def test_least_kept_are_the_smallest() -> None:
    assert least_kept(np.array([0.5, 0.25, 1], np.float32), 2) == [(1, 0.25), (0, 0.5)]


def test_examples_have_their_word_at_one_place(bundled: Translator) -> None:
    for word, sentences in SAME_WORD.items():
        found = [words(bundled.translate(sentence))[word] for sentence in sentences]
        assert len(set(found)) == 1, word
