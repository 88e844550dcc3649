"""The toy tasks: what is asked, what is judged, and that it is learnt."""

import itertools
import random

import numpy as np
import pytest
import torch

from model.experiments import live_tasks
from model.experiments.live_tasks import (
    HELD_OUT,
    LENGTHS,
    NAMES,
    SYMBOLS,
    TASKS,
    Learner,
    Snapshot,
    batches,
    digit_batch,
    held_out,
    train_both,
)
from model.search import search


def digits(ids: list[int]) -> str:
    return "".join(SYMBOLS[i] for i in ids)


def short(task: live_tasks.Task, seed: int, **settings: int) -> dict[live_tasks.Name, list[Snapshot]]:
    found: dict[live_tasks.Name, list[Snapshot]] = {name: [] for name in NAMES}
    for _, snapshot in train_both(task, seed, **settings):
        if snapshot:
            found[snapshot.model].append(snapshot)
    return found


@pytest.mark.parametrize(("task", "target"), [("copy", "3140159"), ("reverse", "9510413"), ("sort", "0113459")])
def test_a_target_is_what_its_task_says(task: live_tasks.Task, target: str) -> None:
    source = [SYMBOLS.index(each) for each in "3140159"]
    assert digits(TASKS[task](source)) == target
    assert digits(source) == "3140159"  # nothing is changed in place


def test_batches_hold_sources_of_every_length_and_their_targets() -> None:
    batch = next(batches("reverse", 1, ()))
    lengths = set()
    for source, read, wanted in zip(
        batch.source.tolist(), batch.target_in.tolist(), batch.target_out.tolist(), strict=True
    ):
        given = source[: source.index(2)]
        assert wanted[: wanted.index(2)] == given[::-1]
        assert read[: len(given) + 1] == [1, *given[::-1]]
        assert all(3 <= each < len(SYMBOLS) for each in given)
        assert not any((*source[len(given) + 1 :], *wanted[len(given) + 1 :], *read[len(given) + 1 :]))  # only padding
        lengths.add(len(given))
    assert lengths == set(range(LENGTHS[0], LENGTHS[1] + 1))


def test_held_out_sequences_differ_and_are_never_in_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    known = held_out()
    assert len(set(known)) == len(known) == HELD_OUT
    assert known == held_out()
    assert len(set(known[0])) == len(known[0])  # one column is right for each row of the example
    # Ten digits alone, so that chance would draw the held-out ones again and again.
    monkeypatch.setattr(live_tasks, "LENGTHS", (1, 1))
    drawn = {
        tuple(row[: row.index(2)])
        for batch in itertools.islice(batches("copy", 1, [(3,), (4,), (12,)]), 20)
        for row in batch.source.tolist()
    }
    assert drawn == {(digit,) for digit in range(5, 12)}


def test_what_is_judged_agrees_with_search_sequence_by_sequence() -> None:
    """A quarter learnt, so that some are right and some are not."""
    learner = Learner("rnn", "copy", 1, 60)
    for batch in itertools.islice(batches("copy", 1, held_out()), 60):
        learner.learn(batch)
    snapshot = learner.look()
    sources = [list(source) for source in held_out()]
    found = search(learner.model, digit_batch(sources, "copy").source, extra=1)
    right = [hypotheses[0].ids == source for hypotheses, source in zip(found, sources, strict=True)]
    assert 0.02 < snapshot.exact < 0.98
    assert snapshot.exact == pytest.approx(sum(right) / len(right))
    assert snapshot.said == tuple(SYMBOLS[i] for i in found[0][0].ids)
    # The loss by hand: -log p of each symbol that is not padding.
    test = digit_batch(sources, "copy")
    with torch.no_grad():
        log_probs = learner.model(test.source, test.target_in).logits.log_softmax(-1).numpy()
    target = test.target_out.numpy()
    rows, columns = np.nonzero(target)
    assert snapshot.loss == pytest.approx(-log_probs[rows, columns, target[rows, columns]].mean(), rel=1e-5)
    best = log_probs[..., 2:].argmax(-1)[rows, columns] + 2
    assert snapshot.symbols == pytest.approx((best == target[rows, columns]).mean())


def test_snapshots_come_when_they_should_and_hold_weights_of_the_example() -> None:
    found = short("reverse", 1, steps=5, every=2)
    source, target = live_tasks.labels("reverse")
    assert source[:-1] == target[-2::-1]
    for name, layers, heads in (
        ("transformer", live_tasks.TRANSFORMER.decoder_layers, live_tasks.TRANSFORMER.n_heads),
        ("rnn", 1, 1),
    ):
        snapshots = found[name]  # type: ignore[index]
        assert [each.step for each in snapshots] == [0, 2, 4, 5]
        for each in snapshots:
            assert each.cross.shape == (layers, heads, len(target), len(source))
            np.testing.assert_allclose(each.cross.sum(-1), 1, atol=1e-5)
        assert snapshots[0].seconds == 0 < snapshots[-1].seconds
    shares = [share for share, _ in train_both("copy", 1, steps=3)]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


def test_the_same_seed_gives_the_same_losses_whatever_others_draw_meanwhile() -> None:
    def losses(seed: int, disturbed: bool = False) -> list[float]:
        found = []
        for _, snapshot in train_both("sort", seed, steps=4, every=1):
            if disturbed:
                torch.manual_seed(random.randrange(1000))
                torch.rand(3)
            if snapshot:
                found.append(snapshot.loss)
        return found

    assert losses(1) == losses(1, disturbed=True)
    assert losses(1) != losses(2)


def test_training_leaves_the_random_numbers_of_others_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    for _ in train_both("copy", 1, steps=1):
        pass
    assert torch.rand(3).equal(expected)


def test_a_task_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorter sequences in fewer steps than on the page, to be quick."""
    monkeypatch.setattr(live_tasks, "LENGTHS", (3, 5))
    for snapshots in short("reverse", 1, steps=250, every=250).values():
        first, last = snapshots
        assert first.loss > 2
        assert first.exact == 0
        assert last.loss < 0.1
        assert last.exact > 0.95
