"""Translating and keeping every weight, against Hugging Face's Marian of the same shape with the same weights.

Fair, as far as we can see:
- N source pieces give N target pieces, </s> included, on both sides: neither model may end before, both must end then.
  So a badly or a well trained checkpoint costs the same, and both search greedily for the same target: that is checked.
- One thread each, float32, alternating runs, medians. Marian gets ids; ours goes through the real door, from text to
  strings, ranked alternatives and NumPy arrays, so what differs besides the models counts against us.
- Hugging Face has two ways to end with all weights: `generate`, then one pass over the result; or `generate` that keeps
  the weights of every step. Both are shown.
"""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.checkpoint import LoadedCheckpoint
from model.config import TransformerConfig
from model.decoder_state import TransformerState
from model.transformer import Transformer
from model.translate import Translator
from tests.benchmark.table import Row
from tests.benchmark.texts import text_of
from tests.oracle import marian_like

LENGTHS = (10, 30, 64, 128)
LIMIT = 0.5


class Endless(Transformer):
    """A model that never wants to end; search ends it after max_length pieces."""

    def decode_step(self, tokens: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        log_probs, state = super().decode_step(tokens, state)
        log_probs[:, self.config.eos_id] -= 1e6
        return log_probs, state


def endless(translator: Translator, pieces: int) -> Translator:
    """The same weights behind the same door, for `pieces` source and exactly `pieces` target pieces."""
    assert isinstance(translator.config, TransformerConfig)
    model = Endless(replace(translator.config, max_length=pieces))
    model.load_state_dict(translator.model.state_dict())
    loaded = LoadedCheckpoint(
        model=model.eval().requires_grad_(False),
        tokenizer=translator.tokenizer,
        made_by=translator.checkpoint,
        metrics=translator.metrics,
    )
    return Translator(loaded, translator.device)


class Peer:
    """Marian with one source sentence, and the two ways in which it can translate it and keep its weights."""

    def __init__(self, marian: Any, source: list[int]) -> None:
        self.marian = marian
        self.inputs = {"input_ids": torch.tensor([source]), "attention_mask": torch.ones(1, len(source))}
        self.search = {
            "num_beams": 1,
            "do_sample": False,
            "use_cache": True,
            "min_new_tokens": len(source) - 1,
            "max_new_tokens": len(source),
            "forced_eos_token_id": marian.config.eos_token_id,
        }

    @torch.inference_mode()
    def two_passes(self) -> list[int]:
        found = self.marian.generate(**self.inputs, **self.search)
        result = self.marian(**self.inputs, decoder_input_ids=found[:, :-1], output_attentions=True)
        assert len(result.cross_attentions) == self.marian.config.decoder_layers
        ids: list[int] = found[0, 1:].tolist()
        return ids

    @torch.inference_mode()
    def one_pass(self) -> list[int]:
        result = self.marian.generate(
            **self.inputs, **self.search, output_attentions=True, output_logits=True, return_dict_in_generate=True
        )
        ids: list[int] = result.sequences[0, 1:].tolist()
        assert len(result.cross_attentions) == len(ids)
        return ids


def medians(tasks: list[Callable[[], Any]], runs: int) -> list[float]:
    """Seconds of each task; they take turns, so that a slow moment of the machine meets all of them."""
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(runs):
        for task, seconds in zip(tasks, times, strict=True):
            start = time.perf_counter()
            task()
            seconds.append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in times]


def section(translator: Translator, checkpoint: Path, runs: int) -> tuple[str, list[Row]]:
    assert isinstance(translator.model, Transformer)
    marian, rows = marian_like(translator.model), []
    gc.collect()
    gc.freeze()  # as the app does; else a search through all of PyTorch's objects falls on one side or the other
    for pieces in LENGTHS:
        text, door = text_of(translator.tokenizer, pieces), endless(translator, pieces)
        translation = door.translate(text)
        target = [token.id for token in translation.target]
        peer = Peer(marian, [token.id for token in translation.source])
        if not len(target) == len(translation.source) == pieces or peer.two_passes() != target:
            raise SystemExit("Marian finds another translation with our weights, so times would not compare.")
        assert peer.one_pass() == target
        ours, *theirs = medians([partial(door.translate, text), peer.two_passes, peer.one_pass], runs)
        for way, seconds in zip(("generate, then a pass", "generate with weights"), theirs, strict=True):
            rows.append(
                Row(
                    what=f"{pieces} -> {pieces} pieces; peer: {way}",
                    ours=f"{ours * 1000:.0f} ms",
                    peer=f"{seconds * 1000:.0f} ms",
                    measured=ours / seconds,
                    limit=LIMIT,
                )
            )
    return "Translate greedily and keep every weight: our Translator against Marian, ratio of times", rows
