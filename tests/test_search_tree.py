"""Exploring finds what search finds and shows how; what is given is kept; chance follows the probabilities."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import pytest
import torch

from model.config import RnnConfig
from model.records import Decoding, Node
from model.rnn import Rnn
from model.search import ALPHA, Model, longest, penalty, search
from model.search_tree import Exploration, Method, explore_tree
from model.translate import WIDEST, Translator
from tests.oracle import BOS, EOS, PAD, random_ids, random_model
from tests.test_search import GARDEN_PATH, SOURCES, A, B, Bigrams, C, forced_log_prob, half_trained

METHODS: tuple[Method, ...] = ("greedy", "beam", "sample")


def random_rnn(seed: int, score: str = "additive") -> Rnn:
    torch.manual_seed(seed)
    model = Rnn(RnnConfig(vocab_size=11, d_model=16, max_length=12, score=score))  # type: ignore[arg-type]
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.eval().requires_grad_(False)


def equal_to_search(found: Exploration, model: Model, source: torch.Tensor, beam: int) -> None:
    """Bit by bit, and in the same order."""
    expected = [(tuple(each.ids), each.log_prob, each.score) for each in search(model, source, beam=beam)[0]]
    assert [(each.ids, each.log_prob, each.score) for each in found.paths][:beam] == expected


def check_tree(found: Exploration, beam: int, given: int = 0) -> None:
    """What the docstrings promise of every tree."""
    nodes = found.nodes
    parents = {node.parent for node in nodes}
    for i, node in enumerate(nodes):
        before = nodes[node.parent] if node.parent >= 0 else None
        assert node.parent < i
        assert node.step == (before.step + 1 if before else 0)
        assert node.total == pytest.approx((before.total if before else 0) + node.log_prob)
        assert node.log_prob <= 0
        assert before is None or before.fate == "alive"
        assert node.fate == "alive" or i not in parents
        assert node.fate != "finished" or node.id == EOS
        assert node.id not in (PAD, BOS)
    for step, group in itertools.groupby(nodes, key=lambda node: node.step):
        column = list(group)
        assert [node.total for node in column] == sorted((node.total for node in column), reverse=True)
        assert sum(node.fate == "alive" for node in column) <= beam
        assert len(column) == 1 if step < given else len(column) <= 2 * beam
    assert [each.score for each in found.paths] == sorted((each.score for each in found.paths), reverse=True)
    ends = [each.nodes[-1] for each in found.paths]
    assert sorted(ends) == [i for i, node in enumerate(nodes) if node.fate == "finished"]
    for each in found.paths:
        walked = [nodes[i] for i in each.nodes]
        assert [node.parent for node in walked] == [-1, *each.nodes[:-1]]
        assert (*each.ids, EOS) == tuple(node.id for node in walked)
        assert each.log_prob == walked[-1].total
        assert each.score == pytest.approx(each.log_prob / penalty(len(walked), ALPHA))


@pytest.mark.parametrize("beam", [1, 2, 4, 30])
@pytest.mark.parametrize("seed", range(4))
def test_finds_what_search_finds(seed: int, beam: int) -> None:
    models: list[Model] = [half_trained(seed), random_rnn(seed), random_rnn(seed, "last")]
    for model, source in itertools.product(models, [*SOURCES, random_ids(1, 7, seed, vocab_size=11)[0].tolist()]):
        ids = torch.tensor([source])
        found = explore_tree(model, ids, method="beam", beam=beam)
        equal_to_search(found, model, ids, beam)
        check_tree(found, beam)
        equal_to_search(explore_tree(model, ids, method="greedy", beam=7), model, ids, 1)


def test_finds_what_search_finds_in_sentences(translator: Translator, sentences: list[tuple[str, str]]) -> None:
    for english, _ in sentences[::20]:
        for method, beam in (("greedy", 1), ("beam", 4)):
            found = translator.explore(english, method=method, beam=beam)  # type: ignore[arg-type]
            searched = translator.translate(english, beam=beam)
            assert found.best.text == searched.text == found.found[0].text
            assert found.best.target == searched.target
            assert not found.best.forced
            assert found.best.log_prob == pytest.approx(found.found[0].log_prob, abs=1e-3)


def test_the_tree_of_a_garden_path() -> None:
    """All that a beam of two sees, worked out by hand: greedy's first piece leads, and loses."""
    found = explore_tree(Bigrams(GARDEN_PATH), torch.tensor([[A, EOS]]), method="beam", beam=2)
    seen = [(node.parent, node.id, round(math.exp(node.total), 3), node.step, node.fate) for node in found.nodes]
    assert seen[:3] == [(-1, A, 0.6, 0, "alive"), (-1, B, 0.4, 0, "alive"), (1, C, 0.4, 1, "alive")]
    assert {each[:2] for each in seen[3:6]} <= {(0, A), (0, B), (0, C), (0, EOS)}
    best = found.paths[0]
    assert best.ids == (B, C)
    assert best.log_prob == pytest.approx(math.log(0.36))
    greedy = explore_tree(Bigrams(GARDEN_PATH), torch.tensor([[A, EOS]]))
    assert greedy.paths[0].ids[0] == A
    assert [node.fate for node in greedy.nodes[:2]] == ["alive", "dropped"]


