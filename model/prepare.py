"""python -m model.prepare: corpora of sentence pairs -> cleaned, split training data and a vocabulary."""

import argparse
import gzip
import hashlib
import json
import random
import re
import shutil
import tomllib
import typing
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model import tokenizer
from model.errors import UserError
from model.tokenizer import clean

TEST, VALIDATION = 0.0175, 0.00875
"""Shares of the source sentences that are kept for the test and for validation."""


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """One file of lines source<TAB>target, UTF-8, gzipped or plain. UserError for a setting of another type."""

    name: str
    """Names its training file, train/NAME.tsv."""
    file: str
    source: str
    """Where it is from and by whom: the attribution in the model card."""
    licence: str
    test: bool = False
    """Whether validation and test sentences come from it; what falls to them from another corpus is left out."""
    most: int = 0
    """Pairs to keep for training, drawn at random but the same each time; 0 keeps all."""

    def __post_init__(self) -> None:
        for field, kind in typing.get_type_hints(Corpus).items():
            if type(getattr(self, field)) is not kind:
                raise UserError("corpus_setting", name=field, kind=kind.__name__, value=getattr(self, field))
        if not re.fullmatch(r"[a-z0-9-]+", self.name):
            raise UserError("corpus_name", name=self.name)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What a language pair is trained on: a corpora.toml."""

    pair: str
    target: str
    """Language of the target, a key of `CLEANERS`."""
    vocabulary: int
    """Pieces in the vocabulary that both languages share."""
    corpora: tuple[Corpus, ...]

    @classmethod
    def load(cls, path: Path) -> "Recipe":
        """UserError says what the file lacks or has too much."""
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8"))
            corpora = tuple(Corpus(**each) for each in values.pop("corpus", []))
            recipe = cls(corpora=corpora, **values)
        except (TypeError, ValueError) as error:  # TypeError: a setting is missing or unknown
            raise UserError("no_recipe", name=path.name, reason=error) from error
        if recipe.target not in CLEANERS:
            raise UserError("recipe_target", name=path.name, choices=", ".join(CLEANERS))
        if not 300 <= recipe.vocabulary <= 1_000_000:
            raise UserError("recipe_vocabulary")
        if len({corpus.name for corpus in corpora}) < len(corpora):
            raise UserError("corpora_alike", name=path.name)
        if not any(corpus.test for corpus in corpora):
            raise UserError("corpora_untested", name=path.name)
        return recipe


def clean_french(text: str) -> str:
    """French puts a space before ? ! ; : and inside quotation marks; corpora do so only mostly."""
    text = re.sub(r"\s*([?!;]+)", r" \1", clean(text))
    text = re.sub(r"\s*:(?!\d)", " :", text)
    text = re.sub(r"\s*\u00bb", " \u00bb", re.sub(r"\u00ab\s*", "\u00ab ", text))
    return text.strip()


CLEANERS = {"fr": clean_french, "zh": clean}
"""How the target of a language is written."""


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
    try:
        with opener(corpus, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                fields = line.rstrip("\n").split("\t")
                if len(fields) != 2:
                    raise UserError("line_fields", line=number, name=corpus.name, count=len(fields))
                yield fields[0], fields[1]
    except UnicodeDecodeError as error:
        raise UserError("not_text", name=corpus.name, reason=error) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError("not_gzip", name=corpus.name, reason=error) from None


def usable(source: str, target: str) -> bool:
    """Neither empty, nor very long, nor of such different length that one is hardly a translation of the other."""
    a, b = len(source), len(target)
    return bool(a and b) and max(a, b) <= 400 and max(a, b) <= 3 * min(a, b) + 20


def prepare(recipe: Recipe, folder: Path, out: Path) -> dict[str, Any]:
    """Write train/NAME.tsv for each corpus, val.tsv, test.tsv, tokenizer.json and about.json; all of them or nothing.

    Same corpora, same files. A pair that two corpora have is kept in the first. Returns what about.json holds.
    """
    aside, old = (out.with_name(out.name + end) for end in (".new", ".old"))
    if old.exists() and not out.exists():  # killed between the two renamings below
        old.rename(out)
    totals = {"read": 0, "unusable": 0, "repeated": 0, "left out": 0}
    training: dict[str, list[tuple[str, str]]] = {}
    held_out: dict[str, dict[tuple[str, str], None]] = {"val": {}, "test": {}}
    seen: set[tuple[str, str]] = set()
    write_target = CLEANERS[recipe.target]
    for corpus in recipe.corpora:
        kept = []
        for raw_source, raw_target in pairs(folder / corpus.file):
            totals["read"] += 1
            source, target = clean(raw_source), write_target(raw_target)
            split = split_of(source)
            if not usable(source, target):
                totals["unusable"] += 1
            elif (source, target) in seen:
                totals["repeated"] += 1
            elif split == "train":
                seen.add((source, target))
                kept.append((source, target))
            elif corpus.test:
                seen.add((source, target))
                held_out[split][source, target] = None
            else:
                totals["left out"] += 1
        if corpus.most and len(kept) > corpus.most:
            totals["left out"] += len(kept) - corpus.most
            kept = random.Random(corpus.name).sample(sorted(kept), corpus.most)
        training[corpus.name] = sorted(kept)
    if empty := [name for name, pairs_ in (training | held_out).items() if not pairs_]:
        raise UserError("pairs_missing", names=", ".join(empty))

    shutil.rmtree(aside, ignore_errors=True)
    (aside / "train").mkdir(parents=True)
    for name, kept in training.items():
        lines = "".join(f"{source}\t{target}\n" for source, target in kept)
        (aside / "train" / f"{name}.tsv").write_text(lines, encoding="utf-8")
    counts: dict[str, Any] = {**totals, "train pairs": sum(map(len, training.values()))}
    for name in ("val", "test"):
        references: dict[str, list[str]] = {}
        for source, target in sorted(held_out[name]):
            references.setdefault(source, []).append(target)
        rows = ("\t".join([source, *targets]) + "\n" for source, targets in references.items())
        (aside / f"{name}.tsv").write_text("".join(rows), encoding="utf-8")
        counts[f"{name} sentences"], counts[f"{name} references"] = len(references), len(held_out[name])
    texts = (text for kept in training.values() for pair in kept for text in pair)
    vocabulary = tokenizer.train(texts, recipe.vocabulary)
    vocabulary.save(str(aside / "tokenizer.json"))
    counts["vocabulary"] = vocabulary.get_vocab_size()
    about = {
        "pair": recipe.pair,
        "corpora": [
            {
                "name": corpus.name,
                "source": corpus.source,
                "licence": corpus.licence,
                "pairs": len(kept := training[corpus.name]),
                "source words": round(sum(len(source.split()) for source, _ in kept) / len(kept), 1),
                "over 15 words": sum(len(source.split()) > 15 for source, _ in kept),
            }
            for corpus in recipe.corpora
        ],
        "counts": counts,
    }
    (aside / "about.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(old, ignore_errors=True)
    if out.exists():
        out.rename(old)
    aside.rename(out)
    shutil.rmtree(old, ignore_errors=True)
    return about


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.prepare", description=__doc__)
    parser.add_argument("recipe", type=Path, help="a corpora.toml, like checkpoints/en-fr/corpora.toml")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the corpora lie")
    parser.add_argument("--out", type=Path, default=Path("data/en-fr"))
    options = parser.parse_args()
    try:
        about = prepare(Recipe.load(options.recipe), options.folder, options.out)
    except (OSError, ValueError) as error:
        raise SystemExit(f"python -m model.prepare: {error}") from None
    for corpus in about["corpora"]:
        print(f"{corpus['pairs']:>9,} pairs of {corpus['name']}, {corpus['source words']} words a sentence")
    for name, count in about["counts"].items():
        print(f"{count:>9,} {name}")


if __name__ == "__main__":
    main()
