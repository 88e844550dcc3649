"""Words, hidden tokens and reach: nothing is lost, nothing is invented."""

import numpy as np
import pytest

from model.trace import Floats, Token
from model.translate import Translator
from viz.analysis import left_out_weight, maps, reach, regroup, sharpest, side

TEXT = "unbelievable cat"


def token(label: str, start: int, end: int, word: int, special: bool = False) -> Token:
    return Token(id=5, piece=label, label=label, start=start, end=end, word=word, special=special)


TOKENS = (
    token("un", 0, 2, 0),
    token("·believ", 2, 8, 0),
    token("·able", 8, 12, 0),
    token("cat", 13, 16, 1),
    token("</s>", 16, 16, 2, special=True),
)


def random_rows(*shape: int) -> Floats:
    weights = np.random.default_rng(0).random(shape).astype(np.float32)
    return weights / weights.sum(-1, keepdims=True)


def test_words_are_what_was_typed() -> None:
    assert side(TOKENS, TEXT, words=True, specials=True).labels == ("unbelievable", "cat", "</s>")
    assert side(TOKENS, TEXT, words=True, specials=False).groups == ((0, 1, 2), (3,))
    assert side(TOKENS, TEXT, words=False, specials=False).labels == ("un", "·believ", "·able", "cat")


@pytest.mark.parametrize(("typed", "label"), [("a\u200bb", "\u2205"), ("\u202ex", "\u2205"), ("\u4f60", "\u4f60")])
def test_a_word_of_bytes_is_shown_as_typed_but_never_invisible(translator: Translator, typed: str, label: str) -> None:
    translation = translator.translate(typed)
    assert label in side(translation.source, typed, words=True, specials=False).labels


def test_merged_cells_are_sums_over_keys_and_means_over_queries() -> None:
    weights = random_rows(2, 3, 5, 5)
    words = side(TOKENS, TEXT, words=True, specials=True)
    merged = regroup(weights, words, words)
    assert merged.shape == (2, 3, 3, 3)
    np.testing.assert_allclose(merged[1, 2, 0, 1], weights[1, 2, :3, 3].mean(), rtol=1e-5)
    np.testing.assert_allclose(merged[1, 2, 1, 0], weights[1, 2, 3, :3].sum(), rtol=1e-5)


def test_rows_of_words_still_sum_to_one() -> None:
    words = side(TOKENS, TEXT, words=True, specials=True)
    np.testing.assert_allclose(regroup(random_rows(2, 3, 5, 5), words, words).sum(-1), 1, rtol=1e-5)


def test_hidden_weight_is_what_the_hidden_keys_had() -> None:
    weights = random_rows(2, 3, 5, 5)
    shown = side(TOKENS, TEXT, words=False, specials=False)
    expected = weights[:, :, :4, 4].mean()
    assert left_out_weight(regroup(weights, shown, shown)) == pytest.approx(expected, abs=1e-5)
    everything = side(TOKENS, TEXT, words=False, specials=True)
    assert left_out_weight(regroup(weights, everything, everything)) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("specials", [True, False])
def test_reach_is_exactly_where_a_masked_map_can_be_above_zero(words: bool, specials: bool) -> None:
    read = (token("<s>", 0, 0, -1, special=True), *TOKENS[:-1])
    queries = side(TOKENS, TEXT, words=words, specials=specials)
    keys = side(read, TEXT, words=words, specials=specials)
    causal = np.tril(np.ones((5, 5), np.float32))
    possible = regroup(causal, queries, keys) > 0
    for row, count in enumerate(reach(queries, keys)):
        assert possible[row].tolist() == [column < count for column in range(len(keys.labels))]


def test_sharpest_finds_the_head_with_one_key_per_row() -> None:
    weights = random_rows(2, 3, 5, 5)
    weights[1, 2] = np.eye(5)
    assert sharpest(weights) == (1, 2)


def test_maps_of_a_real_translation(translator: Translator) -> None:
    translation = translator.translate("the cat sees a dog.")
    for words in (True, False):
        for view in maps(translation, words=words, specials=True).values():
            np.testing.assert_allclose(view.weights.sum(-1), 1, atol=1e-5)
            assert view.weights.shape[2:] == (len(view.queries.labels), len(view.keys.labels))
            assert left_out_weight(view.weights) < 1e-5