# What is given


def continued(model: Model, source: Sequence[int], prefix: Sequence[int], limit: int) -> list[int]:
    """The best next piece, again and again, without a cache."""
    ids = list(prefix)
    while len(ids) < limit - 1:
        scores = model(torch.tensor([source]), torch.tensor([[BOS, *ids]])).logits[0, -1]  # type: ignore[operator]
        scores[[PAD, BOS]] = -torch.inf
        if (best := int(scores.argmax())) == EOS:
            break
        ids.append(best)
    return ids


@pytest.mark.parametrize("prefix", [[], [5], [3, 3], [4, 9, 7, 3, 6]])
@pytest.mark.parametrize("seed", range(3))
def test_greedy_goes_on_from_what_is_given(seed: int, prefix: list[int]) -> None:
    for model in (half_trained(seed), random_rnn(seed)):
        for source in SOURCES:
            found = explore_tree(model, torch.tensor([source]), prefix=prefix)
            assert list(found.paths[0].ids) == continued(model, source, prefix, longest(len(source), 12))
            check_tree(found, 1, len(prefix))


@pytest.mark.parametrize("prefix", [(), (4,), (5, 3), (3, 3, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_a_wide_beam_ranks_all_that_begins_so(seed: int, prefix: tuple[int, ...]) -> None:
    model = random_model(seed, vocab_size=6, max_length=4)
    source = random_ids(1, 4, seed, vocab_size=6)
    every = []
    for length in range(4 - len(prefix)):
        for rest in itertools.product((3, 4, 5), repeat=length):
            ids = prefix + rest
            log_prob = forced_log_prob(model, source[0].tolist(), ids)
            every.append((log_prob / penalty(len(ids) + 1, ALPHA), log_prob, ids))
    every.sort(reverse=True)
    found = explore_tree(model, source, prefix=prefix, method="beam", beam=40)
    assert [each.ids for each in found.paths] == [ids for _, _, ids in every]
    assert [each.log_prob for each in found.paths] == pytest.approx([log_prob for _, log_prob, _ in every], abs=1e-4)
    check_tree(found, 40, len(prefix))


@pytest.mark.parametrize("method", METHODS)
def test_what_is_found_is_found_again_when_it_begins_so(method: Method) -> None:
    """Whatever was found, given whole with its end, is the only result, and just as probable."""
    for source in SOURCES:
        model, ids = half_trained(1), torch.tensor([source])
        first = explore_tree(model, ids, method=method).paths[0]
        (again,) = explore_tree(model, ids, prefix=[*first.ids, EOS], method=method).paths
        assert again.ids == first.ids
        assert again.log_prob == pytest.approx(first.log_prob, abs=1e-4)


def test_a_prefix_may_be_only_the_end() -> None:
    (found,) = explore_tree(half_trained(0), torch.tensor([SOURCES[0]]), prefix=[EOS], method="beam").paths
    assert found.ids == ()


def test_the_last_place_is_for_the_end() -> None:
    model = half_trained(0)  # reads at most 12 pieces
    for method in METHODS:
        assert explore_tree(model, torch.tensor([SOURCES[0]]), prefix=[3] * 11, method=method).paths[0].ids == (3,) * 11
    with pytest.raises(ValueError, match="at most 12"):
        explore_tree(model, torch.tensor([SOURCES[0]]), prefix=[3] * 12)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"prefix": [EOS, 3]}, "end of a sentence"),
        ({"prefix": [PAD]}, "no padding"),
        ({"prefix": [3, BOS]}, "no padding"),
        ({"prefix": [-5]}, "no padding"),
        ({"prefix": [99]}, "no piece 99"),
        ({"prefix": [3] * 40}, "40 pieces"),
        ({"method": "magic"}, "'magic'"),
        ({"method": "beam", "beam": 0}, "at least 1"),
        ({"temperature": 0.0}, "above 0"),
        ({"temperature": -1.0}, "above 0"),
        ({"temperature": math.nan}, "above 0"),
        ({"temperature": math.inf}, "above 0"),
        ({"top_k": -1}, "at least 1"),
    ],
)
def test_impossible_options_are_value_errors(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        explore_tree(half_trained(0), torch.tensor([SOURCES[0]]), **options)  # type: ignore[arg-type]


def test_what_has_no_probability_at_all_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="no probability"):
        explore_tree(Bigrams(GARDEN_PATH), torch.tensor([[A, EOS]]), prefix=[C])


