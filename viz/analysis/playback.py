"""What the page Decoding plays and keeps: pieces that a person chose, what changed by it, the tree as it is drawn."""

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from model.records import Decoding, Translation, shown
from viz.components.player import Branch, Option, PlayedTranslation, Tree


def on_one_line(text: str) -> str:
    """With a sign for each line break and control character, which a model can draw byte by byte."""
    return "".join(each if each.isprintable() else shown(each) for each in text)


@dataclass(frozen=True, kw_only=True)
class ChosenPiece:
    """A next piece that a person chose."""

    prefix: tuple[int, ...]
    """All pieces up to it, itself the last."""
    label: str


def chosen(choices: Sequence[ChosenPiece], translation: Translation, step: int, id: int) -> tuple[ChosenPiece, ...]:
    """The choices that still hold when the person takes another piece at this step, and the new one. Those before the
    step hold: the translation begins with them."""
    before = tuple(token.id for token in translation.target[:step])
    label = next(each.label for each in translation.alternatives[step] if each.id == id)
    return (*(each for each in choices if len(each.prefix) <= step), ChosenPiece(prefix=(*before, id), label=label))


def write_choices(choices: Sequence[ChosenPiece]) -> str:
    """For the address: the pieces up to the last choice, and how many each choice ends."""
    if not choices:
        return ""
    ends = (len(choice.prefix) for choice in choices)
    return f"{'.'.join(map(str, choices[-1].prefix))}_{'.'.join(map(str, ends))}"


def read_choices(text: str, label: Callable[[int], str], pieces: int) -> tuple[ChosenPiece, ...] | None:
    """What `write_choices` wrote, for a vocabulary of so many `pieces`; None if it wrote no such thing."""
    if not text:
        return ()
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})*_\d{1,6}(\.\d{1,6})*", text, re.ASCII):
        return None
    prefix, ends = (tuple(int(number) for number in part.split(".")) for part in text.split("_"))
    if max(prefix) >= pieces or ends[0] < 1 or ends[-1] != len(prefix) or not all(a < b for a, b in pairwise(ends)):
        return None
    return tuple(ChosenPiece(prefix=prefix[:end], label=label(prefix[end - 1])) for end in ends)


def changed(before: Translation, after: Translation, given: int) -> tuple[int, ...]:
    """Steps from `given` on whose piece has no counterpart in what was found before."""
    old, new = ([token.id for token in each.target] for each in (before, after))
    blocks = difflib.SequenceMatcher(None, old[given:], new[given:], autojunk=False).get_matching_blocks()
    same = {given + block.b + i for block in blocks for i in range(block.size)}
    return tuple(step for step in range(given, len(new)) if step not in same)


def options(translation: Translation, never: Sequence[int]) -> list[list[Option]]:
    """For each step the most probable next pieces, best first, and the one that was taken, if it is not among them. No
    translation goes on with the ids `never`."""
    steps = []
    for token, log_prob, alternatives in zip(
        translation.target, translation.log_probs, translation.alternatives, strict=True
    ):
        found = [
            Option(each.label, None if each.id in never else each.id, math.exp(each.log_prob), each.id == token.id)
            for each in alternatives
        ]
        if not any(each.taken for each in found):
            label = shown(token.piece.replace("\u2581", " "))  # as the alternatives are shown
            found.append(Option(label, token.id, math.exp(log_prob), True))
        steps.append(found)
    return steps


def tree(decoding: Decoding, beam: int) -> Tree:
    """The tree of a beam as it is drawn."""
    nodes = zip(decoding.nodes, decoding.labels, strict=True)
    return Tree(
        branches=[Branch(node.parent, label, node.log_prob, node.total, node.fate) for node, label in nodes],
        best=decoding.found[0].nodes,
        beam=beam,
    )


def play(
    translation: Translation,
    never: Sequence[int],
    *,
    choices: Sequence[ChosenPiece] = (),
    before: Translation | None = None,
    drawn: Tree | None = None,
) -> PlayedTranslation:
    """A translation for the player. `before` is the one that the last of the choices has changed."""
    last = len(choices[-1].prefix) if choices else 0
    return PlayedTranslation(
        source=[token.label for token in translation.source],
        read=[token.label for token in translation.decoder_input],
        predicted=[token.label for token in translation.target],
        decoder=translation.decoder,
        cross=translation.cross,
        options=options(translation, never),
        forced=[len(each.prefix) - 1 for each in choices],
        changed=changed(before, translation, last) if before else (),
        start=last - 1 if choices else None,
        tree=drawn,
    )
