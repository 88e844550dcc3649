"""What one visitor has chosen, and the address that says so: the only user of session state and query parameters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import streamlit as st

from viz import state
from viz.document import show
from viz.jobs import Job
from viz.saved import Block
from viz.state import Choice, Key

T = TypeVar("T")

SENTENCE, EXAMPLE = str(state.SENTENCE.key), "example"
"""Keys of the box and of the list of examples."""
TARGET, OWN = "target", "own_target"
"""Which translation both models are held to, and the box for the visitor's own."""
CHOICE = "head"
"""The chosen head: kind, layer and head, counted from 1 and set apart by dots."""
TIMINGS = "timings"
"""What the visitor has measured."""
ORDER, ORDER_OF = "positions_order", "positions_order_of"
"""The box for an order of the words; the sentence for which it was filled, and by how many shuffles."""
TYPED, TYPED_FOR = "decoding_typed", "decoding_typed_for"
"""The box for a whole translation, and the sentence for which it was filled."""
CHOICES, CHOICES_FOR = "decoding_choices", "decoding_choices_for"
"""The pieces that were chosen for a translation, as `playback.write_choices` writes them, and the sentence."""
SEED, DRAWS = "decoding_seed", "decoding_draws"
"""Which random numbers; what they led to."""


ADDRESSES = {str(each.key): each.address for each in (state.SENTENCE, state.LANGUAGE, state.PRESENTING)}


def linked(key: str, default: T, read: Callable[[str], T | None]) -> None:
    Choice(key=Key(key), address=ADDRESSES.get(key, key), default=default).begin(read)


def valid(key: str, options: Sequence[T], default: T) -> None:
    """A choice that is none of the options any more is the default again."""
    if st.session_state[key] not in options:
        st.session_state[key] = default


language, presenting, turn, write_link = state.language, state.presenting, state.turn, state.write_address


class OldRecord:
    def note(self, key: str, block: Block) -> None:
        show.only_saved(block, f"{type(block).__name__} {key}")

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        with show.record().part(name):
            yield


def record() -> OldRecord:
    return OldRecord()


def sentence() -> str:
    """What stands in the sentence box now."""
    text: str = st.session_state[SENTENCE]
    return text


def with_sentence(chosen: Mapping[str, str]) -> dict[str, str]:
    """What a link to another page says: what is `chosen` there, and the sentence, if there is one already."""
    return state.linked_to({}) | dict(chosen)


def take_example() -> None:
    """Put the chosen example into the sentence box (a callback: it runs before the page does)."""
    if example := st.session_state[EXAMPLE]:
        st.session_state[SENTENCE], st.session_state[EXAMPLE] = example, None


def take_pair(target_of: Mapping[str, str]) -> None:
    """Put the chosen example into the sentence box, and its translation by hand, if it has one, into the box for it."""
    if (example := st.session_state[EXAMPLE]) in target_of:
        st.session_state[TARGET], st.session_state[OWN] = "mine", target_of[example]
    take_example()


def leave_pair(target_of: Mapping[str, str], text: str) -> None:
    """Another sentence than that of the pair that was chosen needs another French: the Transformer's, to begin with."""
    own = st.session_state.get(OWN)
    if own in target_of.values() and target_of.get(text) != own:
        st.session_state[TARGET], st.session_state[OWN] = "transformer", ""


def start(name: str, work: Callable[[Callable[[float], None]], object]) -> None:
    """Begin long work, in place of the one of this name that may be going on."""
    if old := job(name):
        old.stop()
    st.session_state[f"job-{name}"] = Job(work)


def job(name: str) -> Job[Any] | None:
    """The work of this name, running or ended, until it is forgotten."""
    found: Job[Any] | None = st.session_state.get(f"job-{name}")
    return found


def forget(name: str) -> None:
    del st.session_state[f"job-{name}"]


def kept(key: str, otherwise: T) -> T:
    """Something that is no widget's value, until the visitor leaves."""
    found: T = st.session_state.get(key, otherwise)
    return found


def once(key: str, value: T) -> T:
    """The first value that was given for this key since the visitor came to the page."""
    if state.arrived():
        st.session_state[key] = value
    found: T = st.session_state.setdefault(key, value)
    return found


def keep(key: str, value: object) -> None:
    st.session_state[key] = value


def own_target() -> str:
    """The visitor's own translation."""
    text: str = st.session_state[OWN]
    return text


def start_own(french: str) -> None:
    """What stands in the box for it until the visitor types something else."""
    if not st.session_state.get(OWN):
        st.session_state[OWN] = french


def choices(text: str, read: Callable[[str], str | None]) -> str:
    """The next pieces that the visitor chose for this sentence, at first those of the address, if `read` makes
    something of them. Those for another sentence are forgotten."""
    if kept(CHOICES_FOR, text) != text:
        keep(CHOICES, "")
    keep(CHOICES_FOR, text)
    linked(CHOICES, "", read)
    return kept(CHOICES, "")


def start_typed(text: str, french: str) -> None:
    """What stands in the box for a whole translation of this sentence until the visitor types something else: at first
    that of the address, if there is one."""
    if kept(TYPED_FOR, text) != text:
        keep(TYPED, french)
    keep(TYPED_FOR, text)
    linked(TYPED, french, str)


def typed() -> str:
    """The whole translation that the visitor gives."""
    text: str = st.session_state[TYPED]
    return text


def draw_again() -> None:
    """Other random numbers (a callback)."""
    keep(SEED, kept(SEED, 0) + 1)


def draws(of: object, seed: int, draw: T) -> list[T]:
    """This draw and the last nine others that were `of` the same, newest first."""
    nothing: dict[int, T] = {}
    drawn_of, before = kept(DRAWS, (of, nothing))
    found = (before if drawn_of == of else nothing) | {seed: draw}
    newest = dict(sorted(found.items(), reverse=True)[:10])
    keep(DRAWS, (of, newest))
    return list(newest.values())


def order() -> str:
    """The order of the words as it is typed."""
    text: str = st.session_state[ORDER]
    return text


def start_order(text: str, words: Sequence[int], read: Callable[[str], str | None]) -> int:
    """Each sentence begins with its words, counted from 0, in an order of its own, the first one maybe with that of the
    address, if `read` makes something of it. Returns how often this sentence was shuffled."""
    filled_for, shuffles = kept(ORDER_OF, ("", 1))
    if filled_for not in ("", text):
        take_order(words, text, 1)
    linked(ORDER, write_order(words), read)
    if filled_for == text:
        return shuffles
    keep(ORDER_OF, (text, 1))
    return 1


def take_order(words: Sequence[int], text: str, shuffles: int) -> None:
    """Fill the box for the order (a callback)."""
    st.session_state[ORDER] = write_order(words)
    keep(ORDER_OF, (text, shuffles))


def write_order(words: Sequence[int]) -> str:
    """As it stands in the box: words counted from 1."""
    return " ".join(str(word + 1) for word in words)
