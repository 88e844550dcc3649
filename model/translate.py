"""The one door to the models: text in, Translation out. python -m model.translate reads one sentence a line.

Search finds a target first; one forced pass over that target, or over a given one, then yields every number.
"""

import argparse
import copy
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from model.attention import attention
from model.checkpoint import AnyModel, LoadedCheckpoint, load_checkpoint
from model.decoder_state import Forced
from model.errors import UserError, note
from model.records import Alternative, Decoding, Floats, Found, Note, Recurrent, Token, Translation
from model.rnn import Rnn
from model.search import search
from model.search_tree import Exploration, Method, explore_tree
from model.tokenizer import Tokenizer, unknown_characters
from model.transformer import Transformer

T = TypeVar("T")

DEFAULT = Path("checkpoints/en-fr/transformer")
WIDEST = 100
"""Beams beyond it take minutes and find nothing better."""

Find = Callable[[AnyModel, Tensor, Any], tuple[str, Sequence[Token]]]
"""From a model, source ids [1, S] and what its encoder makes of them, to a target and its pieces without </s>."""


def load(path: str | Path, device: str = "auto") -> "Translator":
    """Read a checkpoint folder. device: auto, cpu, cuda or mps. UserError says what is wrong and what to do."""
    return Translator(load_checkpoint(Path(path)), pick_device(device))


def pick_device(name: str) -> torch.device:
    """The named device, or the best there is for "auto". UserError when it is not there."""
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        name = next(kind for kind in ("cuda", "mps", "cpu") if there[kind])
    if name not in there:
        raise UserError("device_unknown", name=name)
    if not there[name]:
        raise UserError("device_missing", name=name)
    return torch.device(name)


def out_of_memory(error: RuntimeError) -> bool:
    """Whether a device is full; Apple's says so only in words."""
    return isinstance(error, torch.OutOfMemoryError) or "out of memory" in str(error)


