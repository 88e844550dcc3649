"""Curves and histogram stand over one axis, and every number is where it belongs."""

import numpy as np
import pytest

from viz.figures import Series
from viz.figures.activation import activations
from viz.theme import BACKGROUND, Scheme


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_curves_and_bars_share_an_axis_and_bars_are_told_apart_at_0(scheme: Scheme) -> None:
    edges, counts = np.array([-2, -1, 0, 1, 2], np.float32), np.array([4, 0, 7, 1])
    figure = activations(
        [Series(name="<b>one", x=[-2, 2], y=[0, 2]), Series(name="two", x=[-2, 2], y=[-1, 2])],
        edges, counts, off="off$", on="on", x_title="x", y_title="y", count_title="#000001", top=3, scheme=scheme,
    )  # fmt: skip
    one, two, off, on = figure.data
    assert (list(one.y), list(two.y)) == ([0, 2], [-1, 2])
    assert (list(off.x), list(off.y), list(on.x), list(on.y)) == ([-1.5, -0.5], [4, 0], [0.5, 1.5], [7, 1])
    assert list(off.width) == [1, 1]
    assert off.marker.pattern.shape
    assert not on.marker.pattern.shape
    assert (one.yaxis, off.yaxis) == ("y", "y2")
    assert figure.layout.xaxis.matches == "x2"
    assert figure.layout.xaxis2.range == (-2, 2)
    assert figure.layout.yaxis.range == (-0.5, 3)
    assert off.marker.color != BACKGROUND[scheme]
    assert off.marker.pattern.fillmode == "overlay"  # else the colour is that of the pattern alone
    assert one.line.dash != two.line.dash
    assert figure.layout.paper_bgcolor == BACKGROUND[scheme]
    assert figure.layout.yaxis2.title.text == "&#35;000001"
    assert (one.name, off.name) == ("&lt;b&gt;one", "off&#36;")
