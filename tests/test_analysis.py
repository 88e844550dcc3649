"""Words, hidden tokens and reach: nothing is lost, nothing is invented."""

import dataclasses
import itertools

import numpy as np
import pytest
import torch

from model.config import RnnConfig, TransformerConfig
from model.experiments.alignment import VIEWS, ErrorRates, Gold
from model.experiments.head_steps import value_lengths
from model.experiments.timing import measure_times
from model.records import Checkpoint, Floats, Token, Translation
from model.translate import Translator
from viz.analysis.alignment import (
    Alignment,
    Pick,
    alignment,
    error_rate,
    gold_cells,
    leaderboard,
    picked,
    pointing_alike,
    usual_view,
)
from viz.analysis.candidates import candidates
from viz.analysis.correlation import PAIRS, WITNESSES, by_chance, ranks, spearman, strength, witnesses
from viz.analysis.growth import power_law, waiting
from viz.analysis.habits import habits
from viz.analysis.influence import by_distance, relative_influence, shares
from viz.analysis.maps import METHODS, Method, by_method, maps, maps_of, sharpest
from viz.analysis.rollout import cross_rollout, rollout, value_weighted
from viz.analysis.vectors import least_alike, likeness, two_ways
from viz.analysis.words import Side, left_out_weight, reach, regroup, side

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


@pytest.mark.parametrize(("typed", "label"), [
    ("a\ue000b", "\u2205"), ("\u4f60", "\u4f60"), ("zxq\u00adzxq", "zxqzxq"), ("zxq\u200bu\u0308", "zxqu\u0308"),
])  # fmt: skip
def test_a_word_is_shown_as_typed_but_never_invisible(translator: Translator, typed: str, label: str) -> None:
    translation = translator.translate(typed)
    assert label in side(translation.source, typed, words=True, specials=False).labels


def test_an_invisible_word_that_a_model_writes_has_a_sign(translator: Translator) -> None:
    vocabulary = translator.tokenizer.vocabulary.get_vocab()
    text, tokens = translator.tokenizer.decode([vocabulary[f"<0x{byte:02X}>"] for byte in "\u200b".encode()])
    assert side(tokens, text, words=True, specials=True).labels == ("\u2205",)


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
        for view in maps(by_method(translation, "raw", {}), translation, words=words, specials=True).values():
            np.testing.assert_allclose(view.weights.sum(-1), 1, atol=1e-5)
            assert view.weights.shape[2:] == (len(view.queries.labels), len(view.keys.labels))
            assert left_out_weight(view.weights) < 1e-5


def forced_pair(translator: Translator, sentences: list[tuple[str, str]]) -> Translation:
    english, french = sentences[3]
    return translator.translate(english, target=french)


def random_cross(translation: Translation) -> Translation:
    """The same with weights that differ from head to head."""
    rng = np.random.default_rng(0)
    cross = rng.dirichlet(np.ones(translation.cross.shape[-1]), translation.cross.shape[:3]).astype(np.float32)
    return dataclasses.replace(translation, cross=cross)


