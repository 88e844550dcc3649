"""python -m tests.readme prints the README's tables of the bundled models from their metrics; a test compares them."""

import json
from pathlib import Path
from typing import Any

from model.card import span

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "checkpoints" / "en-fr"


def metrics() -> dict[str, dict[str, Any]]:
    """By folder, the Transformer first, then the larger before the smaller, then by name."""
    found = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*/metrics.json"))
    }
    return dict(sorted(found.items(), key=lambda item: (item[0] != "transformer", -round(item[1]["parameters"], -6))))


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def models() -> str:
    lines = [
        row("checkpoint", "parameters", "epochs", "minutes", "BLEU greedy", "BLEU beam 4", "chrF greedy", "AER"),
        row("---", *["---:"] * 7),
    ]
    for name, each in metrics().items():
        test, best = each["test"], each.get("alignment", {}).get("best")
        lines.append(
            row(
                f"`{name}`",
                f"{each['parameters']:,}",
                f"{each['epochs']:.0f}",
                f"{each['seconds'] / 60:.0f}",
                f"{test['greedy']['bleu']:.1f}",
                f"{test['beam 4']['bleu']:.1f}",
                f"{test['greedy']['chrf']:.1f}",
                f"{best['error_rate']:.1%} ({best['view']})" if best else "–",
            )
        )
    return "\n".join(lines)


def lengths(name: str) -> str:
    """BLEU by source words: "greedy" on the sentences as they are, "strung" on sentences strung together."""
    groups = {model: each["test"][name]["by_length"] for model, each in metrics().items()}
    first = next(iter(groups.values()))
    lines = [
        row("source words", "texts", *(f"`{model}`" for model in groups)),
        row("---", *["---:"] * (1 + len(groups))),
    ]
    for i, group in enumerate(first):
        lines.append(row(span(group), group["sentences"], *(f"{each[i]['bleu']:.1f}" for each in groups.values())))
    return "\n".join(lines)


if __name__ == "__main__":
    print(models(), lengths("greedy"), lengths("strung"), sep="\n\n")
