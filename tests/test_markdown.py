"""Streamlit's markdown shows an escaped text as it is."""

import html

import pytest

from viz.document.blocks import inline
from viz.escape import escape, table


@pytest.mark.parametrize(
    ("typed", "escaped"),
    [
        ("a<b>", r"a\<b\>"),
        ("$x$", r"\$x\$"),
        (":red[x]", r"\:red\[x\]"),
        ("**b** _c_ `d` # e", r"\*\*b\*\* \_c\_ \`d\` \# e"),
        ("back\\slash", r"back\\slash"),
        ("l'été, 你好", r"l\'été\, 你好"),
        ("http://a.b", r"http\::small[]\/\/a\.b"),
        ("www.a.b a@b.c", r"www:small[]\.a\.b a\@:small[]b\.c"),
        (":streamlit: :material/home:", r"\::small[]streamlit\: \::small[]material\/home\:"),
        ("a <- b -- c", r"a \<:small[]\- b \-:small[]\- c"),
    ],
)
def test_escape(typed: str, escaped: str) -> None:
    assert escape(typed) == escaped


@pytest.mark.parametrize(
    "typed", ["http://a.b <-> :material_home: :small[x] *y*", "--", "a_b `c` \\", "www.x a@b >= 3 ~= 4"]
)
def test_a_saved_page_shows_it_as_it_is_too(typed: str) -> None:
    assert html.unescape(inline(escape(typed))) == typed


def test_a_table_shows_every_cell_as_it_is() -> None:
    lines = table(["a|b", "n"], [["*x*", "1"], ["<y>", "2"]]).split("\n")
    assert lines == [r"| a\|b | n |", "| --- | ---: |", r"| \*x\* | 1 |", r"| \<y\> | 2 |"]
