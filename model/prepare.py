"""python -m model.prepare: a corpus of sentence pairs -> cleaned, split training data and a vocabulary."""

import argparse
import gzip
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from model import tokenizer

TEST, VALIDATION = 0.0175, 0.00875
"""Shares of the source sentences that are kept for the test and for validation."""


def clean(text: str) -> str:
    """One way to write what can be written in several: composed letters, plain apostrophe, single spaces."""
    shown = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") or c.isspace())
    return " ".join(unicodedata.normalize("NFC", shown).replace("\u2019", "'").split())


def clean_french(text: str) -> str:
    """French puts a space before ? ! ; : and inside quotation marks; the corpus does so only mostly."""
    text = re.sub(r"\s*([?!;]+)", r" \1", clean(text))
    text = re.sub(r"\s*:(?!\d)", " :", text)
    text = re.sub(r"\s*\u00bb", " \u00bb", re.sub(r"\u00ab\s*", "\u00ab ", text))
    return text.strip()


def key(source: str) -> str:
    """What makes two source sentences the same for the split: letters and digits, case aside."""
    return "".join(c for c in source.casefold() if c.isalnum()) or source


def split_of(source: str) -> str:
    """ "train", "val" or "test", by a hash: the same sentence always falls on the same side."""
    share = int.from_bytes(hashlib.sha256(key(source).encode()).digest()[:8], "big") / 2**64
    return "test" if share < TEST else "val" if share < TEST + VALIDATION else "train"


def pairs(corpus: Path) -> Iterator[tuple[str, str]]:
    """The source<TAB>target lines of a UTF-8 file, gzipped or not."""
    opener = gzip.open if corpus.suffix == ".gz" else open
    with opener(corpus, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 2:
                raise ValueError(
                    f"Line {number} of {corpus.name} has {len(fields)} fields; it needs source<TAB>target."
                )
            yield fields[0], fields[1]


def usable(source: str, target: str) -> bool:
    """Neither empty, nor very long, nor of such different length that one is hardly a translation of the other."""
    a, b = len(source), len(target)
    return bool(a and b) and max(a, b) <= 400 and max(a, b) <= 3 * min(a, b) + 20


def prepare(corpus: Path, out: Path, vocab_size: int, about: dict[str, str]) -> dict[str, int]:
    """Write train.tsv, val.tsv, test.tsv, tokenizer.json and about.json. Same corpus, same files."""
    counts = {"read": 0, "unusable": 0, "repeated": 0}
    kept: dict[str, dict[tuple[str, str], None]] = {"train": {}, "val": {}, "test": {}}
    for raw_source, raw_target in pairs(corpus):
        counts["read"] += 1
        source, target = clean(raw_source), clean_french(raw_target)
        split = kept[split_of(source)]
        if not usable(source, target):
            counts["unusable"] += 1
        elif (source, target) in split:
            counts["repeated"] += 1
        else:
            split[source, target] = None
    if empty := [name for name, split in kept.items() if not split]:
        raise ValueError(f"{corpus.name} has too few usable pairs: none for {', '.join(empty)}. Nothing was written.")
    out.mkdir(parents=True, exist_ok=True)
    train = sorted(kept["train"])
    (out / "train.tsv").write_text("".join(f"{s}\t{t}\n" for s, t in train), encoding="utf-8")
    counts["train pairs"] = len(train)
    for name in ("val", "test"):
        references: dict[str, list[str]] = {}
        for source, target in sorted(kept[name]):
            references.setdefault(source, []).append(target)
        lines = ("\t".join([source, *targets]) + "\n" for source, targets in references.items())
        (out / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
        counts[f"{name} sentences"], counts[f"{name} references"] = len(references), len(kept[name])
    vocabulary = tokenizer.train((text for pair in train for text in pair), vocab_size)
    vocabulary.save(str(out / "tokenizer.json"))
    counts["vocabulary"] = vocabulary.get_vocab_size()
    (out / "about.json").write_text(json.dumps({**about, "counts": counts}, indent=2) + "\n", encoding="utf-8")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.prepare", description=__doc__)
    parser.add_argument("corpus", type=Path, help="UTF-8 lines source<TAB>target, .gz or plain")
    parser.add_argument("--out", type=Path, default=Path("data/en-fr"))
    parser.add_argument("--vocab-size", type=int, default=8000)
    parser.add_argument("--pair", default="English to French")
    tatoeba = "Tatoeba (tatoeba.org), by its contributors, through manythings.org/anki (fra-eng.zip)"
    parser.add_argument("--source", default=tatoeba)
    parser.add_argument("--licence", default="CC BY 2.0 FR")
    options = parser.parse_args()
    if not 300 <= options.vocab_size <= 1_000_000:
        parser.error("--vocab-size must be between 300 and 1,000,000: 259 entries are taken by bytes and specials")
    about = {"pair": options.pair, "source": options.source, "licence": options.licence}
    try:
        counts = prepare(options.corpus, options.out, options.vocab_size, about)
    except UnicodeDecodeError as error:
        raise SystemExit(f"python -m model.prepare: {options.corpus.name} is not UTF-8 text: {error}") from None
    except (OSError, EOFError, ValueError) as error:  # EOFError: a gzip file that ends too early
        raise SystemExit(f"python -m model.prepare: {error}") from None
    for name, count in counts.items():
        print(f"{count:>9,} {name}")


if __name__ == "__main__":
    main()
