"""Text to pieces and back: ids, character offsets, words and how a piece is shown; no tensors."""

import bisect
import codecs
import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, trainers

from model.errors import UserError
from model.records import Token, shown, unread

SUBSCRIPTS = "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"
PAD, BOS, EOS = "<pad>", "<s>", "</s>"
SPACE = "\u2581"
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))

NORMALIZER = normalizers.Sequence(
    [
        normalizers.Replace(Regex(r"[\s\x1c-\x1f]"), " "),
        normalizers.Replace(Regex(r"[\p{Cc}\p{Cf}]"), ""),
        normalizers.NFC(),
        normalizers.Replace(Regex("[\u2018\u2019\u201b\u02bc\u02b9\u00b4`\u2032\uff07]"), "'"),
        normalizers.Replace(Regex("[\u201c\u201d\u201e\u201f\u2033\uff02]"), '"'),
        normalizers.Replace(Regex(" +"), " "),
        normalizers.Strip(),
    ]
)
"""One way to write what can be written in several: nothing invisible, composed letters, plain apostrophes and
quotation marks, single spaces. Training data is cleaned by it, and every vocabulary reads by it."""

GUILLEMETS = re.compile(r"(?<![\w.,!?\u2026])\u00ab\s*|\s*\u00bb(?!\w)|[\u00ab\u00bb]")
"""In a source, with the spaces that French has inside them. No corpus has them in its English, so that a model knows
them as French only: a source is read with plain marks in their place. A French target keeps them."""

SIGNS = (LONE_SPACE, CONTINUED, NUMBERED, NOTHING) = "\u2423", "\u00b7", "\u2081\u2082\u2083", "\u2205"
"""What a label has that nobody typed: a space that is a piece of its own, a piece that continues a word, the bytes of
one character, and a character without a shape."""

LETTER = r"[\p{L}\p{M}]"
CONTRACTION = rf"'(?:s|re|ve|ll|d|m)(?!{LETTER})"
WORD = "|".join(
    [
        rf"{SPACE}?{LETTER}+?(?=n't(?!{LETTER}))",  # the verb before n't
        rf"n't(?!{LETTER})",
        CONTRACTION,
        rf"{SPACE}?{LETTER}+(?!{CONTRACTION})'(?={LETTER})",  # a French elision with its apostrophe: l', qu'
        rf"{SPACE}?{LETTER}+",
        rf"{SPACE}?\p{{N}}",  # one digit, so that no number is rare
        rf"{SPACE}?[^{SPACE}]",
        SPACE,
    ]
)
"""What no piece crosses, first match first; a word keeps the space before it."""


def clean(text: str) -> str:
    """A text as the models read it; `NORMALIZER` says how."""
    cleaned: str = NORMALIZER.normalize_str(text)
    return cleaned


