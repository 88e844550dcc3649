"""python -m model.evaluate: BLEU and chrF of a checkpoint on any file of sentences with their references."""

import argparse
import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from model.data import pad, read_lines
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


def score_by_length(
    sources: Sequence[str], hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> list[dict[str, float]]:
    """BLEU and chrF of the sentences of at most 5, 10, 15, ... source words; empty groups are left out."""
    groups, low = [], 0
    words = [min(max(len(source.split()), 1), LENGTHS[-1]) for source in sources]  # the outer groups have no end
    for high in LENGTHS:
        chosen = [i for i, count in enumerate(words) if low < count <= high]
        if chosen:
            scores = score([hypotheses[i] for i in chosen], [references[i] for i in chosen])
            groups.append({"from": low + 1, "to": high, "sentences": len(chosen), **scores})
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
    ids = translate_ids(model, tokenizer.ids(sources), tokenizer.eos_id, beam=beam, progress=progress)
    hypotheses = [tokenizer.decode(row)[0] for row in ids]
    return score(hypotheses, references), score_by_length(sources, hypotheses, references), hypotheses


def main() -> None:
    try:
        import sacrebleu  # noqa: F401
        from tqdm import tqdm
    except ModuleNotFoundError as error:
        raise SystemExit(
            f"python -m model.evaluate needs {error.name}: pip install -r tests/requirements.txt"
        ) from None

    from model.checkpoint import load_checkpoint
    from model.translate import WIDEST, pick_device

    parser = argparse.ArgumentParser(prog="python -m model.evaluate", description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=Path("checkpoints/en-fr/transformer"))
    parser.add_argument("--test", type=Path, required=True, help="UTF-8 lines source<TAB>reference[<TAB>reference...]")
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")
    parser.add_argument("--json", action="store_true", help="print the numbers as one JSON object")
    parser.add_argument("--output", type=Path, help="also write the translations here, one a line")
    options = parser.parse_args()
    if not 1 <= options.beam <= WIDEST:
        parser.error(f"--beam must be between 1 and {WIDEST}")
    try:
        device = pick_device(options.device)
        loaded = load_checkpoint(options.checkpoint)
        lines = read_lines(options.test)
        output = options.output.open("w", encoding="utf-8") if options.output else None  # now, not after the work
    except (OSError, ValueError) as error:
        raise SystemExit(f"python -m model.evaluate: {error}") from None
    model = loaded.model.to(device)
    with tqdm(total=len(lines), unit="sentence") as bar:
        scores, groups, hypotheses = evaluate(model, loaded.tokenizer, lines, beam=options.beam, progress=bar.update)
    if output:
        with output:
            output.writelines(" ".join(line.split("\n")) + "\n" for line in hypotheses)
    if options.json:
        print(json.dumps({"sentences": len(lines), "beam": options.beam, **scores, "by_length": groups}))
        return
    print(f"{len(lines)} sentences, beam {options.beam}")
    print(f"BLEU {scores['bleu']:.1f}   chrF {scores['chrf']:.1f}")
    print("source words   sentences   BLEU   chrF")
    for group in groups:
        to = "more" if group["to"] == LENGTHS[-1] else f"{group['to']:.0f}"
        print(
            f"{group['from']:>5.0f} to {to:<5} {group['sentences']:>9.0f}  {group['bleu']:>5.1f}  {group['chrf']:>5.1f}"
        )


if __name__ == "__main__":
    main()
