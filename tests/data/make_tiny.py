"""python -m tests.data.make_tiny: a made-up corpus and a tiny checkpoint, so that tests need no bundled one.

Writes tests/data/tiny.tsv from the grammar below, prepares it by tiny.toml and trains on it with the commands that a
user has, and leaves the checkpoint in tests/data/tiny/. Weights, settings and vocabulary come out the same each time on
one kind of machine; metrics.json also tells how long it took.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CORPUS, RECIPE, CHECKPOINT = HERE / "tiny.tsv", HERE / "tiny.toml", HERE / "tiny"
PAIRS = 200
CONFIG = {
    "d_model": 32,
    "n_heads": 2,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "d_ff": 64,
    "dropout": 0.0,
    "max_length": 64,
}
SETTINGS = {
    "epochs": 100,
    "batch-tokens": 600,
    "peak": 0.006,
    "warmup": 100,
    "cooldown": 0.5,
    "smoothing": 0.05,
    "join": 0.15,
    "seed": 1,
    "device": "cpu",
    "precision": "float32",
    "threads": 1,
    "evaluate-every": 200,
}

# English, French, person: 0 for "I", 1 "you", 2 "he", 3 "we", 4 "they"
SUBJECTS = [
    ("I", "je", 0),
    ("you", "tu", 1),
    ("he", "il", 2),
    ("she", "elle", 2),
    ("John", "Jean", 2),
    ("Mary", "Marie", 2),
    ("the cat", "le chat", 2),
    ("John's dog", "le chien de Jean", 2),
    ("we", "nous", 3),
    ("they", "ils", 4),
]
# English with and without "he", French for each person
VERBS = [
    ("see", "sees", ("vois", "vois", "voit", "voyons", "voient")),
    ("eat", "eats", ("mange", "manges", "mange", "mangeons", "mangent")),
    ("like", "likes", ("aime", "aimes", "aime", "aimons", "aiment")),
    ("want", "wants", ("veux", "veux", "veut", "voulons", "veulent")),
    ("find", "finds", ("trouve", "trouves", "trouve", "trouvons", "trouvent")),
]
OBJECTS = [
    ("the water", "l'eau"),
    ("the apple", "la pomme"),
    ("the bread", "le pain"),
    ("a red car", "une voiture rouge"),
    ("the little house", "la petite maison"),
    ("John's book", "le livre de Jean"),
    ("the old tree", "le vieil arbre"),
    ("12 eggs", "12 œufs"),
    ("the white cat on the table", "le chat blanc sur la table"),
]


def elide(word: str, following: str) -> str:
    """je + aime -> j'aime."""
    return f"{word[:-1]}'{following}" if following[0] in "aeiouâéœ" else f"{word} {following}"


def sentence(
    subject: tuple[str, str, int], verb: tuple[str, str, tuple[str, ...]], thing: tuple[str, str], kind: str
) -> tuple[str, str]:
    """One pair: a statement, its negation or a question."""
    (who, qui, person), (base, third, forms), (what, quoi) = subject, verb, thing
    form = forms[person]
    does, doesnt = ("does", "doesn't") if person == 2 else ("do", "don't")
    if kind == "question":
        asked = qui if qui[0].isupper() else qui.lower()
        que = "Est-ce qu'" if qui in ("il", "elle", "ils") else "Est-ce que "
        says = elide(asked, form) if qui == "je" else f"{asked} {form}"
        return f"{does.capitalize()} {who} {base} {what}?", f"{que}{says} {quoi} ?"
    if kind == "negation":
        english, french = f"{who} {doesnt} {base} {what}.", f"{qui} {elide('ne', form)} pas {quoi}."
    else:
        does_it = third if person == 2 else base
        english = f"{who} {does_it} {what}."
        french = f"{elide(qui, form) if qui == 'je' else f'{qui} {form}'} {quoi}."
    return english[0].upper() + english[1:], french[0].upper() + french[1:]


def corpus() -> list[tuple[str, str]]:
    """The same PAIRS pairs each time."""
    everything = [
        sentence(subject, verb, thing, kind)
        for subject in SUBJECTS
        for verb in VERBS
        for thing in OBJECTS
        for kind in ("statement", "negation", "question")
    ]
    return sorted(random.Random(3).sample(everything, PAIRS))


def command(*words: object) -> None:
    """Run one of the project's commands, on one thread, without CUDA."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-m", *map(str, words)], cwd=ROOT, env=environment, check=True)


def make(out: Path) -> None:
    """Prepare, train, and put the checkpoint into `out`."""
    with tempfile.TemporaryDirectory() as scratch:
        data, run, config = Path(scratch, "data"), Path(scratch, "run"), Path(scratch, "config.json")
        command("model.prepare", RECIPE, "--folder", HERE, "--out", data)
        config.write_text(json.dumps(CONFIG), encoding="utf-8")
        options = [f"--{name}={value}" for name, value in SETTINGS.items()]
        command("model.train", "--data", data, "--out", run, "--config", config, *options)
        out.mkdir(parents=True, exist_ok=True)
        for file in sorted((run / "checkpoint").iterdir()):
            shutil.copyfile(file, out / file.name)
    (out / "README.md").write_text(
        f"# A tiny model for tests\n\nMade by `python -m tests.data.make_tiny` from {PAIRS} made-up sentence pairs. It "
        "knows those by heart and nothing else.\n",
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.data.make_tiny", description=__doc__)
    parser.add_argument("--out", type=Path, default=CHECKPOINT, help="folder of the checkpoint")
    options = parser.parse_args()
    CORPUS.write_text("".join(f"{english}\t{french}\n" for english, french in corpus()), encoding="utf-8")
    make(options.out)


if __name__ == "__main__":
    main()
