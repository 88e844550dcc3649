"""The one door to the models: whose turn it is, what is remembered and how it is told apart, and that nobody can write
to it; by experiments that nothing but this file knows."""

import copy
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from model.experiments.depth import measure_depth
from model.experiments.head_steps import AS_IT_IS, WhatIf, head_steps
from model.records import Floats, Translation
from model.translate import Translator
from viz import models
from viz.jobs import Stopped


@pytest.fixture(autouse=True)
def folders(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Translator]]:
    """The tiny checkpoint in every folder but those that a test puts here; nothing is remembered before or after."""
    others: dict[str, Translator] = {}
    monkeypatch.setattr(models, "load", lambda path: others.get(path.name, translator))
    models.forget()
    yield others
    models.forget()


def like(translator: Translator, **changed: Any) -> Translator:
    """The same but for some attributes."""
    found = copy.copy(translator)
    vars(found).update(changed)
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    mean: Floats
    parts: tuple[Floats, dict[str, list[Floats]]]


def counted() -> tuple[Callable[..., Answer], list[int]]:
    """An experiment, and the lengths of the translations that it was asked about."""
    calls: list[int] = []

    def mean_weights(
        translator: Translator, translation: Translation, layer: int = 0, *, twice: bool = False
    ) -> Answer:
        calls.append(len(translation.source))
        weights = translation.cross[layer].mean(0) * (1 + twice)
        return Answer(mean=weights, parts=(weights.sum(0), {"rows": [weights.sum(1)]}))

    return mean_weights, calls


def slow(parts: int) -> Callable[..., Generator[float, None, list[int]]]:
    def count(translator: Translator, name: str) -> Generator[float, None, list[int]]:
        found = []
        for part in range(parts):
            found.append(part)
            yield (part + 1) / parts
        return found

    return count


def test_an_experiment_plugs_in_and_is_asked_once(translator: Translator) -> None:
    experiment, calls = counted()
    translation = translator.translate("They see the water.")
    assert models.known(experiment, translation) is None
    answer = models.ask(experiment, translation)
    np.testing.assert_array_equal(answer.mean, translation.cross[0].mean(0))
    assert models.ask(experiment, translation) is answer
    assert models.ask(experiment, translation, 0, twice=False) is answer  # however the same is put
    assert models.ask(experiment, translation, layer=0) is answer
    assert models.known(experiment, translation, layer=0) is answer
    assert len(calls) == 1
    assert models.ask(experiment, translation, 1) is not answer
    assert models.ask(experiment, translation, twice=True) is not answer
    assert models.ask(experiment, translation, remember=False) is not answer
    assert models.ask(experiment, translation) is answer


def test_exact_pieces_and_the_checkpoint_are_the_key(translator: Translator, folders: dict[str, Translator]) -> None:
    experiment, calls = counted()
    translation = translator.translate("They see the water.")
    answer = models.ask(experiment, translation)
    assert models.ask(experiment, translator.translate("They see the water.")) is answer
    ids = [token.id for token in translation.target[:-1]]
    assert models.ask(experiment, translator.translate("They see the water.", target=ids)) is answer
    pieces = {translator.tokenizer.piece(id): id for id in range(len(translator.tokenizer))}
    cut = translator.translate(
        "They see the water.", target=[pieces[f"<0x{byte:02X}>"] for byte in translation.text.encode()]
    )
    assert cut.text == translation.text
    assert models.ask(experiment, cut) is not answer
    assert models.ask(experiment, translator.translate("The water.")) is not answer
    before = len(calls)
    other = replace(translation, checkpoint=replace(translation.checkpoint, fingerprint="other"))
    assert models.ask(experiment, other) is not answer
    folders["trained"] = like(translator, checkpoint=other.checkpoint)
    assert models.ask(experiment, translation, model="en-fr/trained") is not answer
    assert models.ask(experiment, translation) is answer
    assert len(calls) == before + 2


def arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, tuple | list) else ():
        yield from arrays(each)
    for each in vars(value).values() if hasattr(value, "__dataclass_fields__") else ():
        yield from arrays(each)


def test_nobody_can_write_to_what_all_get(translator: Translator) -> None:
    experiment, _ = counted()
    translation = models.translate("They see the water.")
    for answer in (translation, models.explore("They see the water."), models.ask(experiment, translation)):
        found = list(arrays(answer))
        assert len(found) >= 3
        for each in found:
            with pytest.raises(ValueError, match="read-only"):
                each[...] = 0


def test_a_kind_is_bounded_by_number_and_by_bytes_and_pushes_out_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def zeros(translator: Translator, number: int, size: int) -> Floats:
        return np.full(size, number, np.float32)

    long = slow(2)
    finished = models.ask(long, "a")
    for number in range(200):
        models.ask(zeros, number, 10)
    kept = models.memory(zeros)
    assert len(kept) == models.MOST
    assert models.known(zeros, 199, 10) is not None
    assert models.known(zeros, 0, 10) is None
    assert models.ask(long, "a") is finished
    kept.most_bytes = 10_000
    models.ask(zeros, 200, 1000)
    models.ask(zeros, 201, 1000)
    assert models.known(zeros, 201, 1000) is not None
    assert models.known(zeros, 200, 1000) is not None
    models.ask(zeros, 202, 1000)
    assert models.known(zeros, 201, 1000) is None  # nobody has asked about it for longest
    assert kept.bytes <= 10_000
    models.ask(zeros, 203, 100_000)  # too large, but somebody is looking at it
    assert models.known(zeros, 203, 100_000) is not None
    assert len(kept) == 1