class Translator:
    """A loaded model that many sessions may use at once; nothing here ever changes it."""

    def __init__(self, loaded: LoadedCheckpoint, device: torch.device) -> None:
        self.checkpoint = loaded.made_by
        self.metrics = loaded.metrics
        self.tokenizer: Tokenizer = loaded.tokenizer
        self.notes: tuple[Note, ...] = ()
        self.config = loaded.model.config
        try:
            self.model: AnyModel = loaded.model.to(device).store_by_columns()
            self.device = device
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            self.notes = (note("full", device=device.type),)
            self.model, self.device = loaded.model.to("cpu").store_by_columns(), torch.device("cpu")

    def translate(
        self, text: str, *, target: str | Sequence[int] | None = None, beam: int = 1, alternatives: int = 5
    ) -> Translation:
        """Translate `text`, or hold it against a given `target`, and keep every weight of the pass that read both.

        A target is a text, which is cut into pieces here, or ids, with </s> at their end or without: a model's own
        translation, whose pieces need not be those that its text would be cut into. UserError when the text or the
        target's text has nothing in it, or the target is longer than the model reads or has ids that no text has. A
        longer text is cut, and the result says by how much.
        """

        def find(model: AnyModel, source_ids: Tensor, encoded: Any) -> tuple[str, Sequence[Token]]:
            if target is None:
                return self.tokenizer.decode(search(model, source_ids, encoded=encoded, beam=beam)[0][0].ids)
            limit = self.config.max_length - 1
            given, pieces = self._given(target)
            if not pieces and isinstance(target, str):
                raise UserError("target_empty")
            if len(pieces) > limit:
                raise UserError("target_long", count=len(pieces), limit=limit)
            return given, pieces

        return self.with_room(lambda here: here._translate(text, find, alternatives, forced=target is not None))

    def explore(
        self,
        text: str,
        *,
        prefix: str | Sequence[int] = (),
        method: Method = "greedy",
        beam: int = 4,
        temperature: float = 1.0,
        top_k: int = 0,
        seed: int = 0,
        alternatives: int = 5,
    ) -> Decoding:
        """Translate `text` and keep the tree of what was considered, as `model.search_tree.explore_tree` has it. The
        translation begins with `prefix`, a text or ids, of which the last may be that of </s>.

        UserError when the text has nothing in it, or an option is impossible.
        """
        ids = self.tokenizer.encode(prefix) if isinstance(prefix, str) else ()
        given = [token.id for token in ids] if isinstance(prefix, str) else list(prefix)
        if beam > WIDEST:
            raise UserError("beam_wide", beam=beam, most=WIDEST)
        found: Exploration | None = None

        def find(model: AnyModel, source_ids: Tensor, encoded: Any) -> tuple[str, Sequence[Token]]:
            nonlocal found
            found = explore_tree(
                model, source_ids, encoded=encoded, prefix=given, method=method, beam=beam, temperature=temperature,
                top_k=top_k, seed=seed,
            )  # fmt: skip
            return self.tokenizer.decode(found.paths[0].ids)

        best = self.with_room(lambda here: here._translate(text, find, alternatives, forced=False))
        assert found is not None
        return Decoding(
            nodes=found.nodes,
            labels=tuple(self.tokenizer.label(node.id) for node in found.nodes),
            found=tuple(
                Found(
                    text=self.tokenizer.decode(path.ids)[0],
                    nodes=path.nodes,
                    log_prob=path.log_prob,
                    score=path.score,
                )
                for path in found.paths
            ),
            prefix=len(given),
            best=best,
        )

    def _given(self, target: str | Sequence[int]) -> tuple[str, list[Token]]:
        """The text of a given target, and its pieces without </s>. ValueError for ids that no text has."""
        tokenizer = self.tokenizer
        if isinstance(target, str):
            return target, tokenizer.encode(target)
        ids = target[:-1] if target and target[-1] == tokenizer.eos_id else target
        specials = (tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id)
        if not all(0 <= id < len(tokenizer) and id not in specials for id in ids):
            raise ValueError("The given translation has ids that are no pieces of this model's vocabulary.")
        return tokenizer.decode(ids)

    def with_room(self, work: "Callable[[Translator], T]") -> T:
        """work(self), or with a copy on the CPU when the device has no room for it."""
        try:
            return work(self)
        except RuntimeError as error:
            if self.device.type == "cpu" or not out_of_memory(error):
                raise
        spare = copy.copy(self)
        spare.model, spare.device = copy.deepcopy(self.model).to("cpu").store_by_columns(), torch.device("cpu")
        spare.notes = (note("full_sentence", device=self.device.type),)
        return work(spare)

    @torch.inference_mode()
    def _translate(self, text: str, find: Find, alternatives: int, forced: bool) -> Translation:
        model, tokenizer, limit = self.model, self.tokenizer, self.config.max_length - 1  # one place: </s>
        pieces = tokenizer.encode(text, source=True)
        if not pieces:
            raise UserError("nothing")
        kept = whole_words(pieces, limit)
        cut_at = len(text) if len(kept) == len(pieces) else pieces[len(kept)].start
        source = (*kept, tokenizer.special(tokenizer.eos_id, cut_at, kept[-1].word + 1))
        source_ids = self.ids(source)

        encoded: Any = model.encode(source_ids, attention)
        target_text, target_pieces = find(model, source_ids, encoded)
        last_word = target_pieces[-1].word if target_pieces else -1
        predicted = (*target_pieces, tokenizer.special(tokenizer.eos_id, len(target_text), last_word + 1))
        read = (tokenizer.special(tokenizer.bos_id, 0, -1), *target_pieces)
        passed = model.force(encoded, self.ids(read))
        log_probs, best = probabilities(passed, predicted, alternatives)
        return Translation(
            source_text=text,
            text=target_text,
            source=source,
            target=predicted,
            decoder_input=read,
            encoder=stack(passed.encoder, len(source), len(source)),
            decoder=stack(passed.decoder, len(read), len(read)),
            cross=stack(passed.cross, len(read), len(source)),
            recurrent=recurrent(passed),
            log_probs=log_probs,
            alternatives=tuple(self.named(step) for step in best),
            forced=forced,
            left_out=len(pieces) - len(kept),
            left_out_from=cut_at,
            unknown_characters=unknown_characters(source),
            checkpoint=self.checkpoint,
            notes=self.notes,
        )

    def transformer(self) -> Transformer:
        """The model, for what only a Transformer has. ValueError for a recurrent one."""
        if not isinstance(self.model, Transformer):
            raise ValueError(f"{self.checkpoint.name} is no Transformer: it has no heads, no layers and no positions.")
        return self.model

    def recurrent(self) -> Rnn:
        """The model, for what only a recurrent one with attention has. ValueError for any other."""
        if not isinstance(self.model, Rnn) or self.model.config.score in ("last", "mean"):
            raise ValueError(f"{self.checkpoint.name} is no recurrent model with attention.")
        return self.model

    def named(self, best: Iterable[tuple[int, float]]) -> tuple[Alternative, ...]:
        """Ids and their log-probabilities, with labels."""
        return tuple(Alternative(id=id, label=self.tokenizer.label(id), log_prob=log_prob) for id, log_prob in best)

    def ids(self, tokens: Sequence[Token]) -> Tensor:
        """[1, N], where the model is."""
        return torch.tensor([[token.id for token in tokens]], device=next(self.model.parameters()).device)