def train(texts: Iterable[str], vocab_size: int) -> tokenizers.Tokenizer:
    """A byte-pair vocabulary in which every character that is not in it becomes its UTF-8 bytes.

    The specials and the 256 bytes are ordinary entries that no text can spell: whoever types "</s>" gets
    four characters, not the end of the sentence.
    """
    tokenizer = tokenizers.Tokenizer(models.BPE(byte_fallback=True))
    tokenizer.normalizer = NORMALIZER
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always", split=False),
            pre_tokenizers.Split(Regex(WORD), behavior="isolated"),
        ]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace(SPACE, " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[PAD, BOS, EOS, *BYTES],
        limit_alphabet=200,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    parts = json.loads(tokenizer.to_str())
    parts["added_tokens"] = []  # so that nothing in a text matches a special
    return tokenizers.Tokenizer.from_str(json.dumps(parts))


PROBE = "Ab, c'est l'été </s>? 12 \u6f22\U0001f600"
"""What a vocabulary must be able to cut up and put together again: words, marks, bytes."""


@contextlib.contextmanager
def no_panic() -> Iterator[None]:
    """A vocabulary that fails is a UserError. A panic of its library is no Exception: it would end a thread without a
    word."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise UserError("vocabulary_fails", reason=error) from error


class Tokenizer:
    """A trained vocabulary, with where each piece stands in the text that a person sees."""

    def __init__(self, vocabulary: tokenizers.Tokenizer) -> None:
        self.vocabulary = vocabulary
        pad, bos, eos = (vocabulary.token_to_id(piece) for piece in (PAD, BOS, EOS))
        if pad is None or bos is None or eos is None:
            raise UserError("vocabulary_lacks", pieces=", ".join((PAD, BOS, EOS)))
        self.pad_id, self.bos_id, self.eos_id = pad, bos, eos

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """From a tokenizer.json. UserError when the file is no vocabulary."""
        return cls.read(path.read_bytes(), path.name)

    @classmethod
    def read(cls, content: bytes, name: str) -> "Tokenizer":
        """From the content of a tokenizer.json that is called `name`. UserError when it is no vocabulary, or not one of
        Regard's kind."""
        try:
            with no_panic():
                vocabulary = tokenizers.Tokenizer.from_str(content.decode("utf-8"))
                vocabulary.normalizer = NORMALIZER  # the file may be older than today's
                vocabulary.no_truncation()
                vocabulary.no_padding()
            found = cls(vocabulary)
            found._check()
        except Exception as error:  # tokenizers raises bare Exception
            raise UserError("not_vocabulary", name=name, reason=error) from error
        return found

    def _check(self) -> None:
        """UserError unless each number has its piece and a text can be put together again from its pieces."""
        if set(self.vocabulary.get_vocab().values()) != set(range(len(self))):
            raise UserError("vocabulary_ids", last=len(self) - 1)
        model = self.vocabulary.model
        same = isinstance(model, models.BPE) and not model.dropout and self.vocabulary.pre_tokenizer is not None
        if not same or self.vocabulary.get_added_tokens_decoder() or self.decode(self.ids([PROBE])[0])[0] != PROBE:
            raise UserError("vocabulary_cuts")

    def __len__(self) -> int:
        return self.vocabulary.get_vocab_size()

    def ids(self, texts: Sequence[str], *, source: bool = False) -> list[list[int]]:
        """Ids alone, without <s> and </s>: for training and tests."""
        read = [_as_read(text, source)[1] for text in texts] if source else list(texts)
        with no_panic():
            return [encoding.ids for encoding in self.vocabulary.encode_batch(read, add_special_tokens=False)]

    def piece(self, id: int) -> str:
        return self.vocabulary.id_to_token(id) or ""

    def encode(self, text: str, *, source: bool = False) -> list[Token]:
        """The pieces of a text as typed, without <s> and </s>; of a source, `GUILLEMETS` are plain marks.

        A piece reaches from the first to the last of its visible characters; an invisible one beside it belongs to
        none. UserError for half a surrogate pair.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UserError("surrogate") from error
        typed, read, places = _as_read(text, source)
        with no_panic():
            encoding = self.vocabulary.encode(read, add_special_tokens=False)
        spans = []
        for piece, (start, end) in zip(encoding.tokens, encoding.offsets, strict=True):
            if piece.startswith(SPACE):  # its span reaches back over the white space it stands for
                while start < end - (piece != SPACE) and typed[start].isspace():
                    start += 1
                if piece == SPACE != typed[start:end]:  # unless that very sign was typed
                    end = start
            spans.append((start, end))
        following = len(typed)
        for i in reversed(range(len(spans))):  # a combining mark or Hangul letter that was composed away
            start, end = spans[i]
            if i + 1 < len(spans) and spans[i + 1][0] >= end:
                following = spans[i + 1][0]
            while start < end < following and not typed[end].isspace():
                end += 1
            spans[i] = (start, end)
        return self._tokens(typed, encoding.ids, spans, [word or 0 for word in encoding.word_ids], places)

    def decode(self, ids: Sequence[int]) -> tuple[str, list[Token]]:
        """Text and pieces of ids that a model produced, specials not among them. Bytes that make no character
        become U+FFFD."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text, spans, begins = "", [], []
        waiting = 0  # byte pieces whose character is not complete yet
        for piece in map(self.piece, ids):
            byte = _byte(piece)
            if byte is None:
                if waiting:
                    text += decoder.decode(b"", final=True)
                    spans += [(len(text) - 1, len(text))] * waiting
                    begins += [len(text) - 1] * waiting
                    waiting = 0
                begins.append(len(text))  # at the space before it
                start = len(text) + (piece.startswith(SPACE) and piece != SPACE)
                text += piece.replace(SPACE, " ")
                spans.append((start if piece != SPACE else len(text), len(text)))
                continue
            waiting += 1
            if character := decoder.decode(bytes([byte])):
                spans += [(len(text), len(text) + len(character))] * waiting
                begins += [len(text)] * waiting
                text, waiting = text + character, 0
        if waiting:
            text += decoder.decode(b"", final=True)
            spans += [(len(text) - 1, len(text))] * waiting
            begins += [len(text) - 1] * waiting
        words = self._words(text, begins)
        if text.startswith(" "):
            text, spans = text[1:], [(max(start - 1, 0), max(end - 1, 0)) for start, end in spans]
        return text, self._tokens(text, ids, spans, words, range(len(text) + 1))

    def special(self, id: int, at: int, word: int) -> Token:
        """<s> or </s> as a token, standing at character `at`."""
        piece = self.piece(id)
        return Token(id=id, piece=piece, label=piece, start=at, end=at, word=word, special=True)

    def label(self, id: int) -> str:
        """How a piece is shown where it stands in no text, as a candidate for the next one."""
        return shown(self.piece(id).replace(SPACE, " ")) or NOTHING

    def _words(self, text: str, begins: Sequence[int]) -> list[int]:
        """The word that each piece begins in, by the same rule that `encode` follows."""
        assert self.vocabulary.pre_tokenizer is not None
        with no_panic():
            ends = [end for _, (_, end) in self.vocabulary.pre_tokenizer.pre_tokenize_str(text)]
        return [min(bisect.bisect_right(ends, begin), max(len(ends) - 1, 0)) for begin in begins]

    def _tokens(
        self,
        text: str,
        ids: Sequence[int],
        spans: Sequence[tuple[int, int]],
        words: Sequence[int],
        places: Sequence[int],
    ) -> list[Token]:
        """Pieces at `spans` of a text, of which character i stands at places[i] for whoever gets them."""
        tokens = []
        pieces = [self.piece(id) for id in ids]
        first = 0  # of the byte pieces that spell one character: neighbours with one span
        for i, (piece, (start, end)) in enumerate(zip(pieces, spans, strict=True)):
            label = shown(text[start:end]) or LONE_SPACE
            if _byte(piece) is not None:
                if not (i and _byte(pieces[i - 1]) is not None and spans[i - 1] == spans[i]):
                    first = i
                if spans[i] in (spans[i - 1] if i > first else None, spans[i + 1] if i + 1 < len(ids) else None):
                    label += str(i - first + 1).translate(str.maketrans("0123456789", SUBSCRIPTS))
            elif i and words[i] == words[i - 1]:
                label = CONTINUED + label
            at = places[start]
            till = places[end - 1] + 1 if end > start else at
            tokens.append(Token(id=ids[i], piece=piece, label=label, start=at, end=till, word=words[i]))
        return tokens


def unknown_characters(tokens: Iterable[Token]) -> int:
    """How many characters of a text are read as bytes, because the vocabulary lacks them."""
    return len({(token.start, token.end) for token in tokens if _byte(token.piece) is not None})


def signs_in(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Which of `SIGNS` the labels of a text's pieces have, in that order; the same characters as typed do not count."""
    found = set()
    for i, token in enumerate(tokens):
        if token.special:
            continue
        byte = _byte(token.piece)
        for sign in (LONE_SPACE, NOTHING):  # typed, it is in its piece, or all its pieces are bytes of its own
            if sign in token.label and not (sign in token.piece if byte is None else byte in sign.encode()):
                found.add(sign)
        if byte is None and i and token.word == tokens[i - 1].word:
            found.add(CONTINUED)
        if byte is not None and token.label[-1] in SUBSCRIPTS:
            found.add(NUMBERED)
    return tuple(sign for sign in SIGNS if sign in found)


def _byte(piece: str) -> int | None:
    return int(piece[3:5], 16) if re.fullmatch("<0x[0-9A-F]{2}>", piece) else None


def _as_read(text: str, source: bool) -> tuple[str, str, list[int]]:
    """A text without what `NORMALIZER` drops, the same with plain marks if it is a source, and where each character
    stands in the text, with one place more for the end."""
    places = [i for i, c in enumerate(text) if not unread(c)]
    typed = "".join(text[i] for i in places)
    if not source:
        return typed, typed, [*places, len(text)]
    inside = {i for match in GUILLEMETS.finditer(typed) for i in range(*match.span()) if typed[i].isspace()}
    places = [place for i, place in enumerate(places) if i not in inside]
    typed = "".join(text[i] for i in places)
    read = typed.translate(str.maketrans("\u00ab\u00bb", '""'))
    return typed, read, [*places, len(text)]
