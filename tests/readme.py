"""python -m tests.readme prints the README's tables of bundled models and of scenes; a test compares them."""

import json
from pathlib import Path
from typing import Any

from model.card import span
from viz.i18n import catalogue
from viz.lessons.registry import SCENES

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "checkpoints" / "en-fr"

IDEAS = {
    "seq2seq": "Sequence-to-sequence model: encoder, context vector, decoder",
    "bottleneck": "RNN's bottleneck: the whole sequence in one vector",
    "distance": "Linear interaction distance, long-distance dependencies",
    "parallel": "No parallelism: h_t waits for h_{t-1}",
    "average": "From mean pooling to attention as a weighted average",
    "steps": "Scores, softmax, context vector, concatenation",
    "scores": "Variants: dot product, general, additive, scaled dot product",
    "matrices": "Self-attention in matrices: Q, K, V, scores, A, output",
    "scaling": "Why divide by √d_k: Var(q·k) = d_k, saturation of softmax",
    "positions": "Permutation; sinusoidal positions; relative positions as a linear map",
    "heads": "Multi-head attention; “bank” in “river bank” and “bank account”",
    "encoder": "Encoder layer: residual, LayerNorm, FFN, ReLU or GELU",
    "decoder": "Decoder layer: mask with −∞, cross-attention",
    "depth": "Residual connections and LayerNorm against vanishing gradients",
    "gains": "Advantages: parallel, path length O(1), can be inspected",
    "costs": "Limits: O(n²·d) time, n × n memory",
    "explanation": "Attention weights as an explanation of decisions",
    "halves": "From BERT to GPT",
    "formulas": "Formula cheat sheet",
}
"""What the two texts say, by the scene that shows it."""


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


def scenes() -> str:
    words = catalogue("en")
    lines = [row("idea in the texts", "scene"), row("---", "---")]
    for number, scene in enumerate(SCENES, 1):
        lines.append(row(IDEAS[scene.name], f"{number} {words[f'scene.{scene.name}.title']}"))
    return "\n".join(lines)


if __name__ == "__main__":
    print(scenes(), models(), lengths("greedy"), lengths("strung"), sep="\n\n")
