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


def scored(test: dict[str, Any]) -> str:
    """A row for each way to search, with half the width of the 95 % interval where that was measured."""

    def cell(scores: dict[str, Any], name: str) -> str:
        half = f" ± {scores['interval'][name]:.1f}" if "interval" in scores else ""
        return f"{scores[name]:.1f}{half}"

    return "".join(
        f"| {name} | {cell(test[name], 'bleu')} | {cell(test[name], 'chrf')} |\n" for name in ("greedy", "beam 4")
    )


def tested(test: dict[str, Any] | None) -> str:
    if not test:
        return "Not tested yet.\n"
    rows = scored(test)
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
    if known := test.get("unknown references"):
        text += (
            f"\n{known['left out']} of the references equal a target of the training data (of another source); without "
            f"them, on {known['sentences']} sentences: BLEU {known['bleu']:.1f}, chrF {known['chrf']:.1f} (greedy).\n"
        )
    if case := test.get("case"):
        text += (
            "\nBLEU with case aside, greedy: " + ", ".join(f"{name} {bleu:.1f}" for name, bleu in case.items()) + ".\n"
        )
    return text


def other_tests(metrics: dict[str, Any]) -> str:
    """What was measured on text of another kind than the model's own test."""
    return "".join(
        f"\n| {name.removeprefix('test ')}, {test['sentences']} sentences | BLEU | chrF |\n| --- | --- | --- |\n"
        f"{scored(test)}"
        for name, test in metrics.items()
        if name.startswith("test ")
    )


def contrasted(contrast: dict[str, Any] | None) -> str:
    if not contrast:
        return ""
    rows = "".join(
        f"| {kind} | {each['pairs']} | {each['both right']:.1%} "
        f"({each['interval'][0]:.1%} to {each['interval'][1]:.1%}) | {each['one answer']:.1%} | {each['coin']:.0%} |\n"
        for kind, each in contrast.items()
    )
    return f"""
Pairs of sentences that differ in one word, of which both must be right (greedy; 95 % interval): what "it" is; the sense
of a noun that was trained on, in company that was not; the sense of a noun that was not.

| kind | pairs | both right | always one answer | a coin |
| --- | ---: | ---: | ---: | ---: |
{rows}"""


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
{tested(metrics["test"])}{other_tests(metrics)}{contrasted(metrics.get("contrast"))}{aligned(metrics.get("alignment"))}
**Weaknesses.** Of the sentences that it was given {short:.1%} have at most 15 words, and it knows no subject beyond
those of its corpora. It guesses at names, numbers and rare words, chooses between *tu* and *vous* freely, can lose the
thread in long sentences, and writes in the manner of whichever corpus a sentence resembles. It can be wrong and fluent
at once, and it repeats whatever bias its sentences have. It is made to be looked into, not to be relied upon.
"""
