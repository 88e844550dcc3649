"""Figures show each label exactly and each weight where it belongs."""

import itertools
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from viz.figures import Series, bars, heatmap, lines
from viz.figures.labels import label
from viz.figures.room import LARGER, USUAL, for_a_room
from viz.theme import BACKGROUND, CATEGORICAL, DIVERGING, INK, SEQUENTIAL, Scheme, colorscale


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("</s>", "&lt;/s&gt;"),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("&amp;", "&amp;amp;"),
        ("$x$", "&#36;x&#36;"),
        ("#000001", "&#35;000001"),
        ("a" * 40, "a" * 15 + "…"),
    ],
)
def test_label_is_escaped_never_stripped(typed: str, shown: str) -> None:
    assert label(typed) == shown


def test_escaping_comes_after_cutting() -> None:
    assert label("<" * 20).count("&lt;") == 15


def test_repeated_and_numeric_labels_keep_their_own_row_and_column() -> None:
    weights = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    figure = heatmap(weights, ["the", "the", "7"], ["1", "2", "1", "2026-01-01"])
    trace = figure.data[0]
    np.testing.assert_array_equal(trace.z, weights)
    assert list(trace.x) == [0, 1, 2, 3]
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "1", "2026-01-01"]
    assert list(figure.layout.yaxis.ticktext) == ["the", "the", "7"]


def test_colour_runs_from_zero_to_one_and_first_query_is_on_top() -> None:
    figure = heatmap(np.full((2, 2), 0.1, np.float32), ["a", "b"], ["c", "d"])
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    top, bottom = figure.layout.yaxis.range[1], figure.layout.yaxis.range[0]
    assert top < bottom


