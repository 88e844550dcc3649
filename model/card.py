"""The model card of a checkpoint, every number of it from its metrics."""

from collections.abc import Sequence
from typing import Any

VIEW_NAMES = {"predicted": "the word being predicted", "read": "the word just read"}
"""What a row of cross-attention is said to be, in words."""


def span(group: dict[str, float]) -> str:
    """Source words of a group: "6 to 10"; of the last possible one, "51 or more"."""
    return f"{group['from']:.0f} or more" if group["to"] >= 1000 else f"{group['from']:.0f} to {group['to']:.0f}"


def by_length(groups: Sequence[dict[str, float]]) -> str:
    return "".join(
        f"| {span(group)} | {group['sentences']} | {group['bleu']:.1f} | {group['chrf']:.1f} |\n" for group in groups
    )


def tested(test: dict[str, Any] | None) -> str:
    if not test:
        return "Not tested yet.\n"
    rows = "".join(
        f"| {name} | {test[name]['bleu']:.1f} | {test[name]['chrf']:.1f} |\n" for name in ("greedy", "beam 4")
    )
    text = f"""| test split, all references | BLEU | chrF |
| --- | --- | --- |
{rows}
| source words (greedy) | sentences | BLEU | chrF |
| --- | --- | --- | --- |
{by_length(test["greedy"]["by_length"])}"""
    if "strung" in test:
        text += f"""
The same sentences strung together, one to eight at a time:

| source words (greedy) | texts | BLEU | chrF |
| --- | --- | --- | --- |
{by_length(test["strung"]["by_length"])}"""
    return text


def aligned(alignment: dict[str, Any] | None) -> str:
    if not alignment:
        return ""
    best = alignment["best"]
    return f"""
**Alignment.** On {alignment["pairs"]} pairs aligned by hand ({alignment["file"]}), the head whose strongest weights are
nearest to the alignment is layer {best["layer"] + 1}, head {best["head"] + 1}, with its rows read as
{VIEW_NAMES[best["view"]]}: alignment error rate {best["error_rate"]:.1%}.
"""


def corpora_of(metrics: dict[str, Any]) -> list[str]:
    """Names of the corpora that a run took its pairs from."""
    return metrics["settings"].get("corpora") or [corpus["name"] for corpus in metrics["corpora"]]


def spent(run: dict[str, Any], corpora: Sequence[str]) -> str:
    return f"{run['epochs']} epochs, {run['steps']:,} steps, {run['tokens']:,} pieces of {', '.join(corpora)}"


def before(runs: Sequence[dict[str, Any]]) -> str:
    """The runs whose weights this one went on from, in their order."""
    return "".join(
        f"- **Begun from** `{run['checkpoint']}` ({run['fingerprint']}): "
        f"{spent(run, run['corpora']) if 'steps' in run else 'how it was trained is not known'}.\n"
        for run in runs
    )


def corpora(metrics: dict[str, Any]) -> str:
    rows = "".join(
        f"| {each['name']} | {each['pairs']:,} | {each['source words']} | {each['licence']} | {each['source']} |\n"
        for each in metrics["corpora"]
    )
    return f"| corpus | pairs | words a source | licence | from |\n| --- | ---: | ---: | --- | --- |\n{rows}"


def card(config: dict[str, Any], metrics: dict[str, Any]) -> str:
    counts, sources = metrics["counts"], metrics["corpora"]
    short = 1 - sum(each["over 15 words"] for each in sources) / sum(each["pairs"] for each in sources)
    averaged = metrics.get("averaged")
    return f"""# {metrics["pair"]}, {config["kind"]}

Trained by this project from nothing, with `python -m model.prepare` and `python -m model.train`.

- **Data**: {counts["train pairs"]:,} pairs for training, from the corpora below; {counts["val sentences"]:,} sentences
  for validation and {counts["test sentences"]:,} for the test ({counts["test references"]:,} references), split by
  source sentence, so that none of them is in the training data.
- **Model**: {metrics["parameters"]:,} parameters: {", ".join(f"{k} {v}" for k, v in config.items() if k != "kind")};
  float16 on disk.
- **Training**: {spent(metrics, corpora_of(metrics))} in
  {metrics["seconds"] / 60:.0f} minutes ({metrics["machine"]}), seed {metrics["settings"]["seed"]}. The curve is in
  `metrics.json`.{f" The weights are the mean of {averaged} checkpoints of the run." if averaged else ""}
{before(metrics.get("before", []))}
{corpora(metrics)}
{tested(metrics["test"])}{aligned(metrics.get("alignment"))}
**Weaknesses.** Of the sentences that it was given {short:.1%} have at most 15 words, and it knows no subject beyond
those of its corpora. It guesses at names, numbers and rare words, chooses between *tu* and *vous* freely, can lose the
thread in long sentences, and writes in the manner of whichever corpus a sentence resembles. It can be wrong and fluent
at once, and it repeats whatever bias its sentences have. It is made to be looked into, not to be relied upon.
"""
