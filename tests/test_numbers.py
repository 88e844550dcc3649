"""Numbers of any size in two digits."""

import pytest

from viz.number_format import scientific


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (0.8, "0.80"),
        (0.00662, "0.0066"),
        (9.96, "10"),
        (116.4, "116"),
        (9999, "9,999"),
        (28_041.0, "2.8 × 10⁴"),
        (2.37e-4, "2.4 × 10⁻⁴"),
        (1.02e-12, "1.0 × 10⁻¹²"),
    ],
)
def test_a_number_is_written_short(value: float, written: str) -> None:
    assert scientific(value).replace("\u00a0", " ") == written
