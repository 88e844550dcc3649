"""Work in a thread: it can be watched, stopped, and does not outlive the one who asked for it."""

import contextlib
import threading
import time
from collections.abc import Callable

from viz.jobs import Job, Line

Tell = Callable[[float], None]


def test_a_job_brings_its_result() -> None:
    def work(tell: Tell) -> str:
        tell(0.5)
        return "done"

    job = Job(work)
    job.wait(5)
    assert not job.running
    assert (job.share, job.result, job.error) == (0.5, "done", None)


def test_an_error_is_kept_for_the_page() -> None:
    def work(tell: Tell) -> None:
        raise ValueError("no such thing")

    job = Job(work)
    job.wait(5)
    assert (str(job.error), job.result) == ("no such thing", None)


def endless(tell: Tell) -> None:
    while True:
        tell(0.1)
        time.sleep(0.01)


def test_a_job_ends_when_told_to() -> None:
    job = Job(endless)
    assert job.running
    job.stop()
    job.wait(5)
    assert not job.running
    assert (job.result, job.error) == (None, None)


def test_a_job_that_nobody_looks_at_ends_and_one_that_is_watched_goes_on() -> None:
    watched, left = Job(endless, patience=0.5), Job(endless, patience=0.5)
    until = time.monotonic() + 1.5
    while time.monotonic() < until:
        watched.seen()
        time.sleep(0.02)
    assert watched.running
    assert not left.running
    watched.stop()
    watched.wait(5)


def test_progress_stays_between_0_and_1() -> None:
    seen, go = threading.Event(), threading.Event()

    def work(tell: Tell) -> None:
        tell(1.5)
        seen.set()
        go.wait(5)
        tell(-1)

    job = Job(work)
    seen.wait(5)
    assert job.share == 1
    go.set()
    job.wait(5)
    assert job.share == 0


def test_a_line_serves_those_who_wait_in_their_order_and_one_at_a_time() -> None:
    line, order, inside = Line(), [], []

    def come(name: int) -> None:
        with line:
            inside.append(name)
            assert len(inside) == 1
            order.append(name)
            time.sleep(0.01)
            inside.remove(name)

    threads = [threading.Thread(target=come, args=(name,)) for name in range(5)]
    with line:
        for place, thread in enumerate(threads):
            thread.start()
            until = time.monotonic() + 5
            while line.waiting <= place and time.monotonic() < until:
                time.sleep(0.001)
        assert (line.waiting, order) == (5, [])
    for thread in threads:
        thread.join(5)
    assert order == [0, 1, 2, 3, 4]
    assert not line.taken


def test_whoever_has_just_left_a_line_goes_behind_those_who_wait() -> None:
    line, order = Line(), []

    def come() -> None:
        with line:
            order.append("other")

    thread = threading.Thread(target=come)
    line.__enter__()
    thread.start()
    until = time.monotonic() + 5
    while not line.waiting and time.monotonic() < until:
        time.sleep(0.001)
    line.__exit__()
    with line:
        order.append("first")
    thread.join(5)
    assert order == ["other", "first"]


def test_a_line_goes_on_after_an_error() -> None:
    line = Line()
    with contextlib.suppress(ValueError), line:
        raise ValueError
    assert not line.taken
    with line:
        assert line.taken
