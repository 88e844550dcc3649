"""Thirty visitors at once: real WebSocket sessions that speak Streamlit's protocol, each typing a new sentence every
three seconds. The clients share this machine's cores with the server, so a real server would do better."""

import asyncio
import itertools
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from model.translate import Translator
from tests.benchmark.server import APP, Server, serve
from tests.benchmark.table import Row
from tests.benchmark.texts import sentences

VISITORS, SENTENCES_EACH, PAUSE = 30, 10, 3.0
BOX = "sentence"
"""The key of the text box, with which its id ends."""


class Visitor:
    """One open page."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.box = ""
        self.bytes = 0
        """Received in the last run."""

    async def run(self, sentence: str | None = None) -> float:
        """Let the page run, with a sentence typed into its box or as it opens. Returns seconds until it has finished.
        RuntimeError when the page shows an error or no picture."""
        request = BackMsg()
        request.rerun_script.query_string = ""
        if sentence is not None:
            state = request.rerun_script.widget_states.widgets.add()
            state.id, state.string_value = self.box, sentence
        start = time.monotonic()
        await self.socket.send(request.SerializeToString())
        self.bytes = pictures = 0
        while True:
            payload = await self.socket.recv(decode=False)
            self.bytes += len(payload)
            message = ForwardMsg.FromString(payload)
            element = message.delta.new_element
            if element.HasField("exception"):
                raise RuntimeError(f"The page shows an error: {element.exception.message}")
            if element.HasField("text_input") and element.text_input.id.endswith(f"-{BOX}"):
                self.box = element.text_input.id
            pictures += element.HasField("bidi_component")
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    break
                if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    raise RuntimeError("The page could not be run.")
        if not self.box or not pictures:
            raise RuntimeError("The page has no sentence box or no picture.")
        return time.monotonic() - start


def open_page(server: Server) -> connect:
    return connect(
        f"ws://127.0.0.1:{server.port}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        compression=None,
    )


async def visit(server: Server, texts: Sequence[str], offset: float) -> tuple[float, list[float], list[int]]:
    """Open the page, then type. Returns seconds to open; seconds and bytes of each sentence.

    A sentence is due every PAUSE seconds whether or not the last one is answered: waiting counts."""
    async with open_page(server) as socket:
        visitor = Visitor(socket)
        opened = await visitor.run()
        start = time.monotonic() + offset
        waits, sizes = [], []
        for number, text in enumerate(texts):
            due = start + number * PAUSE
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            await visitor.run(text)
            waits.append(time.monotonic() - due)
            sizes.append(visitor.bytes)
        return opened, waits, sizes


async def crowd(server: Server) -> list[Row]:
    texts, rng = iter(sentences(seed=0)), random.Random(0)
    async with open_page(server) as socket:
        first = Visitor(socket)
        await first.run()  # and waits for the model to load; that is not measured
        alone = [await first.run(text) for text in itertools.islice(texts, SENTENCES_EACH)]
    before, cpu = server.megabytes(), server.cpu_seconds()
    plans = [(list(itertools.islice(texts, SENTENCES_EACH)), rng.uniform(0, PAUSE)) for _ in range(VISITORS)]
    results = await asyncio.gather(*(visit(server, *plan) for plan in plans))
    after, cpu = server.megabytes(), server.cpu_seconds() - cpu
    opened = [seconds for seconds, _, _ in results]
    waits = [seconds for _, each, _ in results for seconds in each]
    size = statistics.median(size for _, _, sizes in results for size in sizes)
    return [
        Row(what="one visitor alone, sent -> script finished, p50 / p95", ours=spread(alone)),
        Row(what=f"{VISITORS} pages opened at once, p50 / p95", ours=spread(opened)),
        Row(what=f"{len(waits)} sentences, sent -> script finished, p50 / p95", ours=spread(waits)),
        Row(what="the longest wait", ours=f"{max(waits) * 1000:.0f} ms"),
        Row(what="processor time of the server for each", ours=f"{cpu / len(waits) * 1000:.0f} ms"),
        Row(what="received for a sentence, median", ours=f"{size / 1000:.0f} kB"),
        Row(what="memory of the server, before -> after", ours=f"{before:.0f} -> {after:.0f} MB"),
    ]


def spread(seconds: Sequence[float]) -> str:
    """Median and 95th percentile."""
    percentiles = statistics.quantiles(seconds, n=100, method="inclusive")
    return f"{percentiles[49] * 1000:.0f} / {percentiles[94] * 1000:.0f} ms"


def section(translator: Translator, checkpoint: Path, runs: int) -> tuple[str, list[Row]]:
    with serve(APP, checkpoint) as server:
        rows = asyncio.run(crowd(server))
    return f"{VISITORS} visitors, each with a new sentence every {PAUSE:.0f} s", rows
