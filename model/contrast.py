"""python -m model.contrast FOLDER: pairs of sentences that differ in one word and need the right referent or sense.

Writes contrast.tsv, a training corpus of lines english<TAB>french, and contrast-test.tsv, for model.evaluate, whose
nouns, verbs and adjectives are not in the corpus, nouns that are tested in new company apart.
"""

import argparse
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from model import contrast_words as words
from model.errors import UserError

MOST = 30_000
"""Training pairs at most."""
TESTED = {"it": 200, "noun": 100, "new noun": 100}
"""Pairs of sentences in the test, by kind: what "it" is; the sense of a noun that the corpus has, in company that it
has not; the sense of a noun that the corpus has not."""
LESSON = {"animal", "street"}
"""The lessons' own sentence is about these two: no generated sentence has both."""
ASPIRATED = {"hache", "harpe", "harpon", "haut-parleur", "hibou"}
FUNCTION_WORDS = frozenset(
    re.findall(
        r"\S+",
        """a an and as at because behind by could couldn't did didn't do does doesn't even he i in into is isn't it my
        of off on she since so that the they this though through to too until very was wasn't we with would""",
    )
)
"""English words that training and test may share."""


class Noun(NamedTuple):
    english: str
    french: tuple[str, ...]  # the word that is generated, then further ones that are as good
    gender: str  # "m" or "f"

    @property
    def plain(self) -> str:
        return self.french[0]


class Adjective(NamedTuple):
    english: str
    forms: tuple[tuple[str, str], ...]  # masculine, feminine; of the word that is generated, then of others

    def french(self, gender: str) -> str:
        return self.forms[0][gender == "f"]


@dataclass(frozen=True, kw_only=True)
class Sentence:
    english: str
    french: str
    word: str
    """What is to be understood: "it", or an ambiguous English word."""
    answer: str
    """What it is here, in French: a pronoun or a noun."""
    must: str
    """A regular expression that a right translation matches, case aside."""
    must_not: str
    """One that it does not match."""

    def right(self, translation: str) -> bool:
        matches = [re.search(each, translation, re.IGNORECASE) for each in (self.must, self.must_not)]
        return bool(matches[0] and not matches[1])

    def answered(self, translation: str) -> bool:
        """The same, whatever adjective goes with a pronoun."""
        pattern = rf"\b{self.answer}\b" if self.word == "it" else self.must
        return replace(self, must=pattern).right(translation)


COLUMNS = ("kind", "word", "answer", "english", "french", "must", "must_not")
"""Of contrast-test.tsv."""
Pair = tuple[Sentence, Sentence]


def entries(text: str) -> list[list[str]]:
    return [part.strip().split("=") for part in re.sub(r"\s*\n\s*", " ", text).split(";") if part.strip()]


def nouns(text: str) -> list[Noun]:
    return [Noun(english, tuple(french[:-2].split("|")), french[-1]) for english, french in entries(text)]


def adjectives(text: str) -> list[Adjective]:
    def both(form: str) -> tuple[str, str]:
        masculine, _, feminine = form.partition("/")
        return masculine, feminine or masculine

    return [Adjective(english, tuple(map(both, french.split("|")))) for english, french in entries(text)]


def elides(french: str) -> bool:
    return french[0] in "aeiouyhâàéèêîôœ" and french.split()[0] not in ASPIRATED


def the(noun: Noun) -> str:
    return f"l'{noun.plain}" if elides(noun.plain) else f"{'le' if noun.gender == 'm' else 'la'} {noun.plain}"


def contracted(noun: Noun, preposition: str, masculine: str) -> str:
    return f"{masculine} {noun.plain}" if the(noun).startswith("le ") else f"{preposition} {the(noun)}"


def of_the(noun: Noun) -> str:
    return contracted(noun, "de", "du")


def to_the(noun: Noun) -> str:
    return contracted(noun, "à", "au")


def this(noun: Noun) -> str:
    if noun.gender == "f":
        return f"cette {noun.plain}"
    return f"{'cet' if elides(noun.plain) else 'ce'} {noun.plain}"


def pronoun(gender: str) -> str:
    return "il" if gender == "m" else "elle"


def capital(text: str) -> str:
    """A sentence from its parts: capitals at the beginning and after a full stop."""
    return re.sub(r"(?:^|(?<=[.] ))\w", lambda first: first[0].upper(), text)


# "it": which of two nouns it stands for.

