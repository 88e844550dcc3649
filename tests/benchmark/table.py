"""One result of a benchmark, and how results are printed."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Row:
    what: str
    ours: str
    peer: str = ""
    measured: float | None = None
    """What is held against `limit`; None when there is none."""
    limit: float | None = None
    unit: str = ""
    """Of `measured` and `limit`; a ratio has none."""

    def cells(self) -> list[str]:
        if self.measured is None or self.limit is None:
            return [self.what, self.ours, self.peer, "", "", ""]
        digits = ".2f" if self.limit < 100 else ",.0f"
        measured, limit = (f"{value:{digits}} {self.unit}".strip() for value in (self.measured, self.limit))
        return [self.what, self.ours, self.peer, measured, limit, "ok" if self.measured <= self.limit else "over"]


def show(title: str, rows: Sequence[Row]) -> None:
    lines = [["", "ours", "peer", "measured", "limit", ""], *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    print(f"\n{title}")
    for line in lines:
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join([first, *rest]).rstrip(), flush=True)
