"""The record of a page: its order, parts that are drawn again alone, canvases that are mounted anew."""

import contextlib

from tests.test_attention_grid import message_of, three_panels
from viz.document.blocks import Canvas, Heading, Text
from viz.document.record import Record


def block(name: str) -> Text:
    return Text(text=name)


def noted(record: Record) -> list[str]:
    return [each.text for each in record.blocks() if isinstance(each, Text | Heading)]


def page(record: Record, *, last: str = "last") -> None:
    """A page with a part, and a part within it."""
    record.clear()
    record.note(block("strip"))
    with record.part("outer") as alone:
        assert not alone
        record.note(block("grid"), "grid")
        with record.part("inner") as alone:
            assert not alone
            record.note(block("heatmap"), "heatmap")
        record.note(block("after"))
    record.note(block(last))


def test_a_whole_page_is_in_its_order() -> None:
    record = Record()
    page(record)
    assert noted(record) == ["strip", "grid", "heatmap", "after", "last"]
    page(record, last="another")
    assert noted(record) == ["strip", "grid", "heatmap", "after", "another"]


def test_a_part_that_is_drawn_alone_takes_its_old_place() -> None:
    record = Record()
    page(record)
    with record.part("inner") as alone:
        assert alone
        record.note(block("new heatmap"))
        record.note(block("and another"))
    assert noted(record) == ["strip", "grid", "new heatmap", "and another", "after", "last"]
    with record.part("outer") as alone:
        assert alone
        with record.part("inner") as alone:
            assert not alone
            record.note(block("inner again"))
    assert noted(record) == ["strip", "inner again", "last"]


def test_a_part_that_was_stopped_spoils_nothing() -> None:
    record = Record()
    page(record)
    with contextlib.suppress(RuntimeError), record.part("outer"):  # a script may be stopped anywhere
        record.note(block("half"))
        raise RuntimeError
    record.note(block("new"))
    assert noted(record) == ["strip", "half", "last", "new"]
    record.clear()
    assert noted(record) == []


def test_what_has_a_key_replaces_itself_in_its_place() -> None:
    record = Record()
    page(record)
    record.note(block("grid 2"), "grid")
    assert noted(record) == ["strip", "grid 2", "heatmap", "after", "last"]
    with record.part("inner"):
        record.note(block("heatmap 2"), "heatmap")
        record.note(block("heatmap 3"), "heatmap")
    assert noted(record) == ["strip", "grid 2", "heatmap 3", "after", "last"]


def test_nothing_is_copied() -> None:
    record, sent = Record(), message_of(three_panels(3, 3))
    assert not record.has_pictures()
    record.note(Canvas(component="attention_grid", data=sent), "grid")
    (only,) = record.blocks()
    assert isinstance(only, Canvas)
    assert only.data is sent
    assert record.has_pictures()
