"""Thirty visitors at once: real WebSocket sessions that speak Streamlit's protocol, each typing a new sentence every
three seconds. The clients share this machine's cores with the server, so a real server would do better."""

import asyncio
import itertools
import json
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from model.translate import Translator
from tests.benchmark.server import APP, Server, serve
from tests.benchmark.table import Row
from tests.benchmark.texts import sentences

VISITORS, SENTENCES_EACH, PAUSE = 30, 10, 3.0
BOX, GRID = "sentence", "grid"
"""Keys of the text box and of the overview, with which their ids end."""


class Visitor:
    """One open page, which answers as a browser does: a new sentence runs the page's fragment, and once the overview is
    drawn the page is told so and sends the exact chart."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.ids: dict[str, tuple[str, str]] = {}
        """Of the sentence box and of the overview: the widget's id and its fragment's."""
        self.states: dict[str, WidgetState] = {}
        """What the browser holds of each; it sends all of them each time."""
        self.hashes: set[str] = set()
        """Of messages that the browser keeps, which are then sent by name only."""
        self.bytes = 0
        """Received since the sentence was typed."""

    async def open(self) -> float:
        """Seconds until the page has run."""
        return await self._answered("")

    async def type(self, sentence: str) -> tuple[float, float]:
        """Seconds until the overview has arrived, and until the exact chart has. RuntimeError when one is missing."""
        self.bytes = 0
        self.states[BOX] = WidgetState(id=self.ids[BOX][0], string_value=sentence)
        overview = await self._answered(self.ids[BOX][1])
        chart = await self._answered(self.ids[GRID][1], chart=True)
        return overview, overview + chart

    async def _answered(self, fragment: str, *, chart: bool = False) -> float:
        request = BackMsg()
        request.rerun_script.query_string = ""
        request.rerun_script.fragment_id = fragment
        request.rerun_script.cached_message_hashes.extend(self.hashes)
        request.rerun_script.widget_states.widgets.extend(self.states.values())
        start = time.monotonic()
        await self.socket.send(request.SerializeToString())
        seen = set()
        while True:
            payload = await self.socket.recv(decode=False)
            self.bytes += len(payload)
            message = ForwardMsg.FromString(payload)
            if message.metadata.cacheable:
                self.hashes.add(message.hash)
            element = message.delta.new_element
            seen.add(element.WhichOneof("type"))
            if element.HasField("exception"):
                raise RuntimeError(f"The page shows an error: {element.exception.message}")
            if element.HasField("text_input") and element.text_input.id.endswith(f"-{BOX}"):
                self.ids[BOX] = element.text_input.id, message.delta.fragment_id
            if element.HasField("bidi_component") and "attention_grid" in element.bidi_component.component_name:
                self.ids[GRID] = element.bidi_component.id, message.delta.fragment_id
                drawn = json.dumps({"drawn": [stamp(element.bidi_component.bytes), "light"]})
                self.states[GRID] = WidgetState(id=element.bidi_component.id, json_value=drawn)
            if message.WhichOneof("type") == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                break
        if chart != ("plotly_chart" in seen) or len(self.ids) < 2:
            raise RuntimeError(f"The page answered with {', '.join(sorted(filter(None, seen)))}.")
        return time.monotonic() - start


def stamp(message: bytes) -> int:
    """By which the overview says that it is drawn."""
    header: dict[str, int] = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
    return header["stamp"]


def open_page(server: Server) -> connect:
    return connect(
        f"ws://127.0.0.1:{server.port}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        max_size=None,
        compression=None,
    )


async def visit(
    server: Server, texts: Sequence[str], offset: float
) -> tuple[float, list[float], list[float], list[int]]:
    """Open the page, then type. Returns seconds to open; of each sentence seconds to overview and chart, and bytes.

    A sentence is due every PAUSE seconds whether or not the last one is answered: waiting counts."""
    async with open_page(server) as socket:
        visitor = Visitor(socket)
        opened = await visitor.open()
        start = time.monotonic() + offset
        overviews, charts, sizes = [], [], []
        for number, text in enumerate(texts):
            due = start + number * PAUSE
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            late = max(0.0, time.monotonic() - due)
            overview, chart = await visitor.type(text)
            overviews.append(late + overview)
            charts.append(late + chart)
            sizes.append(visitor.bytes)
        return opened, overviews, charts, sizes


async def crowd(server: Server) -> list[Row]:
    texts, rng = iter(sentences(seed=0)), random.Random(0)
    async with open_page(server) as socket:
        first = Visitor(socket)
        await first.open()  # and waits for the model to load; that is not measured
        alone = [await first.type(text) for text in itertools.islice(texts, SENTENCES_EACH)]
    before, cpu = server.megabytes(), server.cpu_seconds()
    plans = [(list(itertools.islice(texts, SENTENCES_EACH)), rng.uniform(0, PAUSE)) for _ in range(VISITORS)]
    results = await asyncio.gather(*(visit(server, *plan) for plan in plans))
    after, cpu = server.megabytes(), server.cpu_seconds() - cpu
    opened = [seconds for seconds, _, _, _ in results]
    overviews = [seconds for _, each, _, _ in results for seconds in each]
    charts = [seconds for _, _, each, _ in results for seconds in each]
    sizes = [size for _, _, _, each in results for size in each]
    return [
        Row(what="one visitor alone, sentence sent -> overview there, p50 / p95", ours=spread([x for x, _ in alone])),
        Row(what="one visitor alone, sentence sent -> exact chart there too", ours=spread([x for _, x in alone])),
        Row(what=f"{VISITORS} pages opened at once", ours=spread(opened)),
        Row(what=f"{len(overviews)} sentences, sent -> overview there", ours=spread(overviews)),
        Row(what=f"{len(charts)} sentences, sent -> exact chart there too", ours=spread(charts)),
        Row(what="processor time of the server for each", ours=f"{cpu / len(overviews) * 1000:.0f} ms"),
        Row(what="received for a sentence, median", ours=f"{statistics.median(sizes) / 1000:.0f} kB"),
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