# Chance


def drawn(seed: int, **options: object) -> Exploration:
    return explore_tree(
        half_trained(0), torch.tensor([SOURCES[0]]), method="sample", seed=seed, **options  # type: ignore[arg-type]
    )  # fmt: skip


def test_equal_seeds_draw_equally_and_others_do_not() -> None:
    assert drawn(3) == drawn(3)
    assert len({drawn(seed).paths[0].ids for seed in range(20)}) > 5
    torch.manual_seed(0)
    before = torch.rand(1)
    torch.manual_seed(0)
    drawn(4)
    assert torch.equal(torch.rand(1), before), "the generator that others use is left alone"


@pytest.mark.parametrize("options", [{"temperature": 1e-9}, {"temperature": 1e-300}, {"top_k": 1}])
def test_cold_or_of_one_it_is_greedy(options: dict[str, object]) -> None:
    (greedy,) = explore_tree(half_trained(0), torch.tensor([SOURCES[0]])).paths
    for seed in range(5):
        (found,) = drawn(seed, **options).paths
        assert (found.ids, found.log_prob, found.score) == (greedy.ids, greedy.log_prob, greedy.score)


def frequencies(model: Model, source: torch.Tensor, step: int, draws: int, **options: object) -> Counter[int]:
    found = (explore_tree(model, source, method="sample", seed=seed, **options) for seed in range(draws))  # type: ignore[arg-type]
    return Counter((*each.paths[0].ids, EOS)[step] for each in found)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {A: 0.5, B: 0.3, C: 0.2}),
        ({"temperature": 0.5}, {A: 0.25 / 0.38, B: 0.09 / 0.38, C: 0.04 / 0.38}),
        ({"top_k": 2}, {A: 0.625, B: 0.375}),
        ({"top_k": 2, "temperature": 0.5}, {A: 0.25 / 0.34, B: 0.09 / 0.34}),
        ({"top_k": 99}, {A: 0.5, B: 0.3, C: 0.2}),
    ],
)
def test_chance_follows_the_probabilities(options: dict[str, object], expected: dict[int, float]) -> None:
    """Within four standard deviations; specials are never drawn, and what is reported is the model's own."""
    table = {BOS: {A: 0.25, B: 0.15, C: 0.1, PAD: 0.3, BOS: 0.2}, A: {EOS: 1.0}, B: {EOS: 1.0}, C: {EOS: 1.0}}
    model, source, draws = Bigrams(table), torch.tensor([[A, EOS]]), 800
    counted = frequencies(model, source, 0, draws, **options)
    assert counted.keys() == expected.keys()
    for id, probability in expected.items():
        assert abs(counted[id] / draws - probability) < 4 * math.sqrt(probability * (1 - probability) / draws)
    found = explore_tree(model, source, method="sample", **options)  # type: ignore[arg-type]
    assert math.exp(found.nodes[0].log_prob) == pytest.approx(table[BOS][found.nodes[0].id])


