"""python -m model.evaluate: BLEU and chrF on sentences with references, alignment error rate on aligned ones."""

import argparse
import itertools
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from model.card import VIEW_NAMES, span
from model.contrast import read_test, score_pairs
from model.data import pad, read_lines
from model.errors import UserError
from model.experiments import finish
from model.experiments.alignment import VIEWS, ErrorRates, gold_rates, read_gold
from model.search import Model, search
from model.tokenizer import Tokenizer

LENGTHS = (5, 10, 15, 20, 30, 50, 1000)
"""Upper bounds, in source words, of the groups that BLEU is also reported for."""


def translate_ids(
    model: Model,
    sources: Sequence[list[int]],
    eos_id: int,
    *,
    beam: int = 1,
    cells: int = 4000,
    progress: Callable[[int], object] = lambda done: None,
) -> list[list[int]]:
    """Freely decode many sources, long and short ones apart; results in the order of `sources`."""
    device = next(model.parameters()).device  # type: ignore[attr-defined]
    limit = model.config.max_length
    results: list[list[int]] = [[] for _ in sources]
    order = sorted(range(len(sources)), key=lambda i: -len(sources[i]))
    while order:
        size = max(1, cells // ((len(sources[order[0]]) + 1) * beam))
        group, order = order[:size], order[size:]
        source = pad([[*sources[i][: limit - 1], eos_id] for i in group], model.config.pad_id).to(device)
        for i, hypotheses in zip(group, search(model, source, beam=beam), strict=True):
            results[i] = hypotheses[0].ids
        progress(len(group))
    return results


def score(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Corpus BLEU and chrF by sacrebleu, each sentence with as many references as it has."""
    import sacrebleu  # not a run-time dependency of the app

    streams = [list(stream) for stream in itertools.zip_longest(*references)]
    return {
        "bleu": sacrebleu.corpus_bleu(list(hypotheses), streams).score,
        "chrf": sacrebleu.corpus_chrf(list(hypotheses), streams).score,
    }


def intervals(hypotheses: Sequence[str], references: Sequence[Sequence[str]], draws: int = 1000) -> dict[str, float]:
    """For BLEU and chrF, half the width of the 95 % interval of `score` by bootstrap: sentences are drawn anew. Where
    next to nothing matches, sacrebleu finds none, and it is as wide as the score itself."""
    from sacrebleu import BLEU, CHRF

    streams = [list(stream) for stream in itertools.zip_longest(*references)]
    found = {}
    for name, metric in (("bleu", BLEU()), ("chrf", CHRF())):
        score = metric.corpus_score(list(hypotheses), streams)
        try:
            drawn = metric.corpus_score(list(hypotheses), streams, n_bootstrap=draws)  # its seed is fixed
            signature = metric.get_signature().format()
            told = json.loads(drawn.format(width=3, signature=signature, is_json=True))
        except TypeError:  # it cannot take the mean of draws of which some have no match at all
            told = {}
        found[name] = told.get("confidence_var", score.score)
    return found


def repeats(text: str) -> bool:
    """Whether some four words in a row come twice."""
    words = text.split()
    runs = list(zip(*(words[i:] for i in range(4)), strict=False))
    return len(set(runs)) < len(runs)


def score_by_length(
    sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> list[dict[str, float]]:
    """BLEU, chrF and share of repeats of the sentences of at most 5, 10, 15, ... source words, that share in their
    first references, and how many words the sources have on average; empty groups are left out."""
    groups, low = [], 0
    words = [min(max(len(source.split()), 1), LENGTHS[-1]) for source in sources]  # the outer groups have no end
    for high in LENGTHS:
        chosen = [i for i, count in enumerate(words) if low < count <= high]
        if chosen:
            scores = score([hypotheses[i] for i in chosen], [references[i] for i in chosen])
            mean = sum(words[i] for i in chosen) / len(chosen)
            repeated = {
                "repeated": sum(repeats(hypotheses[i]) for i in chosen) / len(chosen),
                "reference repeated": sum(repeats(references[i][0]) for i in chosen) / len(chosen),
            }
            groups.append({"from": low + 1, "to": high, "sentences": len(chosen), "words": mean, **scores, **repeated})
        low = high
    return groups


def evaluate(
    model: Model,
    tokenizer: Tokenizer,
    lines: Sequence[Sequence[str]],
    *,
    beam: int = 1,
    progress: Callable[[int], object] = lambda done: None,
) -> tuple[dict[str, float], list[dict[str, float]], list[str]]:
    """Translate each line's first field, hold it against the others. Returns scores, scores by length, translations."""
    sources, references = [line[0] for line in lines], [line[1:] for line in lines]
    ids = translate_ids(model, tokenizer.ids(sources, source=True), tokenizer.eos_id, beam=beam, progress=progress)
    hypotheses = [tokenizer.decode(row)[0] for row in ids]
    return score(hypotheses, references), score_by_length(sources, hypotheses, references), hypotheses


def string_together(lines: Sequence[Sequence[str]], *, longest: int = 8, seed: int = 0) -> list[list[str]]:
    """Runs of 1, 2, ... `longest`, 1, 2, ... lines as one line each, in random order, every line once.

    Real test sentences are short, so this is how quality is seen against length. Reference k of a run is made of the
    k-th reference of each of its lines, counted round.
    """
    order = random.Random(seed).sample(range(len(lines)), len(lines))
    strung, at, size = [], 0, 1
    while at < len(order):
        run = [lines[i] for i in order[at : at + size]]
        most = max(len(line) - 1 for line in run)
        references = [" ".join(line[1 + k % (len(line) - 1)] for line in run) for k in range(most)]
        strung.append([" ".join(line[0] for line in run), *references])
        at, size = at + size, size % longest + 1
    return strung


def full_test(
    model: Model,
    tokenizer: Tokenizer,
    lines: Sequence[Sequence[str]],
    progress: Callable[[int], object] = lambda done: None,
    *,
    strung: bool = True,
) -> dict[str, Any]:
    """What metrics.json keeps of a test: greedy, with a beam, and greedy on sentences strung together."""
    test: dict[str, Any] = {"sentences": len(lines)}
    runs = [("greedy", lines, 1), ("beam 4", lines, 4)] + [("strung", string_together(lines), 1)] * strung
    for name, chosen, beam in runs:
        scores, by_length, hypotheses = evaluate(model, tokenizer, chosen, beam=beam, progress=progress)
        half = intervals(hypotheses, [line[1:] for line in chosen])
        test[name] = {**scores, "interval": half, "by_length": by_length}
    return test


def known_references(lines: Sequence[Sequence[str]], data: Path) -> tuple[int, list[list[str]]]:
    """How many references of a test equal a target of the training data in `data`, and the test without them."""
    targets = {pair[1] for file in sorted((data / "train").glob("*.tsv")) for pair in read_lines(file)}
    if not targets:
        raise UserError("no_training_data", folder=data / "train")
    kept = [[source, *(text for text in references if text not in targets)] for source, *references in lines]
    known = sum(map(len, lines)) - sum(map(len, kept))
    return known, [line for line in kept if len(line) > 1]


def score_case(
    model: Model, tokenizer: Tokenizer, lines: Sequence[Sequence[str]], progress: Callable[[int], object]
) -> dict[str, float]:
    """BLEU, case aside, of the sources as they are, in lower case and in capitals, greedily."""
    import sacrebleu

    found = {}
    for name, write in (("plain", str), ("lower", str.lower), ("upper", str.upper)):
        changed = [[write(line[0]), *line[1:]] for line in lines]
        _, _, hypotheses = evaluate(model, tokenizer, changed, progress=progress)
        streams = [list(stream) for stream in itertools.zip_longest(*(line[1:] for line in lines))]
        found[name] = sacrebleu.corpus_bleu(hypotheses, streams, lowercase=True).score
    return found


def print_alignment(rates: ErrorRates) -> None:
    print(
        f"{rates.pairs} pairs aligned by hand, {rates.skipped} left out as too long. Alignment error rate, in per cent,"
    )
    print("of linking each target word to the source word that its row looks at most:")
    for view in VIEWS:
        heads, layers = rates.heads[view], rates.layers[view]
        print(f"\nrows are {VIEW_NAMES[view]}")
        print("          " + "".join(f"  head {head + 1:<2}" for head in range(heads.shape[1])) + "  average")
        for layer, row in enumerate(heads):
            print(f"layer {layer + 1:<4}" + "".join(f"{100 * rate:9.1f}" for rate in (*row, layers[layer])))
        print(f"average of all heads: {100 * rates.all[view]:.1f}")
    view, layer, head = rates.best
    print(f"\nBest: layer {layer + 1}, head {head + 1}, rows read as {VIEW_NAMES[view]}: {100 * rates.lowest:.1f} %.")


def print_scores(lines: int, beam: int, scores: dict[str, Any], groups: list[dict[str, float]]) -> None:
    print(f"{lines} sentences, beam {beam}")
    half = scores["interval"]
    print(f"BLEU {scores['bleu']:.1f} ± {half['bleu']:.1f}   chrF {scores['chrf']:.1f} ± {half['chrf']:.1f}")
    print("source words   sentences   BLEU   chrF   a 4-gram twice (in references)")
    for group in groups:
        print(
            f"{span(group):>12} {group['sentences']:>11.0f}  {group['bleu']:>5.1f}  {group['chrf']:>5.1f}   "
            f"{group['repeated']:.1%} ({group['reference repeated']:.1%})"
        )


def print_contrast(found: dict[str, dict[str, Any]]) -> None:
    for kind, each in found.items():
        low, high = each["interval"]
        print(
            f"{kind}: both right in {each['both right']:.1%} of {each['pairs']} pairs "
            f"(95 %: {low:.1%} to {high:.1%}); always one answer: {each['one answer']:.1%}, a coin: {each['coin']:.0%}"
            f"; sentences right: {each['sentences right']:.1%}; pairs, the adjective aside: {each['answers right']:.1%}"
        )


def main() -> None:
    try:
        import sacrebleu  # noqa: F401
        from tqdm import tqdm
    except ModuleNotFoundError as error:
        raise SystemExit(
            f"python -m model.evaluate needs {error.name}: pip install -r tests/requirements.txt"
        ) from None

    import torch

    from model.checkpoint import add_metrics
    from model.translate import WIDEST, load

    parser = argparse.ArgumentParser(prog="python -m model.evaluate", description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=Path("checkpoints/en-fr/transformer"))
    parser.add_argument("--test", type=Path, help="UTF-8 lines source<TAB>reference[<TAB>reference...]")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--output", type=Path, help="also write the translations here, one a line")
    parser.add_argument("--alignments", type=Path, help="pairs aligned by hand: lines source<TAB>target<TAB>links, or "
                        "a .src-tgt file with its .gold file beside it: model/experiments/alignment.py")  # fmt: skip
    parser.add_argument("--contrast", type=Path, help="pairs that differ in one word, like "
                        "checkpoints/en-fr/contrast-test.tsv: how often both are right")  # fmt: skip
    parser.add_argument("--case", action="store_true", help="--test in lower case and in capitals, too")
    parser.add_argument("--data", type=Path, help="folder that model.prepare wrote: --test also without the references "
                        "that equal a training target")  # fmt: skip
    parser.add_argument("--record", action="store_true", help="keep the numbers in the checkpoint's metrics.json and "
                        "model card; --test then measures greedy, beam 4 and sentences strung together")  # fmt: skip
    parser.add_argument("--name", help="of a test of other text, to be recorded beside the model's own")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")
    parser.add_argument("--json", action="store_true", help="print the numbers as one JSON object")
    options = parser.parse_args()
    if not 1 <= options.beam <= WIDEST:
        parser.error(f"--beam must be between 1 and {WIDEST}")
    if not (options.test or options.alignments or options.contrast):
        parser.error("there is nothing to measure: give --test, --contrast or --alignments")
    if not options.test and (options.case or options.data or options.name):
        parser.error("--case, --data and --name are about --test: give one")
    if options.record and (options.output or options.beam != 1):
        parser.error("--record measures greedy and beam 4 and writes no translations: leave out --beam and --output")
    try:
        threads = torch.get_num_threads()
        translator = load(options.checkpoint, options.device)
        torch.set_num_threads(threads)  # batches gain from all of them
        lines = read_lines(options.test) if options.test else []
        known, unknown = known_references(lines, options.data) if options.data else (0, [])
        contrast = read_test(options.contrast) if options.contrast else []
        pairs = read_gold(options.alignments) if options.alignments else []
        output = options.output.open("w", encoding="utf-8") if options.output else None  # now, not after the work
    except (OSError, ValueError) as error:
        raise SystemExit(f"python -m model.evaluate: {error}") from None
    model, tokenizer = translator.model, translator.tokenizer
    found: dict[str, Any] = {}
    more: dict[str, Any] = {}  # about the test, beside its scores
    bar = tqdm(unit="sentence")
    if options.case:
        more["case"] = score_case(model, tokenizer, lines, bar.update)
    if options.data:
        scores, _, _ = evaluate(model, tokenizer, unknown, beam=options.beam, progress=bar.update)
        more["unknown references"] = {"sentences": len(unknown), "left out": known, **scores}
    if contrast:
        sources = [sentence.english for _, pair in contrast for sentence in pair]
        ids = translate_ids(model, tokenizer.ids(sources), tokenizer.eos_id, beam=options.beam, progress=bar.update)
        found["contrast"] = score_pairs(contrast, [tokenizer.decode(row)[0] for row in ids])
    if options.record and lines:
        test = full_test(model, tokenizer, lines, bar.update, strung=not options.name)
        found[f"test {options.name}" if options.name else "test"] = test | more
    elif lines:
        scores, groups, hypotheses = evaluate(model, tokenizer, lines, beam=options.beam, progress=bar.update)
        if output:
            with output:
                output.writelines(" ".join(line.split("\n")) + "\n" for line in hypotheses)
        half = intervals(hypotheses, [line[1:] for line in lines])
        found |= {
            "sentences": len(lines),
            "beam": options.beam,
            **scores,
            "interval": half,
            "by_length": groups,
            **more,
        }
    bar.close()
    if not options.json:
        if "bleu" in found:
            print_scores(len(lines), options.beam, found, found["by_length"])
        if "case" in more:
            print("BLEU, case aside: " + ", ".join(f"{name} {bleu:.1f}" for name, bleu in more["case"].items()))
        if each := more.get("unknown references"):
            print(
                f"Without the {each['left out']} references that equal a training target, on {each['sentences']} "
                f"sentences: BLEU {each['bleu']:.1f}   chrF {each['chrf']:.1f}"
            )
        print_contrast(found.get("contrast", {}))
    if pairs:
        try:
            with tqdm(total=len(pairs), unit="pair") as bar:
                rates = finish(gold_rates(translator, pairs), lambda _: bar.update())
        except ValueError as error:
            raise SystemExit(f"python -m model.evaluate: {error}") from None
        found["alignment"] = {"file": options.alignments.name, **rates.as_json()}
        if not options.json:
            print_alignment(rates)
    if options.record:
        add_metrics(options.checkpoint, found)
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