def test_forbidden_cells_are_empty_not_zero() -> None:
    figure = heatmap(np.eye(3, dtype=np.float32), list("abc"), list("abc"), reach=(1, 2, 3))
    z = figure.data[0].z
    assert np.isnan(z[0, 1:]).all()
    assert z[1, 0] == 0


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 128), (128, 128)])
def test_any_size_makes_a_figure_of_sane_height(rows: int, columns: int) -> None:
    figure = heatmap(np.ones((rows, columns), np.float32), ["q"] * rows, ["k"] * columns)
    assert max(200, 11 * rows) <= figure.layout.height <= 1700  # each row has room for its label
    json.loads(figure.to_json())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lightness_of_the_palette_moves_one_way(scheme: str) -> None:
    def luminance(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2

    steps = np.diff([luminance(colour) for colour in SEQUENTIAL[scheme]])  # type: ignore[index]
    assert (steps < 0).all() or (steps > 0).all()
    assert colorscale(scheme)[0][0] == 0  # type: ignore[arg-type]
    assert colorscale(scheme)[-1][0] == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_and_pages_have_the_same_ground_and_ink(scheme: str) -> None:
    settings = tomllib.loads((Path(__file__).parent.parent / ".streamlit/config.toml").read_text(encoding="utf-8"))
    page = settings["theme"][scheme]
    assert page["backgroundColor"] == BACKGROUND[scheme]  # type: ignore[index]
    assert page["textColor"] == INK[scheme]  # type: ignore[index]


SERIES = [
    Series(name="<b>RNN</b>", x=[1, 10], y=[0.5, 0.25], notes=["$3$ texts", "4 texts"]),
    Series(name="Transformer", x=[1, 10], y=[0.75, 0.125]),
]


def test_lines_keep_every_point_and_escape_every_word() -> None:
    figure = lines(SERIES, x_title="source words", y_title="BLEU", y_axis="log", scheme="dark")
    first, second = figure.data
    assert (list(first.x), list(first.y)) == ([1, 10], [0.5, 0.25])
    assert first.name == "&lt;b&gt;RNN&lt;/b&gt;"
    assert list(first.customdata) == ["&#36;3&#36; texts", "4 texts"]
    assert second.customdata is None
    assert "customdata" not in second.hovertemplate
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("source words", "BLEU")
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.paper_bgcolor == BACKGROUND["dark"]


def test_lines_differ_by_more_than_colour() -> None:
    figure = lines(SERIES, x_title="x", y_title="y", from_zero=True)
    first, second = figure.data
    for look in ("color", "dash"):
        assert first.line[look] != second.line[look]
    assert first.marker.symbol != second.marker.symbol
    assert figure.layout.yaxis.rangemode == "tozero"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_look_is_used_twice_by_as_many_lines_as_there_are_colours(scheme: Scheme) -> None:
    count = len(CATEGORICAL[scheme])
    assert count >= 7  # the models of a comparison
    figure = lines([Series(name=str(i), x=[1], y=[i]) for i in range(count)], x_title="x", y_title="y", scheme=scheme)
    for looks in ([trace.line.color for trace in figure.data], [trace.marker.symbol for trace in figure.data]):
        assert len(set(looks)) == count


# Red, green and blue as those see them who lack one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1.
SIGHT = {
    "all": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour: str) -> np.ndarray:
    """Of sRGB, as light adds up."""
    share = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    """CIELAB, in which equal distances look about equal; white is that of sRGB."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (
        share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116
        for share in to_xyz @ light.clip(0, 1) / to_xyz.sum(1)
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_colours_of_lines_differ_for_every_kind_of_colour_vision(scheme: Scheme, sight: str) -> None:
    seen = [lab(np.array(SIGHT[sight]) @ linear(colour)) for colour in CATEGORICAL[scheme]]
    closest = min(np.linalg.norm(one - other) for one, other in itertools.combinations(seen, 2))
    assert closest > 9  # about 2 is the least that can be seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_stand_out_from_the_page(scheme: Scheme) -> None:
    """WCAG asks graphics for a contrast of 3."""

    def luminance(colour: str) -> float:
        return float(np.array([0.2126, 0.7152, 0.0722]) @ linear(colour)) + 0.05

    ground = luminance(BACKGROUND[scheme])
    for colour in CATEGORICAL[scheme]:
        ratio = luminance(colour) / ground
        assert max(ratio, 1 / ratio) >= 3, colour


def test_an_axis_says_what_it_is_told_to() -> None:
    figure = lines(SERIES, x_title="x", y_title="y", x_axis="log", x_ticks={1: "<s>", 10: "ten"})
    assert figure.layout.xaxis.type == "log"
    assert list(figure.layout.xaxis.tickvals) == [1, 10]
    assert list(figure.layout.xaxis.ticktext) == ["&lt;s&gt;", "ten"]
    many = lines(SERIES, x_title="x", y_title="y", x_ticks={i: str(i) for i in range(128)}).layout.xaxis
    assert list(many.tickvals) == list(range(0, 128, 3))
    assert list(many.ticktext) == [str(i) for i in range(0, 128, 3)]


def test_bars_of_equal_names_stay_apart() -> None:
    figure = bars(["the", "the", "</s>"], [Series(name="RNN", x=[], y=[1, 2, 3])], x_title="piece", y_title="share")
    (trace,) = figure.data
    assert list(trace.x) == [0, 1, 2]
    assert list(trace.y) == [1, 2, 3]
    assert list(figure.layout.xaxis.ticktext) == ["the", "the", "&lt;/s&gt;"]


def test_a_difference_has_a_scale_with_two_ends() -> None:
    figure = heatmap(np.array([[-1, 0, 1]], np.float32), ["a"], ["x", "y", "z"], difference=True)
    assert (figure.data[0].zmin, figure.data[0].zmax) == (-1, 1)
    assert [colour for _, colour in figure.data[0].colorscale] == list(DIVERGING["light"])
    assert list(figure.data[0].z[0]) == [-1, 0, 1]


def test_gold_cells_are_outlined_where_they_are() -> None:
    figure = heatmap(np.eye(2, dtype=np.float32), ["a", "b"], ["x", "y"], gold=[(0, 1, True), (1, 0, False)])
    sure, possible = figure.layout.shapes
    assert sure.x0 < 1 < sure.x1
    assert sure.y0 < 0 < sure.y1
    assert possible.x0 < 0 < possible.x1
    assert possible.y0 < 1 < possible.y1
    assert sure.line.dash != possible.line.dash


def test_numbers_are_written_into_cells_when_asked_for() -> None:
    weights = np.array([[0.123]], np.float32)
    assert heatmap(weights, ["a"], ["b"]).data[0].texttemplate is None
    assert heatmap(weights, ["a"], ["b"], numbers=True).data[0].texttemplate == "%{z:.2f}"


def test_a_room_gets_larger_type_and_the_same_numbers() -> None:
    figure = heatmap(np.eye(2, dtype=np.float32), ["a", "b"], ["c", "d"])
    before = figure.to_json()
    shown = for_a_room(figure)
    assert figure.to_json() == before
    assert shown.layout.xaxis.tickfont.size == LARGER * figure.layout.xaxis.tickfont.size
    assert shown.layout.font.size == LARGER * USUAL
    assert shown.layout.height == figure.layout.height
    np.testing.assert_array_equal(shown.data[0].z, figure.data[0].z)
