"""What the benchmark types: texts of an exact number of pieces, and endless different sentences."""

import itertools
import random

from model.tokenizer import Tokenizer

SENTENCES = (
    "The old man walked slowly along the river with his dog.",
    "I don't know why she isn't here yet.",
    "We bought fresh bread and a bottle of milk this morning.",
    "My brother wants to learn how to play the piano.",
    "It was raining when they came back from school.",
    "Can you tell me where the station is?",
    "He forgot to close the door before he left the house.",
    "The children were playing in the garden behind the church.",
)


def text_of(tokenizer: Tokenizer, pieces: int, first: int = 0) -> str:
    """Ordinary sentences of exactly `pieces` pieces together, </s> included; another `first` gives another text."""
    text = ""
    for word in itertools.cycle(" ".join(SENTENCES[first:] + SENTENCES[:first]).split()):
        longer = f"{text} {word}".strip()
        if len(tokenizer.encode(longer)) >= pieces:
            break
        text = longer
    text += "." * (pieces - 1 - len(tokenizer.encode(text)))  # a full stop is always one piece
    assert len(tokenizer.encode(text)) == pieces - 1
    return text


def sentences(seed: int) -> list[str]:
    """Different sentences of about ten words in random order; every one costs the server a translation."""
    parts = (
        ("My sister", "The teacher", "Our neighbour", "The young man", "His mother", "A friend of mine"),
        ("bought", "found", "forgot", "wanted", "sold", "painted"),
        ("a red apple", "the old book", "two small chairs", "my brother's car", "some fresh bread", "her new hat"),
        ("at the market", "in the garden", "near the river", "behind the church", "on the train", "in the kitchen"),
        ("yesterday.", "last week.", "this morning.", "after school.", "two years ago.", "before the rain."),
    )
    every = [" ".join(words) for words in itertools.product(*parts)]
    random.Random(seed).shuffle(every)
    return every