SAID = {
    "graded": (
        ("{m} because it {was} too {x}.", "{m} parce qu'{it} {etait} trop {x}."),
        ("{m} because it {was} so {x}.", "{m} parce qu'{it} {etait} si {x}."),
        ("{m} because it {was} very {x}.", "{m} parce qu'{it} {etait} très {x}."),
        ("{m} since it {was} too {x}.", "{m} puisqu'{it} {etait} trop {x}."),
        ("{m}, as it {was} too {x}.", "{m}, car {it} {etait} trop {x}."),
        ("{m}. It {was} too {x}.", "{m}. {it} {etait} trop {x}."),
        ("{m}: it {was} very {x}.", "{m} : {it} {etait} très {x}."),
        ("because it {was} too {x}, {m}.", "parce qu'{it} {etait} trop {x}, {m}."),
        ("since it {was} very {x}, {m}.", "comme {it} {etait} très {x}, {m}."),
    ),
    "plain": (
        ("{m} because it {was} {x}.", "{m} parce qu'{it} {etait} {x}."),
        ("{m} since it {was} {x}.", "{m} puisqu'{it} {etait} {x}."),
        ("{m}, as it {was} {x}.", "{m}, car {it} {etait} {x}."),
        ("{m}. It {was} {x}.", "{m}. {it} {etait} {x}."),
        ("{m}: it {was} {x}.", "{m} : {it} {etait} {x}."),
        ("because it {was} {x}, {m}.", "parce qu'{it} {etait} {x}, {m}."),
        ("since it {was} {x}, {m}.", "comme {it} {etait} {x}, {m}."),
    ),
    "until": (("{m} until it was {x}.", "{m} jusqu'à ce qu'{it} soit {x}."),),
    "although": (
        ("{m} even though it was very {x}.", "{m} même {si_it} était très {x}."),
        ("even though it was very {x}, {m}.", "même {si_it} était très {x}, {m}."),
    ),
}
"""How an adjective is said of "it", after or before a main clause {m}."""
STYLES = {"vehicles": "plain", "washing": "plain", "pouring": "until"}
"""Of the families whose adjectives have no degrees."""


def sentence_of_it(main: tuple[str, str], frame: tuple[str, str], a: Noun, b: Noun, x: Adjective, it: Noun) -> Sentence:
    """One sentence in which "it" is `it`, one of the nouns `a` and `b`."""
    present = re.search(r"\bdoesn't\b", main[0]) is not None
    feminine = {"m": "", "f": "e"}
    french_main = main[1].format(
        a=the(a), b=the(b), de_a=of_the(a), de_b=of_the(b), au_b=to_the(b),
        e_a=feminine[a.gender], e_b=feminine[b.gender],
    )  # fmt: skip
    il = pronoun(it.gender)
    english = frame[0].format(
        m=main[0].format(a=a.english, b=b.english), was="is" if present else "was", x=x.english
    )  # fmt: skip
    french = frame[1].format(
        m=french_main, it=il, si_it="s'il" if il == "il" else "si elle", etait="est" if present else "était",
        x=x.french(it.gender),
    )  # fmt: skip
    forms = "|".join(dict.fromkeys(re.escape(form[it.gender == "f"]) for form in x.forms))
    other = pronoun("m" if it.gender == "f" else "f")
    return Sentence(
        english=capital(english), french=capital(french), word="it", answer=il,
        must=rf"\b{il}\b.*\b(?:{forms})\b", must_not=rf"\b{other}\b",
    )  # fmt: skip


GENDERS = ("mm", "mf", "fm", "ff")
"""Of the first and the second noun."""
Family = tuple[str, str, str, str, tuple[tuple[str, str, str, str], ...]]


class Drawn:
    """Pairs of a family whose nouns have given genders, drawn at random without end."""

    def __init__(self, name: str, family: Family, genders: str, rng: random.Random) -> None:
        self.rng = rng
        first, second, of_first, of_second, clauses = family
        self.first = [noun for noun in nouns(first) if noun.gender == genders[0]]
        self.second = [noun for noun in nouns(second) if noun.gender == genders[1]]
        self.of_first, self.of_second = adjectives(of_first), adjectives(of_second)
        self.said = [
            ((clause[0], clause[1]), frame) for clause in clauses for frame in SAID[STYLES.get(name, "graded")]
        ]
        if name not in STYLES:
            self.said += [(clause[2:], frame) for clause in clauses if clause[2] for frame in SAID["although"]]

    def draw(self) -> Pair:
        a, b = self.rng.choice(self.first), self.rng.choice(self.second)
        x, y = self.rng.choice(self.of_first), self.rng.choice(self.of_second)
        if a.english == b.english or {a.english, b.english} == LESSON:
            return self.draw()
        main, frame = self.rng.choice(self.said)
        return sentence_of_it(main, frame, a, b, x, a), sentence_of_it(main, frame, a, b, y, b)


