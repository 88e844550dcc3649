"""What one visitor has chosen, and the address that says so: the only user of session state and query parameters."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.jobs import Job
from viz.saved import Record

T = TypeVar("T")

SENTENCE, EXAMPLE = "sentence", "example"
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


LONGEST_LINK = 1500
"""Characters of a value beyond which it is left out of the address: browsers and chats cut long ones."""


def linked(key: str, default: T, read: Callable[[str], T | None]) -> None:
    """A value that the address bar has: at first it is taken from there, if `read` makes something of it, and from then
    on `write_link` puts it there when it is not the default."""
    st.session_state.setdefault("links", {})[key] = default
    given, arrived = st.query_params.get(key), st.session_state["arrived"]
    if key in st.session_state and not (arrived and given is not None):
        if st.session_state[TURNING]:
            st.session_state[key] = st.session_state[key]
        return
    value = None if given is None else read(given)
    if given is not None and value is None:
        st.session_state.setdefault("bad_links", []).append(f"{key}={given}")
    st.session_state[key] = default if value is None else value


def valid(key: str, options: Sequence[T], default: T) -> None:
    """A choice that is none of the options any more is the default again."""
    if st.session_state[key] not in options:
        st.session_state[key] = default


RECORD = "record"
"""What the page shows."""
LANGUAGE = "language"
_run = threading.local()
"""A run is one thread's, and so is what it has found out: two visitors' runs at one time do not meet here."""


def begin(languages: Iterable[str]) -> None:
    """A run of the whole app: its language is that of the address, or the visitor's choice, or else the browser's."""
    st.session_state["links"] = {}
    st.session_state.setdefault("arrived", False)
    st.session_state.setdefault(TURNING, False)
    linked(LANGUAGE, "", lambda text: text if text in languages else None)
    st.session_state["browser"] = next((each for each in languages if (st.context.locale or "").startswith(each)), "en")
    _run.language = None


def language() -> str:
    """The visitor's; English where there is none. It is looked up once a run: asking the session's state takes longer
    than the rest of finding a sentence, and a page has hundreds of them."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is None:
        return "en"
    if getattr(_run, "language", None) is None or _run.of is not run:
        _run.of, _run.language = run, st.session_state.get(LANGUAGE) or st.session_state.get("browser", "en")
    found: str = _run.language
    return found


def speak(key: str) -> None:
    """The language that the widget of this key holds (a callback)."""
    st.session_state[LANGUAGE] = st.session_state[key]
    _run.language = None


TURNING = "turning"


def turn(part: str) -> None:
    """The page, or the part of it, that is drawn now. Where it is another one, its widgets must be told what they hold,
    until a run has come to its end: a browser that is told in a run that another cut short shows them empty."""
    if kept("part", part) != part:
        keep(TURNING, True)
    keep("part", part)


def arrive(page: str, title: str = "") -> None:
    """The page that is drawn now, and what it is called. What others put into the address does not belong to it, and
    what their widgets hold must be told anew to those of this page, or a browser shows them empty."""
    st.session_state["arrived"] = st.session_state.get("page", page) != page
    if st.session_state["arrived"]:
        keep(TURNING, True)
    st.session_state["page"], st.session_state["title"] = page, title


def page() -> tuple[str, str]:
    """Name in the address, and title, of the page that is drawn."""
    return st.session_state.get("page", ""), st.session_state.get("title", "")


def start_record() -> Record:
    """Of a page that begins to be drawn: nothing of it is noted yet. A visitor has one record, which is emptied, for
    Streamlit may hold on to the buttons of earlier pages."""
    found = record()
    found.clear()
    return found


def record() -> Record:
    """What has been drawn of the page so far, for whoever saves it."""
    found: Record = st.session_state.setdefault(RECORD, Record())
    return found


PRESENTING = "present"


def presenting() -> bool:
    """Whether the page is shown to a room."""
    linked(PRESENTING, False, {"True": True, "False": False}.get)
    shown: bool = st.session_state[PRESENTING]
    return shown


def present(on: bool) -> None:
    st.session_state[PRESENTING] = on


def write_link() -> None:
    """The address bar says what is chosen now, as far as it is not what everybody begins with."""
    wanted = {
        key: str(st.session_state[key])
        for key, default in st.session_state["links"].items()
        if key in st.session_state and st.session_state[key] != default
    }
    wanted = {key: value for key, value in wanted.items() if len(value) <= LONGEST_LINK}
    st.session_state["arrived"] = st.session_state[TURNING] = False
    if wanted != st.query_params.to_dict():
        st.query_params.from_dict(wanted)


def bad_links() -> list[str]:
    """What the address asked for in vain, once."""
    found: list[str] = st.session_state.pop("bad_links", [])
    return found


def sentence() -> str:
    """What stands in the sentence box now."""
    text: str = st.session_state[SENTENCE]
    return text


def with_sentence(chosen: Mapping[str, str]) -> dict[str, str]:
    """What a link to another page says: what is `chosen` there, and the sentence, if there is one already."""
    return ({SENTENCE: st.session_state[SENTENCE]} if st.session_state.get(SENTENCE) else {}) | dict(chosen)


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
    if st.session_state["arrived"]:
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
