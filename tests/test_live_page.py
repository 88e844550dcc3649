"""The page that trains while one looks, without a browser: start, stop, reset, look back, and several visitors."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.experiments import live_tasks
from model.experiments.live_tasks import live_training
from tests.test_link import address
from viz import models
from viz.document.blocks import Canvas, Table
from viz.jobs import Job, Stopped

ROOT = Path(__file__).parent.parent
PAGE = "viz/pages/live.py"
TRAIN = live_tasks.train_both


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The page, opened, with trainings of six steps."""
    shorter(monkeypatch, steps=6, every=2)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(PAGE)
    app.run()
    assert not app.exception
    yield app
    end(app)


def shorter(monkeypatch: pytest.MonkeyPatch, *, steps: int, every: int) -> None:
    monkeypatch.setattr(live_tasks, "STEPS", steps)
    monkeypatch.setattr(live_tasks, "train_both", lambda task, seed: TRAIN(task, seed, steps=steps, every=every))


def job(app: AppTest) -> Job[Any]:
    found: Job[Any] = app.session_state["long work.job/live"]
    return found


def end(app: AppTest) -> None:
    if "long work.job/live" in app.session_state:
        job(app).stop()
        job(app).wait(20)


def start(app: AppTest) -> None:
    app.button(key="live.start").click().run()
    assert not app.exception


def finish(app: AppTest) -> None:
    start(app)
    job(app).wait(60)
    app.run()
    assert not app.exception


def drawn(app: AppTest) -> tuple[dict[str, Any], dict[str, Any], np.ndarray]:
    """What the curves, and the pair of maps, were given; the two maps, [2, T, S]."""
    protos = {element.proto.component_name: element.proto for element in app.get("bidi_component")}
    curves = json.loads(next(proto for name, proto in protos.items() if name.endswith("curves")).json)
    message = next(proto for name, proto in protos.items() if name.endswith("alignment_pair")).bytes
    size = int.from_bytes(message[:4], "little")
    header = json.loads(message[4 : 4 + size])
    rows, columns = len(header["maps"][0]["queries"]), len(header["keys"])
    return curves, header, np.frombuffer(message[4 + size :], "<f4").reshape(2, rows, columns)


def seen(app: AppTest) -> str:
    """Everything said in words."""
    return "\n".join(element.value for element in (*app.markdown, *app.caption, *app.info, *app.text))


def enabled(app: AppTest) -> list[bool]:
    return [not app.button(key=f"live.{name}").disabled for name in ("start", "stop", "reset")]


def test_nothing_is_trained_before_somebody_asks(app: AppTest) -> None:
    assert not app.get("bidi_component")
    assert "long work.job/live" not in app.session_state
    assert "6 steps" in app.info[0].value
    assert enabled(app) == [True, False, False]
    assert "never" in seen(app)


def test_the_result_is_shown_and_agrees_with_the_training(app: AppTest) -> None:
    finish(app)
    run: live_tasks.LiveRun = app.session_state["live.run"]
    assert enabled(app) == [True, False, True]
    curves, header, maps = drawn(app)
    assert curves["x"] == [0, 2, 4, 6]
    assert curves["mark"] == 6
    for i, name in enumerate(live_tasks.NAMES):
        found = run.snapshots[name]
        np.testing.assert_allclose(curves["plots"][0]["lines"][i], [each.loss for each in found], atol=1e-5)
        np.testing.assert_allclose(curves["plots"][1]["lines"][i], [each.exact for each in found], atol=1e-5)
        np.testing.assert_array_equal(maps[i], found[-1].cross[0].mean(0))
        assert f"{found[-1].symbols:.1%}".replace("%", r"\%").replace(".", r"\.") in seen(app)
    saved = app.session_state["document.record"].blocks()
    assert [each.component for each in saved if isinstance(each, Canvas)] == ["curves", "alignment_pair"]
    assert any(isinstance(each, Table) and len(each.rows) == 2 for each in saved)
    assert curves["plots"][0]["reference"][1] == pytest.approx(np.log(13))
    source, target = live_tasks.labels("reverse")
    assert header["keys"] == list(source)
    assert [each["queries"] for each in header["maps"]] == [list(target)] * 2
    assert f"source **{' '.join(source[:-1])}**, wanted **{' '.join(target[:-1])}**" in seen(app)


def test_one_can_look_back_and_choose_a_head(app: AppTest) -> None:
    finish(app)
    run: live_tasks.LiveRun = app.session_state["live.run"]
    slider = app.select_slider[0]
    assert slider.value == 6
    slider.set_value(2).run()
    assert not app.exception
    curves, _, maps = drawn(app)
    assert curves["mark"] == 2
    assert curves["x"] == [0, 2, 4, 6]
    np.testing.assert_array_equal(maps[0], run.snapshots["transformer"][1].cross[0].mean(0))
    app.button_group(key="live.head").set_value("2").run()
    np.testing.assert_array_equal(drawn(app)[2][0], run.snapshots["transformer"][1].cross[0][1])
    np.testing.assert_array_equal(drawn(app)[2][1], run.snapshots["rnn"][1].cross[0][0])


