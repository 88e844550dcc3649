"""python -m tests.benchmark [model|bytes|browser|visitors|memory ...]: how fast and how big Regard is, as tables.

Run it on an idle machine: every number is a median, but nothing here can tell a slow program from a busy computer.
"""

import argparse
from pathlib import Path

import torch

from model.translate import DEFAULT, load
from tests.benchmark import browser, memory, models, payload, visitors
from tests.benchmark.table import show

SECTIONS = {
    "model": models.section,
    "bytes": payload.section,
    "browser": browser.section,
    "visitors": visitors.section,
    "memory": memory.section,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="section", help=f"{', '.join(SECTIONS)}; default all")
    parser.add_argument("--checkpoint", type=Path, default=DEFAULT)
    parser.add_argument("--runs", type=int, default=7, help="of which the median is shown")
    options = parser.parse_args()
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"There is no section {', '.join(unknown)}: choose {', '.join(SECTIONS)}.")
    torch.set_num_threads(1)
    try:
        translator = load(options.checkpoint, "cpu")
    except ValueError as error:
        raise SystemExit(f"python -m tests.benchmark: {error}") from None
    for name in options.sections or SECTIONS:
        title, rows = SECTIONS[name](translator, options.checkpoint.resolve(), options.runs)
        show(title, rows)


if __name__ == "__main__":
    main()
