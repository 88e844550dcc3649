"""The plane of the weighted average, its numbers and its picture, and maps on common axes."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch

from viz.analysis.influence import shares
from viz.analysis.scores import powers, sharpness
from viz.analysis.vectors import amounts, averaged, distance, hull, plane, weighted
from viz.figures import Series, bars
from viz.figures.maps import maps
from viz.figures.plane import THICKEST, Mark, average
from viz.figures.positions import Panel

RANDOM = np.random.default_rng(0)
STATES = RANDOM.normal(size=(7, 12)).astype(np.float32)


def test_the_plane_is_that_of_the_covariances_largest_eigenvalues() -> None:
    found = plane(STATES)
    values, vectors = np.linalg.eigh(np.cov(STATES.T, bias=True))
    for i in range(2):
        assert found.shares[i] == pytest.approx(values[-1 - i] / values.sum(), rel=1e-4)
        assert abs(found.directions[i] @ vectors[:, -1 - i]) == pytest.approx(1, abs=1e-4)
        assert found.directions[i][np.abs(found.directions[i]).argmax()] > 0
    assert found.share == pytest.approx(sum(found.shares))
    np.testing.assert_allclose(found.directions @ found.directions.T, np.eye(2), atol=1e-5)
    np.testing.assert_allclose(found.of(STATES.mean(0)), 0, atol=1e-5)


def test_an_average_in_the_plane_is_the_average_of_the_points() -> None:
    weights, context = averaged([3, 0, 1, 0, 0, 4, 2], STATES)
    found = plane(STATES)
    np.testing.assert_allclose(found.of(context), weights @ found.of(STATES), atol=1e-5)
    np.testing.assert_allclose(weights, [0.3, 0, 0.1, 0, 0, 0.4, 0.2], atol=1e-6)
    np.testing.assert_allclose(weighted(weights, STATES).sum(0), context, atol=1e-5)


@pytest.mark.parametrize("states", [np.ones((2, 4), np.float32), np.eye(4, dtype=np.float32)[:2]])
def test_two_pieces_have_a_plane_too(states: np.ndarray) -> None:
    found = plane(states)
    assert np.isfinite(found.of(states)).all()
    assert found.shares[1] == pytest.approx(0, abs=1e-6)
    assert hull(found.of(states))


def test_all_at_nothing_is_all_equal() -> None:
    np.testing.assert_allclose(averaged([0] * 7, STATES)[1], STATES.mean(0), atol=1e-6)


def test_amounts_lead_back_to_the_weights() -> None:
    weights = shares(RANDOM.random(9).astype(np.float32))
    whole = amounts(weights, 100)
    assert max(whole) == 100
    np.testing.assert_allclose(averaged(whole, np.eye(9, dtype=np.float32))[0], weights, atol=0.005)


def test_every_point_is_within_the_hull_and_each_corner_is_needed() -> None:
    points = RANDOM.normal(size=(40, 2)).astype(np.float32)
    corners = hull(points)
    outline = [*corners, corners[0]]

    def left(a: int, b: int, c: int) -> float:
        one, other = points[b] - points[a], points[c] - points[a]
        return float(one[0] * other[1] - one[1] * other[0])

    for a, b in pairwise(outline):
        assert all(left(a, b, i) > 0 for i in range(len(points)) if i not in (a, b))
    assert len(set(corners)) == len(corners) < len(points)


def test_distance_is_euclidean() -> None:
    assert distance(np.array([1, 2], np.float32), np.array([4, 6], np.float32)) == 5


def test_powers_over_their_sum_are_softmax() -> None:
    scores = RANDOM.normal(size=(3, 5)).astype(np.float32) * 30
    found = powers(scores)
    assert (found.max(-1) == 1).all()
    expected = torch.from_numpy(scores).softmax(-1).numpy()
    np.testing.assert_allclose(found / found.sum(-1, keepdims=True), expected, rtol=1e-5)


def test_sharpness_of_rows_that_are_known() -> None:
    even, one = np.full((2, 8), 1 / 8, np.float32), np.eye(8, dtype=np.float32)[:2]
    flat = sharpness(np.zeros((2, 8), np.float32), even)
    assert (flat.spread, flat.entropy, flat.evenly, flat.slope) == pytest.approx((0, 3, 3, 7 / 8))
    certain = sharpness(one * 100, one)
    assert (certain.entropy, certain.slope) == pytest.approx((0, 0), abs=1e-6)
    assert certain.spread == pytest.approx(100 * math.sqrt(7) / 8)


def test_the_slope_is_the_diagonal_of_softmaxs_jacobian() -> None:
    scores = torch.from_numpy(RANDOM.normal(size=6).astype(np.float32))
    jacobian = torch.autograd.functional.jacobian(lambda row: row.softmax(-1), scores)
    weights = scores.softmax(-1)
    assert sharpness(scores.numpy()[None], weights.numpy()[None]).slope == pytest.approx(float(jacobian.trace()))


def test_the_picture_has_lines_as_thick_as_the_weights() -> None:
    points = np.array([[0, 0], [4, 0], [0, 2]], np.float32)
    weights = np.array([0.5, 0.25, 0.25], np.float32)
    marks = [Mark(name="<c>", at=weights @ points), Mark(name="own", at=points[1])]
    figure = average(
        points, ["<b>", "$x$", "a"], weights, marks, hull(points), title="h", reach="all", x_title="x", y_title="y"
    )
    assert [shape.line.width for shape in figure.layout.shapes] == [THICKEST * 0.5, THICKEST * 0.25, THICKEST * 0.25]
    assert [(shape.x0, shape.y0) for shape in figure.layout.shapes] == [(1, 0.5)] * 3
    assert [(shape.x1, shape.y1) for shape in figure.layout.shapes] == [(0, 0), (4, 0), (0, 2)]
    outline, states, first, second = figure.data
    assert list(zip(outline.x, outline.y, strict=True)) == [(0, 0), (4, 0), (0, 2), (0, 0)]
    assert list(states.text) == ["&lt;b&gt;", "&#36;x&#36;", "a"]
    assert (first.x[0], first.y[0], first.name) == (1, 0.5, "&lt;c&gt;")
    assert (second.x[0], second.y[0]) == (4, 0)
    assert figure.layout.yaxis.scaleanchor == "x"
    below, above = figure.layout.yaxis.range
    assert below < 0
    assert above > 2.2


@pytest.mark.parametrize(("rows", "columns", "count"), [(3, 5, 4), (90, 120, 4), (1, 2, 3)])
def test_maps_have_one_scale_and_common_axes(rows: int, columns: int, count: int) -> None:
    panels = [Panel(title=f"<{i}>", values=RANDOM.random((rows, columns)).astype(np.float32)) for i in range(count)]
    figure = maps(panels, ["<s>"] * rows, ["#a"] * columns, query_axis="row", key_axis="column", weight="weight")
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 1)
    for panel, trace in zip(panels, figure.data, strict=True):
        np.testing.assert_array_equal(trace.z, panel.values)
        assert trace.coloraxis == "coloraxis"
    assert [note.text for note in figure.layout.annotations] == [f"&lt;{i}&gt;" for i in range(count)]
    assert len({axis.matches for axis in figure.select_xaxes()} - {None}) == 1
    for axis in figure.select_xaxes():
        assert set(axis.ticktext) == {"&#35;a"}
    assert {tuple(axis.range) for axis in figure.select_yaxes()} == {(rows - 0.5, -0.5)}


def test_bars_end_where_they_are_told() -> None:
    series = [Series(name="a", x=[], y=[0.2, 0.3])]
    figure = bars(["b", "b"], series, x_title="x", y_title="y", most=1)
    assert tuple(figure.layout.yaxis.range) == (0, 1)
    assert bars(["b", "b"], series, x_title="x", y_title="y").layout.yaxis.range is None