def test_picks_are_a_head_a_layer_or_all(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    cross = random_cross(forced_pair(translator, sentences)).cross
    np.testing.assert_array_equal(picked(cross, Pick(view="read", layer=1, head=0)), cross[1, 0])
    np.testing.assert_allclose(picked(cross, Pick(view="read", layer=0)), sum(cross[0]) / len(cross[0]), rtol=1e-5)
    every = cross.reshape(-1, *cross.shape[2:])
    np.testing.assert_allclose(picked(cross, Pick(view="read")), sum(every) / len(every), rtol=1e-5)


@pytest.mark.parametrize("words", [False, True])
def test_alignment_rows_are_the_steps_that_they_name(
    translator: Translator, sentences: list[tuple[str, str]], words: bool
) -> None:
    translation = random_cross(forced_pair(translator, sentences))
    head = translation.cross[0, 1]
    for later, view in enumerate(VIEWS):
        found = alignment(translation, Pick(view=view, layer=0, head=1), words=words, specials=True)
        assert "</s>" not in found.rows.labels
        assert found.columns.labels[-1] == "</s>"
        assert len(found.weights) == len(found.rows.labels) == len(found.steps)
        np.testing.assert_allclose(found.weights.sum(-1), 1, rtol=1e-5)
        for row, group, step in zip(found.weights, found.rows.groups, found.steps, strict=True):
            assert step == group[0] + later
            # The token at that step is the row's: predicted there, or read there.
            tokens = translation.decoder_input if later else translation.target
            assert tokens[step].word == translation.target[group[0]].word
            expected = head[[piece + later for piece in group]].mean(0)
            merged = [expected[list(columns)].sum() for columns in found.columns.groups]
            np.testing.assert_allclose(row, merged, rtol=1e-5)


def test_a_model_without_attention_has_an_alignment_of_zeros(
    translator: Translator, sentences: list[tuple[str, str]]
) -> None:
    translation = forced_pair(translator, sentences)
    size = translation.cross.shape[2:]
    nothing = dataclasses.replace(translation, cross=np.zeros((0, 0, *size), np.float32))
    found = alignment(nothing, Pick(view="predicted"), words=False, specials=True)
    assert found.weights.shape == (size[0] - 1, size[1])
    assert not found.weights.any()


def test_pointing_alike_leaves_the_end_out() -> None:
    one = Alignment(
        weights=np.array([[0.5, 0.1, 0.4], [0.1, 0.2, 0.7]], np.float32),
        rows=Side(labels=("x", "y"), groups=((0,), (1,))),
        columns=Side(labels=("a", "b", "</s>"), groups=((0,), (1,), (2,))),
        steps=(0, 1),
    )
    other = dataclasses.replace(one, weights=np.array([[0.2, 0.1, 0.7], [0.2, 0.1, 0.7]], np.float32))
    assert pointing_alike(one, other, specials=True) == (True, False)
    assert pointing_alike(one, other, specials=False) == (False, True)  # the third column is then a word like others
    others = dataclasses.replace(other, rows=Side(labels=("x",), groups=((0, 1),)))
    assert pointing_alike(one, others, specials=True) == ()


def test_gold_cells_are_where_words_meet_and_rates_count_them() -> None:
    target = (*TOKENS[:4], TOKENS[4])
    gold = Gold(
        source=TEXT, target=TEXT, source_words=((0, 12), (13, 16)), target_words=((0, 12), (13, 16)),
        sure=frozenset({(0, 1)}), possible=frozenset({(0, 1), (1, 0)}),
    )  # fmt: skip
    cross = np.zeros((1, 1, 5, 5), np.float32)
    cross[0, 0, :3, 3] = 1  # the first word looks at the second: possible
    cross[0, 0, 3, 0] = 1  # the second at the first: sure
    translation = Translation(
        source_text=TEXT, text=TEXT, source=TOKENS, target=target, decoder_input=target, encoder=cross, decoder=cross,
        cross=cross, log_probs=np.zeros(5, np.float32), alternatives=(), forced=True, left_out=0, left_out_from=16,
        checkpoint=Checkpoint(name="x", fingerprint="y"),
    )  # fmt: skip
    pick = Pick(view="predicted", layer=0, head=0)
    view = alignment(translation, pick, words=True, specials=False)
    assert set(gold_cells(gold, translation, view)) == {(1, 0, True), (0, 1, False)}
    pieces = alignment(translation, pick, words=False, specials=False)
    assert set(gold_cells(gold, translation, pieces)) == {(3, c, True) for c in range(3)} | {
        (r, 3, False) for r in range(3)
    }
    assert error_rate(gold, translation, pick) == pytest.approx(1 - (1 + 2) / (2 + 1))


def test_usual_view_is_the_one_with_the_lower_rate() -> None:
    rates = ErrorRates(
        pairs=1, skipped=0, heads={"predicted": np.array([[0.5, 0.1]]), "read": np.array([[0.4, 0.3]])},
        layers={"predicted": np.array([0.2]), "read": np.array([0.6])}, all={"predicted": 0.9, "read": 0.8},
    )  # fmt: skip
    assert [usual_view(rates, *where) for where in ((0, 0), (0, 1), (0, None), (None, None))] == [
        "read", "predicted", "predicted", "read",
    ]  # fmt: skip
    entries = leaderboard({"T": rates})
    assert [(e.kind, e.view, e.error_rate) for e in entries] == [
        ("head", "predicted", 0.1), ("layer", "predicted", 0.2), ("head", "read", 0.3), ("layer", "read", 0.6),
        ("all", "read", 0.8), ("all", "predicted", 0.9),
    ]  # fmt: skip
    assert (entries[0].layer, entries[0].head) == (0, 1)


def test_candidates_always_have_the_piece_that_was_taken(
    translator: Translator, sentences: list[tuple[str, str]]
) -> None:
    odd = translator.translate(sentences[0][0], target=sentences[5][1])
    for step, token, log_prob in zip(candidates(odd), odd.target, odd.log_probs, strict=True):
        (taken,) = [each for each in step if each.taken]
        assert taken.probability == pytest.approx(np.exp(log_prob), rel=1e-4)
        if len(step) > len(odd.alternatives[0]):
            assert (step[-1].label, step[-1].taken) == (token.label, True)
        best = [each.probability for each in step[: len(odd.alternatives[0])]]
        assert best == sorted(best, reverse=True)
    assert any(len(step) > len(odd.alternatives[0]) for step in candidates(odd))


def test_by_distance_is_the_mean_over_diagonals_next_to_the_middle_one() -> None:
    influence = np.arange(1, 17, dtype=np.float32).reshape(4, 4)
    means, counts = by_distance(influence)
    for k in range(4):
        cells = [influence[j, i] for j in range(4) for i in range(4) if abs(i - j) == k]
        assert means[k] == pytest.approx(np.mean(cells) / np.mean(np.diag(influence)))
        assert counts[k] == len(cells)


def test_shares_sum_to_one_unless_all_is_nothing() -> None:
    np.testing.assert_allclose(shares(np.array([1, 3], np.float32)), [0.25, 0.75])
    np.testing.assert_array_equal(shares(np.zeros(3, np.float32)), np.zeros(3))


def test_value_weighted_rows_are_shares_of_weight_times_norm() -> None:
    weights, norms = random_rows(2, 3, 4, 5), np.random.default_rng(1).random((2, 3, 5)).astype(np.float32)
    found = value_weighted(weights, norms)
    row = weights[1, 2, 3] * norms[1, 2]
    np.testing.assert_allclose(found[1, 2, 3], row / row.sum(), rtol=1e-5)
    np.testing.assert_allclose(found.sum(-1), 1, rtol=1e-5)
    np.testing.assert_array_equal(value_weighted(weights, np.zeros_like(norms)), np.zeros_like(weights))


def test_rollout_is_the_product_of_half_mixed_layers() -> None:
    weights = random_rows(3, 2, 4, 4)
    product = np.eye(4)
    for layer in range(3):
        product = (0.5 * (weights[layer, 0] + weights[layer, 1]) / 2 + 0.5 * np.eye(4)) @ product
        np.testing.assert_allclose(rollout(weights)[layer, 0], product, atol=1e-6)
    np.testing.assert_allclose(rollout(weights).sum(-1), 1, atol=1e-5)
    cross = random_rows(2, 2, 3, 4)
    np.testing.assert_allclose(cross_rollout(cross, weights)[1, 0], cross[1].mean(0) @ product, atol=1e-5)


@pytest.mark.parametrize(
    ("kind", "name", "matrix"),
    [
        ("encoder", "previous", np.eye(5, k=-1)),
        ("encoder", "next", np.eye(5, k=1)),
        ("encoder", "itself", np.eye(5)),
        ("decoder", "previous", np.eye(5, k=-1)),
        ("encoder", "first", np.eye(5)[[0] * 5]),
        ("cross", "end", np.eye(5)[[4] * 5]),
        ("cross", "stop", np.eye(5)[[3] * 5]),
        ("cross", "", np.full((5, 5), 0.2)),
    ],
)
def test_habits_are_where_most_weight_goes(kind: str, name: str, matrix: np.ndarray) -> None:
    tokens = [token(c, i, i + 1, i) for i, c in enumerate("abc.")] + [token("</s>", 4, 4, 4, special=True)]
    weights = np.stack([matrix, np.full((5, 5), 0.2)]).astype(np.float32)[None]
    (row,) = habits(weights, tokens, "abc.", kind)
    assert row[0].name == name
    assert row[1].name == ""
    assert row[1].entropy == pytest.approx(np.log2(5), rel=1e-5)
    if name:
        assert row[0].share == pytest.approx(1)
        assert row[0].entropy == pytest.approx(0, abs=1e-4)


def test_habits_of_one_piece_are_found_too() -> None:
    end = token("</s>", 0, 0, 0, special=True)
    for kind in ("encoder", "decoder", "cross"):
        assert habits(np.ones((1, 1, 1, 1), np.float32), [end], "", kind)[0][0].share == 1


@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_rows_of_sum_1_and_the_mask(translator: Translator, method: Method) -> None:
    translation = translator.translate("the water sleeps.")
    arrays = by_method(translation, method, value_lengths(translator, translation))
    for kind, found in arrays.items():
        raw = getattr(translation, kind)
        assert found.shape == (raw.shape[0], 1 if method == "rollout" else raw.shape[1], *raw.shape[2:])
        np.testing.assert_allclose(found.sum(-1), 1, atol=1e-5)
    assert not np.triu(arrays["decoder"], 1).any()
    assert (method == "raw") == np.array_equal(arrays["encoder"], translation.encoder)


def test_ranks_share_where_values_are_equal() -> None:
    values = np.array([[0.5, 0.1, 0.5, 0.9], [2, 2, 2, 2], [4, 3, 2, 1]], np.float32)
    np.testing.assert_array_equal(ranks(values), [[2.5, 1, 2.5, 4], [2.5] * 4, [4, 3, 2, 1]])


def test_spearman_by_hand() -> None:
    one, other = np.array([[1, 2, 2, 3]] * 3, np.float32), np.array([[1, 3, 2, 4], [4, 1, 1, 0], [7, 7, 7, 7]])
    # Ranks less their mean: (-1.5, 0, 0, 1.5) against (-1.5, 0.5, -0.5, 1.5) and against (1.5, 0, 0, -1.5).
    np.testing.assert_allclose(spearman(one, other.astype(np.float32)), [4.5 / np.sqrt(4.5 * 5), -1, np.nan])


@pytest.mark.parametrize("count", [3, 10, 57])
def test_spearman_without_ties_is_the_textbooks(count: int) -> None:
    """1 - 6 sum d^2 / (n (n^2 - 1)); and only the order counts."""
    generator = np.random.default_rng(count)
    one, other = generator.normal(size=(2, 20, count)).astype(np.float32)
    apart = one.argsort(-1).argsort(-1) - other.argsort(-1).argsort(-1)
    expected = 1 - 6 * (apart**2).sum(-1) / (count * (count**2 - 1))
    np.testing.assert_allclose(spearman(one, other), expected, atol=1e-12)
    np.testing.assert_allclose(spearman(np.exp(one), other**3), expected, atol=1e-12)
    np.testing.assert_allclose(spearman(one, -one), -1)


def test_chance_is_the_spread_over_all_orders() -> None:
    words = np.arange(6, dtype=np.float32)
    orders = np.array(list(itertools.permutations(words)), np.float32)
    found = spearman(np.broadcast_to(words, orders.shape), orders)
    assert found.mean() == pytest.approx(0, abs=1e-12)
    assert found.std() == pytest.approx(by_chance(6))


def test_words_for_a_correlation() -> None:
    found = [strength(rho) for rho in (-1, -0.4, -0.39, 0, 0.39, 0.4, 0.69, 0.7, 1, np.nan)]
    assert found == [*["opposite"] * 2, *["weak"] * 3, *["moderate"] * 2, *["strong"] * 2, "none"]


def test_witnesses_speak_of_words(translator: Translator) -> None:
    translation = translator.translate("unbelievable water sleeps.")
    steps, pieces = len(translation.target), len(translation.source)
    generator = np.random.default_rng(0)
    gradients = generator.random((steps, pieces)).astype(np.float32)
    falls = generator.random((4, steps)).astype(np.float32)
    found = witnesses(translation, picked(translation.cross, Pick(view="predicted")), falls, gradients)
    assert found.words.labels == ("unbelievable", "water", "sleeps", ".")
    assert any(len(group) > 1 for group in found.words.groups)
    for word, group in enumerate(found.words.groups):
        weights = translation.cross.mean((0, 1))[:, list(group)].sum(-1)
        np.testing.assert_allclose(found.values["attention"][:, word], weights, rtol=1e-5)
        norms = np.linalg.norm(gradients[:, list(group)], axis=-1)
        np.testing.assert_allclose(found.values["gradient"][:, word], norms, rtol=1e-5)
    np.testing.assert_array_equal(found.values["removal"], falls.T)
    for pair in PAIRS:
        np.testing.assert_array_equal(found.agreement[pair], spearman(*(found.values[name] for name in pair)))
        assert found.mean(pair) == pytest.approx(found.agreement[pair].mean())
    for name in WITNESSES:
        order = found.values[name][0].argsort()[::-1]
        assert [found.places(name, 0)[word] for word in order] == [1, 2, 3, 4]


def test_a_mean_leaves_out_steps_without_an_order(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    falls = np.zeros((5, len(translation.target)), np.float32)
    gradients = np.random.default_rng(0).random((len(translation.target), len(translation.source))).astype(np.float32)
    weights = picked(translation.cross, Pick(view="predicted"))
    none = witnesses(translation, weights, falls, gradients)
    assert np.isnan(none.mean(("attention", "removal")))
    assert none.places("removal", 0) == [1] * 5
    falls[:, 1] = np.arange(5)
    one = witnesses(translation, weights, falls, gradients)
    assert one.mean(("removal", "gradient")) == one.agreement["removal", "gradient"][1]


# ---- summaries, waiting, distance, powers --------------------------------------------------------------------------


def test_two_ways_are_the_two_directions_of_a_recurrent_encoder() -> None:
    """The halves of PyTorch's own states: what is read later changes nothing from the left, what was read before
    nothing from the right."""
    torch.manual_seed(1)
    encoder = torch.nn.GRU(4, 3, bidirectional=True, batch_first=True)
    read = torch.randn(1, 5, 4)
    other = read.clone()
    other[0, 3] += 1
    with torch.no_grad():
        (left, right), (left_of_other, right_of_other) = (
            two_ways(encoder(each)[0][0].numpy()) for each in (read, other)
        )
    assert left.shape == right.shape == (5, 3)
    np.testing.assert_array_equal(left[:3], left_of_other[:3])
    assert (left[3:] != left_of_other[3:]).all()
    np.testing.assert_array_equal(right[4:], right_of_other[4:])
    assert (right[:4] != right_of_other[:4]).all()


def test_likeness_is_the_cosine() -> None:
    states = np.array([[2, 0], [0, 3], [-1, 0], [1, 1]], np.float32)
    np.testing.assert_allclose(likeness(states, np.array([5, 0], np.float32)), [1, 0, -1, 0.5**0.5], atol=1e-6)


def test_least_alike_is_where_even_the_better_half_is_worst() -> None:
    one, other = np.array([1, 0.2, -0.5], np.float32), np.array([-1, 0.1, 0.4], np.float32)
    assert least_alike(one, other) == 1


@pytest.mark.parametrize("config", [RnnConfig(vocab_size=9, d_model=4), TransformerConfig(
    vocab_size=9, d_model=4, n_heads=2, d_ff=4, encoder_layers=3, decoder_layers=1
)])  # fmt: skip
def test_the_rows_of_waiting_are_the_steps_that_are_counted(config: RnnConfig | TransformerConfig) -> None:
    (timing,) = measure_times(config, [6], repeats=1)
    rnn, transformer = waiting(6, 3)
    steps = rnn if isinstance(config, RnnConfig) else transformer
    assert len(steps) == timing.sequential_encode
    assert set(steps.sum(1).tolist()) == ({1} if isinstance(config, RnnConfig) else {6})
    assert (steps.sum(0) > 0).all()  # no piece is left out


@pytest.mark.parametrize(("exponent", "factor"), [(2, 3e-6), (1, 0.5), (0, 7), (-1.5, 1e4)])
def test_a_power_law_is_found_again(exponent: float, factor: float) -> None:
    x = [3, 10, 64, 1000, 4096]
    found = power_law(x, [factor * each**exponent for each in x])
    np.testing.assert_allclose(found, (exponent, factor), rtol=1e-6, atol=1e-9)


def test_the_power_of_a_sum_lies_between_those_of_its_parts() -> None:
    x = [64, 128, 256, 512]
    exponent, _ = power_law(x, [each**2 + 256 * each for each in x])
    assert 1 < exponent < 2
    assert exponent < power_law([16 * each for each in x], [(16 * each) ** 2 + 256 * 16 * each for each in x])[0]


def test_relative_influence_is_a_column_as_a_share_of_what_the_own_state_has() -> None:
    influence = np.array([[2, 8, 1], [1, 4, 1], [4, 2, 1]], np.float32)
    np.testing.assert_allclose(relative_influence(influence, 1), [2, 1, 0.5])


def test_a_translation_has_as_many_maps_as_heads(translator: Translator) -> None:
    found = translator.translate("the cat")
    config = translator.config
    assert isinstance(config, TransformerConfig)
    assert maps_of(found) == config.n_heads * (config.encoder_layers + 2 * config.decoder_layers)
