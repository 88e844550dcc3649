"""Bytes that one sentence's attention costs on the wire: every head of every layer, all three kinds."""

from pathlib import Path

from model.translate import Translator
from tests.benchmark.models import endless
from tests.benchmark.table import Row
from tests.benchmark.texts import text_of
from viz.analysis.maps import by_method, maps
from viz.components.attention_grid import Panel, pack
from viz.i18n import words_under

LIMITS = {30: 100.0, 128: 800.0}
"""Source pieces, kB."""


def section(translator: Translator, checkpoint: Path, runs: int) -> tuple[str, list[Row]]:
    rows = []
    for pieces, limit in LIMITS.items():
        translation = endless(translator, pieces).translate(text_of(translator.tokenizer, pieces))
        panels = [
            Panel(
                kind=view.kind,
                title=view.kind,
                weights=view.weights,
                queries=view.queries.labels,
                keys=view.keys.labels,
                query_word="piece",
                key_word="piece",
                reach=view.reach,
            )
            for view in maps(by_method(translation, "raw", {}), translation, words=False, specials=True).values()
        ]
        size = len(pack(panels, words_under("grid"), ("cross", 0, 0))[0]) / 1000
        rows.append(
            Row(
                what=f"{len(translation.source)} -> {len(translation.target)} pieces",
                ours=f"{size:.0f} kB",
                measured=size,
                limit=limit,
                unit="kB",
            )
        )
    return "Attention of one sentence as sent to the browser", rows