def pairs_of_it(families: Mapping[str, Family], count: int, rng: random.Random, avoid: set[str]) -> list[Pair]:
    """`count` pairs without the words to avoid, no sentence twice; families and genders as often as each other."""
    sources = [Drawn(name, family, genders, rng) for name, family in families.items() for genders in GENDERS]
    taken: list[Pair] = []
    seen: set[str] = set()
    for source in itertools.islice(itertools.cycle(sources), 20 * count):
        pair = source.draw()
        english = {sentence.english for sentence in pair}
        if not english & seen and not any(content_words(sentence) & avoid for sentence in pair):
            taken.append(pair)
            seen |= english
            if len(taken) == count:
                break
    return taken


# Nouns and adjectives of two senses.

OF_THINGS = (
    ("the {n} is {x}.", "{the_n} est {x}."),
    ("the {n} wasn't {x}.", "{the_n} n'était pas {x}."),
    ("why is the {n} {x}?", "pourquoi {the_n} est-{it_n} {x} ?"),
    ("he said that the {n} was {x}.", "il a dit que {the_n} était {x}."),
    ("the {n} is still {x}.", "{the_n} est encore {x}."),
    ("when I came, the {n} was {x}.", "quand je suis arrivé, {the_n} était {x}."),
    ("if the {n} is {x}, tell me.", "si {the_n} est {x}, dis-le-moi."),
    ("I think that the {n} is {x}.", "je pense que {the_n} est {x}."),
    ("is the {n} {x}?", "est-ce que {the_n} est {x} ?"),
    ("this {n} isn't {x}.", "{this_n} n'est pas {x}."),
    ("they say that this {n} is {x}.", "on dit que {this_n} est {x}."),
)
OF_THINGS_TESTED = (
    ("the {n} was {x}.", "{the_n} était {x}."),
    ("this {n} is {x}.", "{this_n} est {x}."),
    ("was the {n} {x}?", "est-ce que {the_n} était {x} ?"),
)
BY_SOMEBODY = (
    ("the {w} is looking at the {n}.", "{the_w} regarde {the_n}."),
    ("the {w} talked about the {n}.", "{the_w} a parlé {of_n}."),
    ("the {w} thinks of the {n}.", "{the_w} pense {to_n}."),
    ("the {w} can't find the {n}.", "{the_w} ne trouve pas {the_n}."),
    ("the {w} likes the {n}.", "{the_w} aime {the_n}."),
    ("is the {w} talking about the {n}?", "est-ce que {the_w} parle {of_n} ?"),
    ("I remember the {w}'s {n}.", "je me souviens {of_n} {of_w}."),
    ("this is the {w}'s {n}.", "c'est {the_n} {of_w}."),
)
BY_SOMEBODY_TESTED = (
    ("the {w} described the {n}.", "{the_w} a décrit {the_n}."),
    ("did the {w} see the {n}?", "est-ce que {the_w} a vu {the_n} ?"),
)
SUBJECTS = (("he", "il a"), ("she", "elle a"), ("we", "nous avons"), ("they", "ils ont"), ("I", "j'ai"))
WHEN = (("", ""), (" yesterday", " hier"), (" again", " encore une fois"))


class Sense(NamedTuple):
    noun: Noun
    company: tuple[dict[bool, str], ...]  # adjectives, who, verbs; for the corpus (False) and for the test (True)


def ambiguous_nouns() -> Iterator[tuple[str, Sense, Sense]]:
    for block in re.split(r"\n(?=\S)", words.NOUNS.strip()):
        head, *rest = block.split("\n")
        english, one, other = head.split(" | ")
        lines = [dict(zip((False, True), f"{line} ".split("//"), strict=True)) for line in rest]
        senses = [
            Sense(Noun(english, tuple(text.strip()[:-2].split("|")), text.strip()[-1]), tuple(lines[side::2]))
            for side, text in enumerate((one, other))
        ]
        yield english, senses[0], senses[1]


def any_of(forms: Iterable[str]) -> str:
    return rf"\b(?:{'|'.join(re.escape(form) for form in forms)})(?:s|x|es)?\b"


def sentence_of_sense(english: str, french: str, word: str, here: Sequence[str], there: Sequence[str]) -> Sentence:
    must_not = [form for form in there if form not in here]
    return Sentence(
        english=capital(english), french=capital(french), word=word, answer=here[0],
        must=any_of(here), must_not=any_of(must_not),
    )  # fmt: skip