def test_what_was_asked_for_lately_stays() -> None:
    kept = models.Memory(most=2)
    kept.keep("a", 1, 0)
    kept.keep("b", 2, 0)
    assert kept.recall("a") == (1,)
    kept.keep("c", None, 0)
    assert (kept.recall("a"), kept.recall("b"), kept.recall("c")) == ((1,), (), (None,))


def test_one_at_a_time_and_whoever_asks_the_same_meanwhile_gets_the_same() -> None:
    inside, most, calls = [0], [0], []

    def wait(translator: Translator, number: int) -> Floats:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        calls.append(number)
        time.sleep(0.02)
        inside[0] -= 1
        return np.array([number], np.float32)

    answers: list[Any] = []
    threads = [threading.Thread(target=lambda n=n: answers.append(models.ask(wait, n % 2))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [1]
    assert sorted(calls) == [0, 1]
    assert len({id(answer) for answer in answers}) == 2


def test_long_work_lets_others_between_its_parts() -> None:
    """While it is told its progress nobody computes, so an answer can be had right there."""
    experiment, _ = counted()
    translation = models.translate("They see the water.")
    shares = []

    def progress(share: float) -> None:
        assert not models.ONE_AT_A_TIME.taken
        shares.append(share)
        models.ask(experiment, translation, twice=len(shares) > 1)

    assert models.ask(slow(4), "a", progress=progress) == [0, 1, 2, 3]
    assert shares == [0.25, 0.5, 0.75, 1]


def test_long_work_of_one_kind_is_done_once_for_all_who_wait() -> None:
    begun: list[str] = []
    go = threading.Event()

    def long(translator: Translator, name: str) -> Generator[float, None, list[str]]:
        begun.append(name)
        yield 0.5
        go.wait(10)
        yield 1.0
        return [name]

    answers: list[Any] = []
    waiting: list[float] = []
    first = threading.Thread(target=lambda: answers.append(models.ask(long, "a")))
    first.start()
    second = threading.Thread(target=lambda: answers.append(models.ask(long, "a", progress=waiting.append)))
    second.start()
    while not waiting:
        time.sleep(0.01)
    assert set(waiting) == {0.0}
    with pytest.raises(Stopped):  # whoever waits can leave
        models.ask(long, "b", progress=stop)
    go.set()
    first.join(10)
    second.join(10)
    assert begun == ["a"]
    assert answers[0] is answers[1]


def stop(share: float) -> None:
    raise Stopped


def test_stopped_or_failed_work_leaves_nothing_behind() -> None:
    closed: list[bool] = []

    def long(translator: Translator, fails: bool) -> Generator[float, None, int]:
        try:
            yield 0.5
            if fails:
                raise ValueError("No.")
        finally:
            closed.append(True)
        return 1

    with pytest.raises(Stopped):
        models.ask(long, False, progress=stop)
    with pytest.raises(ValueError, match="No"):
        models.ask(long, True)
    assert closed == [True, True]
    assert models.known(long, False) is models.known(long, True) is None
    assert not models.ONE_AT_A_TIME.taken
    assert models.ask(long, False) == 1


def test_within_a_part_the_pulse_stops_it() -> None:
    calls: list[int] = []

    def long(translator: Translator, pulse: Callable[[], object] = lambda: None) -> Generator[float, None, int]:
        for number in range(3):
            calls.append(number)
            pulse()
            yield (number + 1) / 3
        return 1

    shares: list[float] = []

    def progress(share: float) -> None:
        shares.append(share)
        if len(shares) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        models.ask(long, progress=progress)
    assert calls == [0, 1]
    assert shares == [0, 1 / 3, 1 / 3]
    assert models.ask(long) == 1
    assert models.known(long) == 1


def test_portions_add_up() -> None:
    shares: list[float] = []
    for number in range(2):
        models.portion(shares.append, number, 2)(0.5)
        models.portion(shares.append, number, 2)(1.0)
    assert shares == [0.25, 0.5, 0.75, 1]


def test_what_needs_no_model_gets_none() -> None:
    found = models.ask(measure_depth, 2, model=None, seeds=1)
    assert found == measure_depth(2, seeds=1)
    assert models.ask(measure_depth, 2, model=None, seeds=1) is found


def test_a_full_device_hands_over_to_the_cpu(translator: Translator, folders: dict[str, Translator]) -> None:
    full = folders["full"] = like(translator, device=torch.device("cuda"))

    def where(here: Translator) -> str:
        if here.model is full.model:
            raise torch.OutOfMemoryError("no room")
        return here.device.type

    def where_slowly(here: Translator) -> Generator[float, None, str]:
        yield 0.5
        return where(here)

    assert models.ask(where, model="en-fr/full") == "cpu"
    assert models.ask(where_slowly, model="en-fr/full") == "cpu"


def test_a_worksheet_is_computed_once(translator: Translator) -> None:
    translation = translator.translate("They see the water.")
    sheet = models.ask(head_steps, translation, "cross", 1, 0)
    assert models.ask(head_steps, translation, "cross", 1, 0, AS_IT_IS) is sheet
    assert models.ask(head_steps, translation, "cross", 1, 0, WhatIf(scale=False)) is not sheet
    assert models.ask(head_steps, translator.translate("The cat."), "cross", 1, 0) is not sheet
