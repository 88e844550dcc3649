"""What one visitor has chosen, and the address that says so: the only user of session state and query parameters.

A `Space` owns the keys of one page or scene, so that no two things in the app can have the same. A `Choice` is one
thing to choose: its key, its default, and its form in the address; `viz.widgets.inputs` draws it. A `Memory` is
anything else that lasts as long as the visit.
"""

import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

T = TypeVar("T")

LONGEST = 1500
"""Characters of a value beyond which it is left out of the address: browsers and chats cut long ones."""

_FILES: dict[str, str] = {}
"""Which file each space is made in."""
_ADDRESSES: dict[tuple[str, str], str] = {}
"""Which space a name belongs to in the address of a page; "" is the page of what all pages have."""


class Key(str):
    """The key of a widget, a chart or a canvas."""

    def at(self, *where: object) -> "Key":
        """The key of one of a family: each layer's, each language's."""
        return Key("/".join([self, *map(str, where)]))


class Space:
    """The keys of one page, scene or part. ValueError when a name stands twice, or another file has this space."""

    def __init__(self, name: str, file: str, *, page: str | None = None) -> None:
        """`file` is the maker's __file__. `page` is the page that a scene or a part lies on: its choices then have
        the space's own name in front in the address."""
        if os.path.realpath(_FILES.setdefault(name, file)) != os.path.realpath(file):
            raise ValueError(f"The keys of {name!r} are those of {_FILES[name]}, and cannot be those of {file} too.")
        self.name, self.page, self.prefix = name, name if page is None else page, "" if page is None else f"{name}_"
        self._names: set[str] = set()

    def key(self, name: str) -> Key:
        if name in self._names:
            raise ValueError(f"{self.name!r} has two keys {name!r}.")
        self._names.add(name)
        return Key(f"{self.name}.{name}")

    def choice(self, name: str, default: T, *, linked: bool = True, address: str = "") -> "Choice[T]":
        """Something to choose, which the address keeps unless it is not `linked`. `address` is its name there, where it
        is not the usual one."""
        address = (address or f"{self.prefix}{name}") if linked else ""
        if address:
            pages = {self.page, ""} if self.page else {page for page, known in _ADDRESSES if known == address} | {""}
            for page in pages:
                if (owner := _ADDRESSES.get((page, address), self.name)) != self.name:
                    raise ValueError(f"{address!r} in the address is a choice of {owner!r} and of {self.name!r}.")
            _ADDRESSES[self.page, address] = self.name
        return Choice(key=self.key(name), address=address, default=default)

    def memory(self, name: str, make: Callable[[], T]) -> "Memory[T]":
        """Something to remember; `make` is called when there is nothing yet."""
        return Memory(key=self.key(name), make=make)


@dataclass(frozen=True, kw_only=True)
class Memory(Generic[T]):
    """Something that is no widget's value and in no address, until the visitor leaves."""

    key: Key
    make: Callable[[], T] = field(compare=False)

    def get(self) -> T:
        if self.key not in st.session_state:
            st.session_state[self.key] = self.make()
        return cast(T, st.session_state[self.key])

    def set(self, value: T) -> None:
        st.session_state[self.key] = value

    def forget(self) -> None:
        st.session_state.pop(self.key, None)

    def at(self, *where: object) -> "Memory[T]":
        return replace(self, key=self.key.at(*where))


@dataclass(frozen=True, kw_only=True)
class Choice(Generic[T]):
    """One thing that a visitor can choose.

    Its value is first that of the address, then what a widget or `set` makes of it. Back and Forward take it from the
    address again.
    """

    key: Key
    address: str
    """Its name in the address; "" keeps it out."""
    default: T

    def at(self, *where: object) -> "Choice[T]":
        """One of a family: each layer's own, say."""
        address = "-".join([self.address, *map(str, where)]) if self.address else ""
        return replace(self, key=self.key.at(*where), address=address)

    def within(self, default: T) -> "Choice[T]":
        """The same with a default that is only known now, as from the model."""
        return replace(self, default=default)

    def begin(self, read: Callable[[str], T | None], write: Callable[[T], str] = str) -> T:
        """In each run in which it is there to choose, before its widget is drawn: takes the value from the address if
        there is one that `read` makes something of, and from then on `write_address` puts it there."""
        held = self.key in st.session_state
        if not self.address:
            st.session_state[self.key] = st.session_state[self.key] if held else self.default
            return self.get()
        _links()[self.address] = self, cast(Callable[[object], str], write)
        given = st.query_params.get(self.address)
        if held and given is None and moved() and len(write(self.get())) <= LONGEST:
            self.set(self.default)  # the visitor went back to an address without it
        elif held and not (given is not None and (moved() or _ARRIVED.get())):
            if _TURNING.get():
                self.set(self.get())
        else:
            value = None if given is None or len(given) > LONGEST else read(given)
            if given is not None and value is None:
                _BAD.get().append(f"{self.address}={given}")
            self.set(self.default if value is None else value)
        return self.get()

    def get(self) -> T:
        """What is chosen now."""
        return cast(T, st.session_state.get(self.key, self.default))

    def set(self, value: T) -> None:
        """Choose for the visitor (in a callback, or before the widget is drawn)."""
        st.session_state[self.key] = value

    def among(self, options: Sequence[T]) -> T:
        """What is chosen; when it is none of the options any more, the default again, or else the first option."""
        if self.get() not in options:
            self.set(self.default if self.default in options else options[0])
        return self.get()