def sentences_with(sense: Sense, there: Sense, test: bool) -> list[list[Sentence]]:
    """For each frame, the sentences that have this sense of the noun in it."""
    noun = sense.noun
    told = {"n": noun.english, "the_n": the(noun), "this_n": this(noun), "of_n": of_the(noun), "to_n": to_the(noun)}
    told["it_n"] = pronoun(noun.gender)
    qualities, people, deeds = (kind[test] for kind in sense.company)

    def make(frame: tuple[str, str], **more: str) -> Sentence:
        here, other = noun.french, there.noun.french
        return sentence_of_sense(
            frame[0].format(**told, **more), frame[1].format(**told, **more), noun.english, here, other
        )

    found = []
    for english, french in OF_THINGS_TESTED if test else OF_THINGS:
        found.append(
            [
                make((english.replace("{x}", x.english), french.replace("{x}", x.french(noun.gender))))
                for x in adjectives(qualities)
            ]
        )
    for frame in BY_SOMEBODY_TESTED if test else BY_SOMEBODY:
        found.append([make(frame, w=who.english, the_w=the(who), of_w=of_the(who)) for who in nouns(people)])
    for (subject, sujet), (when, quand) in itertools.product(SUBJECTS, WHEN[:1] if test else WHEN):
        made = []
        for verb, verbe in entries(deeds):
            rest = verbe.removeprefix("a ")
            thing = f"{rest[:-1]}{to_the(noun)}" if rest.endswith("à") else f"{rest} {the(noun)}"
            made.append(make((f"{subject} {verb} the {{n}}{when}.", f"{sujet} {thing}{quand}.")))
        found.append(made)
    return found


def pairs_of_senses(test: bool) -> Iterator[tuple[str, bool, Pair]]:
    """(noun, whether the corpus has it, pair)."""
    for english, one, other in ambiguous_nouns():
        seen = any(kind[False].strip() for kind in one.company)
        for here, there in zip(sentences_with(one, other, test), sentences_with(other, one, test), strict=True):
            for pair in itertools.product(here, there):
                yield english, seen, pair
    for block in re.split(r"\n(?=\S)", words.PROPERTIES.strip()):
        head, *lines = block.split("\n")
        english, *texts = head.split(" | ")
        senses = [adjectives(f"{english}={text}")[0] for text in texts]
        things = [nouns(f"{line} ".split("//")[test]) for line in lines]
        forms = [list(dict.fromkeys(form for both in sense.forms for form in both)) for sense in senses]
        for frame in OF_THINGS_TESTED if test else OF_THINGS:
            sides = []
            for side in (0, 1):
                made = []
                for thing in things[side]:
                    told = {"n": thing.english, "the_n": the(thing), "this_n": this(thing), "x": english}
                    told["it_n"] = pronoun(thing.gender)
                    french = frame[1].format(**told | {"x": senses[side].french(thing.gender)})
                    made.append(
                        sentence_of_sense(frame[0].format(**told), french, english, forms[side], forms[1 - side])
                    )
                sides.append(made)
            for first, second in itertools.product(*sides):
                yield english, True, (first, second)


def by_the_water() -> Iterator[tuple[str, str]]:
    """The bank that is a shore, beside its river: the sense that everyday sentences have least."""
    for (subject, sujet), (verb, verbe), water in itertools.product(
        SUBJECTS, entries(words.BY_THE_WATER), nouns(words.WATERS)
    ):
        french = f"{sujet} {verbe.removeprefix('a ')} sur la rive {of_the(water)}."
        for place in (f"the bank of the {water.english}", f"the {water.english} bank"):
            yield capital(f"{subject} {verb} on {place}."), capital(french)


def words_of(english: str) -> set[str]:
    """Nouns, verbs and adjectives."""
    return set(re.findall(r"[\w']+", english.lower())) - FUNCTION_WORDS


def content_words(sentence: Sentence) -> set[str]:
    return words_of(sentence.english)


def balanced(groups: dict[str, list[Pair]], count: int, rng: random.Random) -> list[Pair]:
    """About as many pairs of each group, no sentence twice while there are others, until there are `count`."""
    taken: list[Pair] = []
    seen: set[str] = set()
    for each in groups.values():
        rng.shuffle(each)
    queues = [list(each) for each in groups.values()]
    while len(taken) < count and any(queues):
        for queue in queues:
            while queue and len(taken) < count:
                pair = queue.pop()
                if not {sentence.english for sentence in pair} & seen:
                    taken.append(pair)
                    seen |= {sentence.english for sentence in pair}
                    break
    return taken


