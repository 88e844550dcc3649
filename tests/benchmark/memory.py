"""Whether the server's memory stays flat: one visitor types five hundred different sentences."""

import asyncio
from pathlib import Path

from model.translate import Translator
from tests.benchmark.server import APP, Server, serve
from tests.benchmark.table import Row
from tests.benchmark.texts import sentences
from tests.benchmark.visitors import Visitor, open_page

SENTENCES, EVERY = 500, 100
GROWTH = 1.1
"""Limit: memory after the last sentence against memory once the caches are full, after the first `EVERY` sentences."""


async def typed(server: Server) -> list[float]:
    """Megabytes before the first sentence and after each `EVERY`."""
    async with open_page(server) as socket:
        visitor = Visitor(socket)
        await visitor.open()
        found = [server.megabytes()]
        for number, text in enumerate(sentences(seed=1)[:SENTENCES], 1):
            await visitor.type(text)
            if number % EVERY == 0:
                found.append(server.megabytes())
    return found


def section(translator: Translator, checkpoint: Path, runs: int) -> tuple[str, list[Row]]:
    with serve(APP, checkpoint) as server:
        first, full, *rest = asyncio.run(typed(server))
    what = f"{SENTENCES} different sentences: memory before, after each {EVERY}; peer: after the first {EVERY}"
    ours = " ".join(f"{megabytes:.0f}" for megabytes in (first, full, *rest))
    row = Row(what=what, ours=f"{ours} MB", peer=f"{full:.0f} MB", measured=max(rest) / full, limit=GROWTH)
    return "Memory of the server", [row]
