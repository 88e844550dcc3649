"""What the browser gets to draw curves from."""

from typing import Any

import pytest

from viz.components.curves import Plot, payload, ticks


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (3, [0, 1, 2, 3]),
        (4, [0, 1, 2, 3, 4]),
        (500, [0, 100, 200, 300, 400, 500]),
        (60, [0, 20, 40, 60]),
        (0.3, [0, 0.1, 0.2, 0.3]),
    ],
)
def test_ticks_are_round_and_few(end: float, expected: list[float]) -> None:
    assert ticks(end) == expected


@pytest.mark.parametrize("end", [0.07, 1.9, 2.6, 11, 37, 999, 12345])
def test_ticks_stay_on_the_axis(end: float) -> None:
    found = ticks(end)
    assert found[0] == 0
    assert end * 0.6 < found[-1] <= end
    assert 2 < len(found) <= 6


def test_an_axis_ends_above_all_that_is_drawn() -> None:
    assert Plot(title="", lines=[[0.2, 4.1], [3.0, 0.1]]).top == 5
    assert Plot(title="", lines=[[0.2], [0.1]], reference=("", 2.5)).top == 3
    assert Plot(title="", lines=[[], []]).top == 1
    assert Plot(title="", lines=[[0.2]], end=1).top == 1
    with pytest.raises(AssertionError):
        Plot(title="", lines=[[1.2]], end=1)


def test_the_message_holds_every_line_as_it_is_given() -> None:
    lines = [[4.0, 0.123456789], [2.0, 0.5]]
    found = payload(
        [Plot(title="<b>", lines=lines)], ["one", "two"], [0, 20], x_title="step", x_end=40, about="", mark=20
    )
    plots: Any = found["plots"]
    (plot,) = plots
    assert plot["lines"] == [[4.0, 0.12346], [2.0, 0.5]]
    assert (plot["title"], plot["end"], plot["reference"]) == ("<b>", 4, None)
    assert (found["x"], found["end"], found["mark"], found["names"]) == ([0, 20], 40, 20, ["one", "two"])
    with pytest.raises(AssertionError):
        payload([Plot(title="", lines=[[1.0]])], ["one"], [0, 20], x_title="", x_end=40, about="")
    with pytest.raises(AssertionError):
        payload([Plot(title="", lines=[[1.0]])], ["one"], [50], x_title="", x_end=40, about="")
