"""Work in a thread: it can be watched, stopped, and does not outlive the one who asked for it."""

import threading
import time
from collections.abc import Callable

from viz.jobs import Job

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