def held_out_pairs() -> list[tuple[str, Pair]]:
    """(kind, pair), the same each time; genders and nouns as often as each other."""
    rng = random.Random(1)
    groups: dict[str, dict[str, list[Pair]]] = {"noun": {}, "new noun": {}}
    for noun, seen, pair in pairs_of_senses(True):
        groups["noun" if seen else "new noun"].setdefault(noun, []).append(pair)
    found = [("it", pair) for pair in pairs_of_it(words.HELD_OUT_FAMILIES, TESTED["it"], rng, set())]
    return found + [(kind, pair) for kind in groups for pair in balanced(groups[kind], TESTED[kind], rng)]


def training_pairs(test: Sequence[tuple[str, Pair]]) -> list[tuple[str, str]]:
    """English and French, at most MOST, the same each time, without the words of the test but for the tested nouns."""
    nouns_of = {pair[0].word for kind, pair in test if kind == "noun"}
    held_out = {word for _, pair in test for sentence in pair for word in content_words(sentence)} - nouns_of
    found = {
        sentence.english: sentence.french
        for _, _, pair in pairs_of_senses(False)
        for sentence in pair
        if not content_words(sentence) & held_out
    }
    found |= {english: french for english, french in by_the_water() if not words_of(english) & held_out}
    for pair in pairs_of_it(words.FAMILIES, (MOST - len(found)) // 2, random.Random(2), held_out):
        found |= {sentence.english: sentence.french for sentence in pair}
    return sorted(found.items())


def read_test(path: Path) -> list[tuple[str, Pair]]:
    """What `main` wrote as contrast-test.tsv: two lines a pair. UserError names the first line that is none."""
    found: list[tuple[str, Sentence]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != len(COLUMNS):
            raise UserError(
                "contrast_fields", line=number, name=path.name, count=len(fields), columns=", ".join(COLUMNS)
            )
        try:
            for pattern in fields[-2:]:
                re.compile(pattern)
        except re.error as error:
            raise UserError("contrast_pattern", line=number, name=path.name, reason=error) from None
        found.append((fields[0], Sentence(**dict(zip(COLUMNS[1:], fields[1:], strict=True)))))
    if not found or len(found) % 2 or any(a[0] != b[0] for a, b in zip(found[::2], found[1::2], strict=True)):
        raise UserError("contrast_pairs", name=path.name)
    return [(a[0], (a[1], b[1])) for a, b in zip(found[::2], found[1::2], strict=True)]


def score_pairs(test: Sequence[tuple[str, Pair]], translations: Sequence[str]) -> dict[str, dict[str, Any]]:
    """By kind, which share of pairs has both sentences right, with its 95 % bootstrap interval; which share of the
    sentences is right; of how many pairs whatever adjective goes with "it"; and how many pairs would be right with
    always one answer for a word (the best one), or by a coin.

    `translations` are those of first, second, first, second, ... sentence.
    """
    found: dict[str, dict[str, Any]] = {}
    for kind in dict.fromkeys(kind for kind, _ in test):
        chosen = [i for i, each in enumerate(test) if each[0] == kind]
        right: np.ndarray = np.array([[test[i][1][k].right(translations[2 * i + k]) for k in (0, 1)] for i in chosen])
        both = np.asarray(right.all(axis=1))
        draws = np.random.default_rng(0).integers(len(both), size=(1000, len(both)))
        answers: dict[str, Counter[str]] = {}
        for i in chosen:
            first, second = test[i][1]
            counter = answers.setdefault(first.word, Counter())
            counter.update([first.answer] if first.answer == second.answer else [])
        constant = sum(max(counter.values(), default=0) for counter in answers.values())
        found[kind] = {
            "pairs": len(both),
            "both right": float(both.mean()),
            "interval": [float(bound) for bound in np.quantile(both[draws].mean(1), (0.025, 0.975))],
            "sentences right": float(right.mean()),
            "answers right": sum(all(test[i][1][k].answered(translations[2 * i + k]) for k in (0, 1)) for i in chosen)
            / len(chosen),
            "one answer": constant / len(both),
            "coin": 0.25,
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.contrast", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where contrast.tsv and contrast-test.tsv are written")
    options = parser.parse_args()
    test = held_out_pairs()
    training = training_pairs(test)
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        with (options.folder / "contrast.tsv").open("w", encoding="utf-8") as file:
            file.writelines(f"{english}\t{french}\n" for english, french in training)
        with (options.folder / "contrast-test.tsv").open("w", encoding="utf-8") as file:
            for kind, pair in test:
                for each in pair:
                    file.write("\t".join([kind, *(getattr(each, name) for name in COLUMNS[1:])]) + "\n")
    except OSError as error:
        raise SystemExit(f"python -m model.contrast: {error}") from None
    print(f"{len(training):,} pairs for training, {len(test):,} pairs of sentences for the test")


if __name__ == "__main__":
    main()