# ---- what all pages have -------------------------------------------------------------------------------------------

APP = Space("app", __file__, page="")

LANGUAGE = APP.choice("language", "", address="language")
"""The visitor's choice; "" is the browser's."""
SENTENCE = APP.choice("sentence", "", address="sentence")
PRESENTING = APP.choice("present", False, address="present")
BUILD = APP.choice("build", 0, address="build")
"""What of a page is shown to a room, counted from 0."""

_BROWSER = APP.memory("browser language", lambda: "en")
_PAGE = APP.memory("page", lambda: ("", ""))
_ARRIVED = APP.memory("arrived", lambda: False)
_TURNING = APP.memory("turning", lambda: False)
_PART = APP.memory("part of the page", lambda: "")
_STAGED = APP.memory("scene on the stage", lambda: "")
_STARTED = APP.memory("build it began with", lambda: 0)
_BAD: Memory[list[str]] = APP.memory("bad links", list)
_LINKS: Memory[dict[str, tuple[Choice[Any], Callable[[object], str]]]] = APP.memory("links", dict)


def _links() -> dict[str, tuple[Choice[Any], Callable[[object], str]]]:
    """What this run has begun to choose, by its name in the address."""
    return _LINKS.get()


def moved() -> bool:
    """Whether the browser's Back or Forward led to this run."""
    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))


def begin(languages: Mapping[str, str]) -> None:
    """A run of the whole app: its language is that of the address, or the visitor's choice, or else the browser's."""
    _LINKS.set({})
    LANGUAGE.begin(lambda text: text if text in languages else None)
    _BROWSER.set(next((each for each in languages if (st.context.locale or "").startswith(each)), "en"))
    _run.language = None


_run = threading.local()
"""What a run has found out. Streamlit gives each run to a thread, so visitors' runs at one time do not meet here."""


def language() -> str:
    """The visitor's; English where there is none. It is looked up once a run: asking the session takes ten times
    as long as finding a sentence, and a page has hundreds of them."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is None:
        return "en"
    if getattr(_run, "language", None) is None or _run.of is not run:
        _run.of, _run.language = run, LANGUAGE.get() or _BROWSER.get()
    found: str = _run.language
    return found


def presenting() -> bool:
    """Whether the page is shown to a room."""
    return PRESENTING.begin({"True": True, "False": False}.get)


def scene() -> str:
    """The page and the part of it that are drawn."""
    return f"{_PAGE.get()[0]}/{_PART.get()}"


def begin_build() -> int:
    """The build of a page or scene that a presentation begins with: that of the address, or the first."""
    build = BUILD.begin(lambda text: int(text) if re.fullmatch("[0-9]{1,3}", text) else None)
    if _STAGED.get() not in ("", scene()) and not moved():
        build = 0
    if _STAGED.get() != scene() or moved():
        BUILD.set(build)
        _STAGED.set(scene())
        _STARTED.set(build)
    return _STARTED.get()


def arrive(page: str, title: str) -> None:
    """The page that is drawn now, and what it is called. What others put into the address does not belong to it, and
    what their widgets hold must be told anew to those of this page, or a browser shows them empty."""
    arrived = _PAGE.get()[0] != page
    _ARRIVED.set(arrived)
    if arrived or moved():
        _TURNING.set(True)
    _PAGE.set((page, title))


def arrived() -> bool:
    """Whether the visitor has just come to the page."""
    return _ARRIVED.get()


def turn(part: str) -> None:
    """The part of the page that is drawn now. Where it is another one, its widgets must be told what they hold, until a
    run has come to its end: a browser that is told in a run that another cut short shows them empty."""
    if _PART.get() != part:
        _TURNING.set(True)
    _PART.set(part)


def page() -> tuple[str, str]:
    """Name in the address, and title, of the page that is drawn."""
    return _PAGE.get()


def begin_page() -> None:
    """The content of a page begins to be drawn: what was to choose in it before is in the address no more."""
    _LINKS.set({address: each for address, each in _links().items() if each[0].key.startswith(f"{APP.name}.")})


def write_address() -> None:
    """The address bar says what is chosen now, as far as it is not what everybody begins with."""
    wanted = {}
    for address, (choice, write) in _links().items():
        value = choice.get()
        if value != choice.default and len(text := write(value)) <= LONGEST:
            wanted[address] = text
    _ARRIVED.set(False)
    _TURNING.set(False)
    if wanted != st.query_params.to_dict():
        st.query_params.from_dict(wanted)


def bad_links() -> list[str]:
    """What the address asked for in vain, once."""
    found = _BAD.get()
    _BAD.forget()
    return found


def linked_to(chosen: Mapping[Choice[Any], str]) -> dict[str, str]:
    """What a link to another page says: what is `chosen` there, as the address has it, and what is kept everywhere."""
    everywhere = {each.address: str(each.get()) for each in (SENTENCE, LANGUAGE, PRESENTING) if each.get()}
    return {address: text for address, text in everywhere.items() if len(text) <= LONGEST} | {
        choice.address: text for choice, text in chosen.items()
    }
