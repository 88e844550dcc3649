"""Pictures of positions hold each number where it belongs, on the scale that they state, and escape what was typed."""

import json

import numpy as np
import pytest

from model.experiments.position_encoding import move, shift, table
from viz.figures import Series
from viz.figures.positions import Axes, Panel, bars_of_pieces, dials, overlay, square, stacked, waves
from viz.theme import BACKGROUND, DIVERGING, Scheme

AXES = Axes(rows="<b>row</b>", columns="column", value="$value$", limit=2.5)
HOSTILE = ["<b>x</b>", "$x$", "#000001", "</s>"]


def panel(rows: int = 4, columns: int = 6, seed: int = 0, title: str = "one") -> Panel:
    return Panel(title=title, values=np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_stacked_maps_share_one_scale_and_keep_every_number(scheme: Scheme) -> None:
    panels = [panel(seed=seed, title=f"<i>{seed}</i>") for seed in range(3)]
    figure = stacked(panels, AXES, rows=HOSTILE, scheme=scheme)
    for trace, each in zip(figure.data, panels, strict=True):
        np.testing.assert_array_equal(trace.z, each.values)
        assert trace.coloraxis == "coloraxis"
        assert trace.zmin is None
    colours = figure.layout.coloraxis
    assert (colours.cmin, colours.cmax) == (-2.5, 2.5)
    assert [colour for _, colour in colours.colorscale] == list(DIVERGING[scheme])
    assert list(colours.colorbar.tickvals) == [-2.5, -1.25, 0, 1.25, 2.5]
    assert figure.layout.paper_bgcolor == BACKGROUND[scheme]
    assert [note.text for note in figure.layout.annotations] == [f"&lt;i&gt;{seed}&lt;/i&gt;" for seed in range(3)]
    for axis in (figure.layout.yaxis, figure.layout.yaxis2, figure.layout.yaxis3):
        assert list(axis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;", "&#36;x&#36;", "&#35;000001", "&lt;/s&gt;"]
        assert axis.range[0] > axis.range[1]  # row 0 is on top
        assert axis.title.text == "&lt;b&gt;row&lt;/b&gt;"
    assert figure.layout.xaxis3.title.text == "column"
    assert "<b>row" not in figure.to_json()


@pytest.mark.parametrize("rows", [1, 2, 11, 40, 128])
@pytest.mark.parametrize("count", [1, 3])
def test_any_sentence_makes_a_figure_of_sane_height(rows: int, count: int) -> None:
    figure = stacked([panel(rows, 256)] * count, AXES, rows=["piece"] * rows)
    assert 100 <= figure.layout.height <= 1800
    shown = len(figure.layout.yaxis.ticktext)
    drawn = figure.layout.height - 76 - 34 * count
    assert drawn / count / shown >= 12  # each name has room
    assert 0 <= (figure.layout.yaxis.domain[1] - figure.layout.yaxis.domain[0]) <= 1
    json.loads(figure.to_json())


def test_marked_rows_have_a_frame_each_in_the_first_map() -> None:
    figure = stacked([panel(9), panel(9, seed=1)], AXES, marked=(2, 7), height=90)
    frames = figure.layout.shapes
    assert [(frame.y0, frame.y1) for frame in frames] == [(1.5, 2.5), (6.5, 7.5)]
    assert {(frame.x0, frame.x1, frame.yref) for frame in frames} == {(-0.5, 5.5, "y")}
    assert [frame.line.dash for frame in frames] == ["solid", "dot"]
    assert figure.layout.height < stacked([panel(9), panel(9, seed=1)], AXES).layout.height


def test_rows_without_names_are_numbered() -> None:
    figure = stacked([Panel(title="PE", values=table(20, 8))], AXES)
    assert figure.layout.yaxis.ticktext is None
    np.testing.assert_array_equal(figure.data[0].z, table(20, 8))


def test_a_square_map_has_square_cells_and_numbers_when_asked_for() -> None:
    matrix = shift(3, 8)
    figure = square(Panel(title="M", values=matrix), AXES, numbers=True, size=300)
    np.testing.assert_allclose(figure.data[0].z, matrix, atol=1e-6)
    assert figure.data[0].texttemplate == "%{z:.2f}"
    assert square(panel(), AXES).data[0].texttemplate is None
    assert figure.layout.yaxis.scaleanchor == "x"
    assert figure.layout.height == 300


def test_waves_are_lines_without_markers() -> None:
    series = [Series(name="<b>0</b>", x=[0, 1, 2], y=[0, 1, 0]), Series(name="1", x=[0, 1, 2], y=[1, 0, 1])]
    figure = waves(series, x_title="position", y_title="value")
    assert [trace.mode for trace in figure.data] == ["lines", "lines"]
    assert figure.data[0].name == "&lt;b&gt;0&lt;/b&gt;"
    assert list(figure.data[1].y) == [1, 0, 1]
    assert figure.data[0].line.dash != figure.data[1].line.dash
    assert figure.layout.yaxis.range[0] < -1 < 1 < figure.layout.yaxis.range[1]


def test_a_moved_vector_lies_on_the_true_one() -> None:
    found = move(4, 3, 8)
    dimensions = list(range(8))
    vectors = [Series(name=name, x=dimensions, y=getattr(found, name).tolist()) for name in ("before", "true", "moved")]
    before, true, moved = overlay(*vectors, x_title="dimension", y_title="value").data
    np.testing.assert_allclose(true.y, moved.y, atol=1e-6)
    assert np.abs(np.subtract(before.y, true.y)).max() > 0.5
    assert true.marker.size > moved.marker.size
    assert len({trace.marker.symbol for trace in (before, true, moved)}) == 3
    assert {trace.mode for trace in (before, true, moved)} == {"markers"}


def test_clock_hands_point_where_sine_and_cosine_say() -> None:
    found = move(4, 3, 8)
    before, after = ([vector[pair : pair + 2] for pair in (0, 4)] for vector in (found.before, found.true))
    figure = dials(before, after, ["<b>0, 1</b>", "4, 5"], names=("before", "after"))
    assert len(figure.data) == 4
    for trace, (sine, cosine) in zip(figure.data, (before[0], after[0], before[1], after[1]), strict=True):
        assert list(trace.x) == pytest.approx([0, cosine])
        assert list(trace.y) == pytest.approx([0, sine])
        assert trace.x[1] ** 2 + trace.y[1] ** 2 == pytest.approx(1)
    assert [trace.showlegend for trace in figure.data] == [True, True, False, False]
    assert figure.data[0].line.dash != figure.data[1].line.dash
    assert len(figure.layout.shapes) == 2
    assert figure.layout.annotations[0].text == "&lt;b&gt;0, 1&lt;/b&gt;"


@pytest.mark.parametrize("count", [1, 11, 127])
def test_bars_of_a_long_sentence_name_some_of_its_pieces(count: int) -> None:
    pieces = [f"<{i}>" for i in range(count)]
    series = [Series(name="sum", x=[], y=list(range(count)))]
    figure = bars_of_pieces(pieces, series, x_title="piece", y_title="length")
    axis = figure.layout.xaxis
    assert len(axis.ticktext) == len(axis.tickvals) <= 50
    assert all(text == f"&lt;{value}&gt;" for value, text in zip(axis.tickvals, axis.ticktext, strict=True))
    assert list(figure.data[0].y) == list(range(count))
    assert len(axis.ticktext) == count or count > 50
