"""Streamlit's markdown shows an escaped text as it is."""

import pytest

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
    ],
)
def test_escape(typed: str, escaped: str) -> None:
    assert escape(typed) == escaped


def test_a_table_shows_every_cell_as_it_is() -> None:
    lines = table(["a|b", "n"], [["*x*", "1"], ["<y>", "2"]]).split("\n")
    assert lines == [r"| a\|b | n |", "| --- | ---: |", r"| \*x\* | 1 |", r"| \<y\> | 2 |"]
