"""Questions to a loaded model, a file each: functions of a `Translator` and of what was read, with results in NumPy.

Whatever takes long is a generator: it yields the share that is done, up to 1, after each part of the work, so that
others can be answered between two parts, and returns its result. `finish` runs one to its end.
"""

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")


def finish(work: Generator[float, None, T], progress: Callable[[float], object] = lambda share: None) -> T:
    """The result of long work. `progress` gets the share that is done after each part, and may raise to stop."""
    while True:
        try:
            share = next(work)
        except StopIteration as done:
            result: T = done.value
            return result
        progress(share)
