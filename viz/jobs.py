"""Long work beside a page: it runs in a thread, says how far it is, and ends when told to or when nobody looks."""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Line:
    """A lock that is had in the order in which it was asked for. One of `threading` may go back again and again to the
    thread that has just let go of it, and others then wait for many steps of long work instead of one."""

    def __init__(self) -> None:
        self._guard, self._taken = threading.Lock(), False
        self._turns: deque[threading.Event] = deque()

    def __enter__(self) -> None:
        turn = threading.Event()
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            self._turns.append(turn)
        turn.wait()

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._turns:
                self._turns.popleft().set()
            else:
                self._taken = False

    @property
    def taken(self) -> bool:
        return self._taken

    @property
    def waiting(self) -> int:
        """How many stand in it."""
        return len(self._turns)


PATIENCE = 15.0
"""Seconds after which work stops that nobody has asked about: the tab is closed."""


class Stopped(Exception):  # noqa: N818 - not an error
    """Raised inside the work when it shall end."""


class Job(Generic[T]):
    """`work` is called with a function to tell its progress, from 0 to 1, as often as it likes: there it may be
    stopped."""

    def __init__(self, work: Callable[[Callable[[float], None]], T], patience: float = PATIENCE) -> None:
        self.share = 0.0
        self.result: T | None = None
        """What the work returned; None before that, and for ever if it was stopped or failed."""
        self.error: Exception | None = None
        self._work, self._patience = work, patience
        self._stop = threading.Event()
        self._seen = time.monotonic()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.result = self._work(self._tell)
        except Stopped:
            pass
        except Exception as error:  # the page shows it; a thread has nobody to raise to
            self.error = error

    def _tell(self, share: float) -> None:
        if self._stop.is_set() or time.monotonic() - self._seen > self._patience:
            raise Stopped
        self.share = min(max(share, 0.0), 1.0)

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    def seen(self) -> None:
        """Somebody is still looking."""
        self._seen = time.monotonic()

    def stop(self) -> None:
        """It ends when it next tells its progress."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        """Until it has ended, but not longer."""
        self._thread.join(seconds)