def test_it_is_in_the_address(app: AppTest) -> None:
    assert address(app) == {}
    app.button_group(key="live.task").set_value("sort").run()
    app.button_group(key="live.seed").set_value(3).run()
    assert address(app) == {"task": "sort", "seed": "3"}
    assert "by its size" in seen(app)
    finish(app)
    run: live_tasks.LiveRun = app.session_state["live.run"]
    assert (run.task, run.seed) == ("sort", 3)


def test_a_training_can_be_stopped_and_what_it_brought_stays(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter(monkeypatch, steps=100_000, every=1)
    start(app)
    run: live_tasks.LiveRun = app.session_state["live.run"]
    until(app, lambda: len(run.snapshots["rnn"]) > 2)
    assert enabled(app) == [False, True, True]
    assert app.get("progress")
    app.button(key="live.stop").click().run()
    job(app).wait(20)
    assert not job(app).running
    app.run()
    assert not app.exception
    assert enabled(app) == [True, False, True]
    known = min(map(len, run.snapshots.values()))
    assert drawn(app)[0]["x"] == list(range(known))
    assert "Stopped" in app.select_slider[0].label
    assert app.select_slider[0].value == known - 1


def until(app: AppTest, true: Callable[[], bool]) -> None:
    """Look at the page again and again, as its timer does."""
    for _ in range(200):
        if true():
            return
        app.run()
        assert not app.exception
    raise AssertionError("it did not happen")


def test_reset_forgets_all(app: AppTest) -> None:
    finish(app)
    app.button(key="live.reset").click().run()
    assert not app.exception
    assert not app.get("bidi_component")
    assert enabled(app) == [True, False, False]
    finish(app)
    assert drawn(app)[0]["x"] == [0, 2, 4, 6]


def test_another_task_ends_the_training_and_its_result_waits(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter(monkeypatch, steps=100_000, every=1)
    start(app)
    going = job(app)
    run: live_tasks.LiveRun = app.session_state["live.run"]
    until(app, lambda: len(run.snapshots["rnn"]) > 1)
    app.button_group(key="live.task").set_value("copy").run()
    going.wait(20)
    assert not going.running
    assert not app.get("bidi_component")
    app.button_group(key="live.task").set_value("reverse").run()
    assert drawn(app)[0]["x"] == list(range(min(map(len, run.snapshots.values()))))


def test_an_error_is_shown(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(task: str, seed: int) -> Iterator[None]:
        raise ValueError("no <b>memory</b>")
        yield

    monkeypatch.setattr(live_tasks, "train_both", train)
    finish(app)
    assert "memory" in app.error[0].value
    assert models.memory(live_training).turn.acquire(timeout=5)  # others can train
    models.memory(live_training).turn.release()


def test_trainings_wait_for_each_other_and_nobody_waits_for_one(app: AppTest) -> None:
    with models.memory(live_training).turn:
        start(app)
        app.run()
        assert "Another visitor" in app.get("progress")[0].proto.text
        waiting: live_tasks.LiveRun = app.session_state["live.run"]
        assert waiting.waiting
        assert job(app).running
    job(app).wait(60)
    assert not waiting.waiting
    assert [each.step for each in waiting.snapshots["rnn"]] == [0, 2, 4, 6]
    assert models.memory(live_training).turn.acquire(timeout=5)
    models.memory(live_training).turn.release()


def test_whoever_waits_can_leave_the_line() -> None:
    def leave(share: float) -> None:
        raise Stopped

    run = live_tasks.LiveRun(task="copy", seed=1)
    with models.memory(live_training).turn, pytest.raises(Stopped):
        models.ask(live_training, run, model=None, progress=leave, remember=False)
    assert run.waiting
    assert models.memory(live_training).turn.acquire(timeout=5)
    models.memory(live_training).turn.release()


def test_between_two_steps_the_models_are_free_and_a_stop_frees_both() -> None:
    """The job is told its progress only while nobody computes."""
    calls = []

    def tell(share: float) -> None:
        assert not models.ONE_AT_A_TIME.taken
        calls.append(share)
        if len(calls) == 5:
            raise Stopped

    with pytest.raises(Stopped):
        models.ask(live_training, live_tasks.LiveRun(task="copy", seed=1), model=None, progress=tell)
    assert len(calls) == 5
    assert models.memory(live_training).turn.acquire(blocking=False)
    models.memory(live_training).turn.release()
