"""python -m model.average OUT CHECKPOINT...: one checkpoint whose weights are the mean of several of one run."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch

from model.card import card
from model.checkpoint import TOKENIZER, describe, load_checkpoint, save_checkpoint
from model.errors import UserError

OF_THE_RUN = (
    "pair", "corpora", "counts", "parameters", "epochs", "steps", "tokens", "seconds", "machine", "settings", "before",
    "curve",
)  # fmt: skip
"""What metrics.json tells of training; the rest was measured on one set of weights and holds for no other."""


def average(out: Path, folders: Sequence[Path]) -> None:
    """Write the mean of checkpoints of one shape and vocabulary, with the history of the one that was trained longest.
    UserError when they do not fit together."""
    loaded = [load_checkpoint(folder) for folder in folders]
    models = [each.model for each in loaded]
    vocabularies = {(folder / TOKENIZER).read_text(encoding="utf-8") for folder in folders}
    if len(vocabularies) > 1 or any(describe(model) != describe(models[0]) for model in models):
        raise UserError("checkpoints_differ")
    metrics = max((each.metrics for each in loaded), key=lambda metrics: metrics.get("steps", 0))
    if missing := [name for name in OF_THE_RUN if name not in metrics]:
        raise UserError("metrics_lack", names=", ".join(missing))
    metrics = {name: metrics[name] for name in OF_THE_RUN} | {"averaged": len(models), "test": None}
    weights = [model.state_dict() for model in models]
    models[0].load_state_dict({name: torch.stack([each[name] for each in weights]).mean(0) for name in weights[0]})
    save_checkpoint(out, models[0], vocabularies.pop(), metrics, card(describe(models[0]), metrics))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.average", description=__doc__)
    parser.add_argument("out", type=Path, help="folder of the new checkpoint")
    parser.add_argument("checkpoints", type=Path, nargs="+", help="OUT/kept/* of a run with --keep")
    options = parser.parse_args()
    try:
        average(options.out, options.checkpoints)
    except (OSError, ValueError) as error:
        raise SystemExit(f"python -m model.average: {error}") from None
    print(f"The mean of {len(options.checkpoints)} checkpoints is in {options.out}; model.evaluate --record tests it.")


if __name__ == "__main__":
    main()