def whole_words(pieces: Sequence[Token], limit: int) -> Sequence[Token]:
    """The first `limit` pieces, or fewer so as not to end inside a word, unless that word is all there is."""
    if len(pieces) <= limit:
        return pieces
    end = limit
    while end and pieces[end].word == pieces[end - 1].word:
        end -= 1
    return pieces[: end or limit]


def stack(weights: Sequence[Tensor | None], queries: int, keys: int) -> Floats:
    """L x [1, H, queries, keys] -> [L, H, queries, keys]; L = H = 0 for a kind of attention that the model lacks."""
    layers = [layer for layer in weights if layer is not None]
    return torch.cat(layers).float().cpu().numpy() if layers else np.zeros((0, 0, queries, keys), np.float32)


def recurrent(forced: Forced) -> Recurrent | None:
    """The steps of a recurrent decoder for the one sentence of the pass."""
    if forced.recurrent is None:
        return None

    def array(part: Tensor) -> Floats:
        return part[0].float().cpu().numpy()

    scores, contexts, states, source = forced.recurrent
    return Recurrent(
        scores=None if scores is None else array(scores),
        contexts=array(contexts),
        states=array(states),
        source=array(source),
    )


def probabilities(forced: Forced, target: Sequence[Token], count: int) -> tuple[Floats, list[list[tuple[int, float]]]]:
    """log p(target[t] | what was read) as [T], and the `count` best pieces of each step with theirs. UserError when
    they are no numbers."""
    log_probs = forced.logits[0].float().log_softmax(-1).cpu()  # [T, V]
    if bool(log_probs.isnan().any()):
        raise UserError("not_finite")
    chosen = log_probs[torch.arange(len(target)), [token.id for token in target]].numpy()
    best, ids = log_probs.topk(min(count, log_probs.size(-1)))
    pairs = [list(zip(*step, strict=True)) for step in zip(ids.tolist(), best.tolist(), strict=True)]
    return chosen.astype(np.float32), pairs


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.translate", description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=DEFAULT)
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or mps")
    parser.add_argument("--beam", type=int, default=1, help="1 is greedy")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, with pieces and log-probability")
    options = parser.parse_args()
    if not 1 <= options.beam <= WIDEST:
        parser.error(f"--beam must be between 1 and {WIDEST}")
    try:
        translator = load(options.checkpoint, options.device)
    except ValueError as error:
        raise SystemExit(f"python -m model.translate: {error}") from None
    for stream in (sys.stdin, sys.stdout):  # whatever the locale says; a byte that is no UTF-8 becomes U+FFFD
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        for line in sys.stdin or ():
            print(answer(translator, line.rstrip("\r\n"), options.beam, options.json), flush=True)
    except BrokenPipeError:  # whoever read the translations has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise SystemExit(f"python -m model.translate: {error}") from None


def answer(translator: Translator, text: str, beam: int, as_json: bool) -> str:
    """The line that the command prints for one sentence; what was left out of it goes to standard error."""
    if not translator.tokenizer.encode(text):
        return json.dumps({"source": [], "target": [], "text": "", "log_prob": 0.0}) if as_json else ""
    translation = translator.translate(text, beam=beam)
    if translation.left_out:
        beginning = text[translation.left_out_from :][:40]
        print(f"{translation.left_out} pieces were left out, from: {beginning!r}", file=sys.stderr)
    if not as_json:
        return translation.text.replace("\n", " ")
    record = {
        "source": [token.piece for token in translation.source],
        "target": [token.piece for token in translation.target],
        "text": translation.text,
        "log_prob": translation.log_prob,
    }
    return json.dumps(record, ensure_ascii=False)


if __name__ == "__main__":
    main()