def test_what_is_drawn_ends_at_the_limit_and_has_the_models_probability() -> None:
    model = half_trained(2)
    lengths = []
    for seed in range(20):
        found = explore_tree(model, torch.tensor([SOURCES[1]]), method="sample", temperature=50.0, seed=seed)
        check_tree(found, 1)
        lengths.append(len(found.paths[0].ids))
        expected = forced_log_prob(model, SOURCES[1], found.paths[0].ids)
        assert found.paths[0].log_prob == pytest.approx(expected, abs=1e-4)
    assert max(lengths) == 11


# Texts


def consistent(decoding: Decoding, translator: Translator) -> None:
    """The forced pass read the very pieces that were found."""
    best = decoding.best
    path = [decoding.nodes[i] for i in decoding.found[0].nodes]
    assert [token.id for token in best.target] == [node.id for node in path]
    assert best.log_probs.tolist() == pytest.approx([node.log_prob for node in path], abs=1e-3)
    assert best.text == decoding.found[0].text
    assert len(decoding.labels) == len(decoding.nodes)
    assert decoding.labels[0] == translator.tokenizer.label(decoding.nodes[0].id)


def test_pieces_that_are_found_are_read_as_they_are(translator: Translator) -> None:
    """Hot draws make pieces that their own text would not be cut into."""
    differ = 0
    for seed in range(10):
        decoding = translator.explore("the cat sees a dog.", method="sample", temperature=2.0, seed=seed)
        consistent(decoding, translator)
        ids = [token.id for token in decoding.best.target[:-1]]
        differ += ids != [token.id for token in translator.tokenizer.encode(decoding.best.text)]
    assert differ


def test_a_prefix_may_be_a_text(translator: Translator) -> None:
    decoding = translator.explore("the cat sees a dog.", prefix="le chien", method="beam")
    consistent(decoding, translator)
    assert decoding.best.text.startswith("le chien")
    ids = [token.id for token in translator.tokenizer.encode("le chien")]
    assert decoding.prefix == len(ids)
    same = translator.explore("the cat sees a dog.", prefix=ids, method="beam")
    assert same.found == decoding.found


@pytest.mark.parametrize("text", ["", "  ", "\ud800"])
def test_a_text_that_cannot_be_read_is_a_value_error(translator: Translator, text: str) -> None:
    with pytest.raises(ValueError, match=r"type a sentence|surrogate"):
        translator.explore(text)


def test_too_wide_a_beam_is_a_value_error(translator: Translator) -> None:
    with pytest.raises(ValueError, match=str(WIDEST)):
        translator.explore("the cat", method="beam", beam=WIDEST + 1)


def test_an_unknown_piece_in_a_long_text(translator: Translator) -> None:
    decoding = translator.explore("你好 \U0001f600 " * 200, prefix="\U0001f600", method="sample", seed=1)
    consistent(decoding, translator)
    assert decoding.best.left_out
    assert isinstance(decoding.nodes[0], Node)
