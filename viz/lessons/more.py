"""Pages where a scene or a block goes on, each with what is chosen there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from model.intervention import Kind
from viz import state
from viz.i18n import t
from viz.pages import compare, positions, translate, worksheet
from viz.state import Choice


@dataclass(frozen=True, kw_only=True)
class More:
    """A page, and what is chosen there beside what is chosen everywhere."""

    page: str
    """The name of its file."""
    title: str
    """The key of its name."""
    chosen: Mapping[Choice[Any], str] = field(default_factory=dict)
    """As the address has it."""


def on_translate(kind: Kind | None = None, layer: int = 0, head: int = 0) -> More:
    """With the head chosen, if a kind is given; counted from 0."""
    chosen = {translate.HEAD: translate.write_head((kind, layer, head))} if kind else {}
    return More(page="translate", title="translate.title", chosen=chosen)


def on_worksheet(kind: Kind | None = None, layer: int | None = None, head: int | None = None) -> More:
    """Layer and head counted from 0."""
    given: list[tuple[Choice[Any], object]] = [(worksheet.KIND, kind), (worksheet.LAYER, layer), (worksheet.HEAD, head)]
    chosen = {choice: str(value) for choice, value in given if value is not None}
    return More(page="worksheet", title="worksheet.title", chosen=chosen)


def on_positions(tab: str) -> More:
    return More(page="positions", title="positions.title", chosen={positions.TAB: tab})


def on_compare(tab: str | None = None) -> More:
    """With one of its tabs open."""
    return More(page="compare", title="compare.title", chosen={compare.TAB: tab} if tab else {})


def links(more: Iterable[More]) -> None:
    for each in more:
        st.page_link(
            f"viz/pages/{each.page}.py", label=t(each.title), width="content",
            query_params=state.linked_to(each.chosen),
        )  # fmt: skip
