"""Bars under bars: every number where it belongs, whatever things are called."""

import json

from viz.figures.stacked import NUMBERED, Bars, stacked

PANELS = (
    Bars(title="weight $x$", values=(0.2, 0.7, 0.1), notes=("2", "1", "3")),
    Bars(title="fall", values=(-1.0, 3.0, 0.0), notes=("3", "1", "2")),
)


def test_panels_hold_their_values_on_one_axis_of_groups() -> None:
    figure = stacked(["the", "<b>", "the"], PANELS, x_title="word")
    assert [list(bar.y) for bar in figure.data] == [list(panel.values) for panel in PANELS]
    assert [list(bar.text) for bar in figure.data] == [["2", "1", "3"], ["3", "1", "2"]]
    assert all(list(bar.x) == [0, 1, 2] for bar in figure.data)
    assert list(figure.layout.xaxis2.ticktext) == ["the", "&lt;b&gt;", "the"]
    assert figure.layout.xaxis.matches == "x2"
    assert [each.text for each in figure.layout.annotations] == ["weight &#36;x&#36;", "fall"]
    assert figure.layout.yaxis.range[0] == 0
    assert figure.layout.yaxis2.range[0] < -1


def test_notes_that_would_overlap_are_in_the_hover_only() -> None:
    count = NUMBERED + 1
    panel = Bars(title="", values=[0.0] * count, notes=[str(i) for i in range(count)])
    figure = stacked(["word"] * count, [panel], x_title="")
    assert figure.data[0].text is None
    assert figure.data[0].customdata[3] == ["word", "3"]
    assert figure.layout.yaxis.range[1] > 0


def test_the_schemes_differ() -> None:
    light, dark = (
        json.dumps(stacked(["a", "b", "c"], PANELS, x_title="", scheme=scheme).to_dict())
        for scheme in ("light", "dark")
    )
    assert light != dark
