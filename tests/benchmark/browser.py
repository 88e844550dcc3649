"""What a person waits for, in a real Chromium: the first picture, and all heads after a sentence was typed.

The browser has no GPU. A page counts as drawn when the attention grid has
put a new number into its `data-seq`, which it does after painting, and the next frame has begun.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from model.translate import Translator
from tests.benchmark.server import APP, Server, serve
from tests.benchmark.table import Row
from tests.benchmark.texts import SENTENCES, text_of
from tests.browser.chromium import FLAGS, chromium

GRID = ".attention-grid[data-seq]"
EMPTY_APP = 'import streamlit as st\n\nst.write("Nothing but this line.")\n'
FIRST_PICTURE, ALL_HEADS = 1.5, {30: 100.0, 128: 250.0}
"""Limits: ratio to an empty app; milliseconds beside the model's own at that many source pieces."""

HEATMAP_APP = """import numpy as np
import streamlit as st

from viz.figures import heatmap

words = st.text_input("Sentence", "Type a sentence here.").split()
weights = np.random.default_rng(0).dirichlet(np.ones(len(words)), len(words))
st.plotly_chart(heatmap(weights, words, words), key="heatmap", theme=None)
"""
"""One heatmap of as many cells as one head has, no model: a new one after each Enter."""
ALL_PICTURES = 1.5
"""Limit: ratio to that app, the model's own time counted, at this many pieces:"""
PIECES = 20

WATCH_CHART = """() => {
  const charts = () => [...document.querySelectorAll(".js-plotly-plot")].filter((each) => each._fullLayout?.xaxis);
  const labels = (chart) => JSON.stringify(chart._fullLayout.xaxis.ticktext);
  const before = new Set(charts().map(labels));
  window.charted = new Promise((resolve) => {
    let start;
    addEventListener("keydown", (event) => { if (event.key === "Enter") start = performance.now(); }, true);
    const look = () => {
      if (charts().some((each) => !before.has(labels(each)) && each.querySelector(".heatmaplayer .hm")))
        return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      requestAnimationFrame(look);
    };
    look();
  });
}"""
"""The same until a heatmap with other columns is there."""

WATCH = """grid => {
  window.drawn = new Promise((resolve) => {
    let start;
    addEventListener("keydown", (event) => { if (event.key === "Enter") start = performance.now(); }, true);
    const seq = grid.dataset.seq;
    new MutationObserver((_, observer) => {
      if (grid.dataset.seq === seq) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    }).observe(grid, { attributes: true });
  });
}"""
"""Starts a promise of the milliseconds from the Enter key to the drawn grid."""


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield launched
        launched.close()


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never been here."""
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    yield context.new_page()
    context.close()


SEEN = """selector => {
  const hosts = () => [...document.querySelectorAll("[data-testid]")].filter((host) => host.shadowRoot);
  const look = () => {
    const found = document.querySelector(selector) ?? hosts().find((host) => host.shadowRoot.querySelector(selector));
    if (!found) return requestAnimationFrame(look);
    requestAnimationFrame(() => (window.seen = performance.now()));
  };
  look();
}"""
"""Notes the milliseconds since the address was typed, in the first frame after `selector` is there. The page looks for
itself: asking from outside would have to wait for whatever the page does next."""


def seconds_to_open(browser: Browser, url: str, sign: str) -> float:
    with fresh_page(browser) as page:
        page.add_init_script(f"({SEEN})({json.dumps(sign)})")
        page.goto(url, wait_until="commit")
        page.wait_for_function("window.seen")
        return float(page.evaluate("window.seen")) / 1000


def first_picture(browser: Browser, app: Server, empty: Server, runs: int) -> Row:
    ours, theirs = [], []
    for run in range(runs + 1):
        times = (
            seconds_to_open(browser, app.url, GRID),
            seconds_to_open(browser, empty.url, "[data-testid=stMarkdownContainer] p"),
        )
        if run:  # the first visitor of all waits for the model to load
            ours.append(times[0])
            theirs.append(times[1])
    a, b = statistics.median(ours), statistics.median(theirs)
    what = "address typed -> attention drawn; peer: an empty app's text"
    return Row(what=what, ours=f"{a:.2f} s", peer=f"{b:.2f} s", measured=a / b, limit=FIRST_PICTURE)


def all_heads(browser: Browser, app: Server, translator: Translator, pieces: int, runs: int) -> Row:
    """Every sentence is new to the server, and the model translates it again here to know its share."""
    texts = [text_of(translator.tokenizer, pieces, first) for first in range(min(runs, len(SENTENCES)))]
    waits, shares = [], []
    with fresh_page(browser) as page:
        page.goto(app.url)
        page.locator(GRID).wait_for()
        page.wait_for_load_state("networkidle")
        box = page.get_by_role("textbox").first
        for text in texts:
            page.locator(GRID).evaluate(WATCH)
            box.fill(text)
            box.press("Enter")
            waits.append(float(page.evaluate("window.drawn")))
            page.wait_for_timeout(2500)  # what comes after the grid is not to disturb the next sentence
            start = time.perf_counter()
            translator.translate(text)
            shares.append((time.perf_counter() - start) * 1000)
    rest = statistics.median(wait - share for wait, share in zip(waits, shares, strict=True))
    return Row(
        what=f"{pieces} pieces: Enter -> all heads drawn, model ({statistics.median(shares):.0f} ms) not counted",
        ours=f"{statistics.median(waits):.0f} ms",
        measured=rest,
        limit=ALL_HEADS[pieces],
        unit="ms",
    )


def all_pictures(browser: Browser, app: Server, peer: Server, translator: Translator, runs: int) -> Iterator[Row]:
    """From Enter until overview and large picture, and until the exact chart too are there, by turns with an app that
    draws one chart."""
    texts = [text_of(translator.tokenizer, PIECES, first) for first in range(min(runs, len(SENTENCES)))]
    waits: dict[str, list[float]] = {app.url: [], peer.url: []}
    canvases = []
    with fresh_page(browser) as ours, fresh_page(browser) as theirs:
        for page, server in ((ours, app), (theirs, peer)):
            page.goto(server.url)
            page.locator(".js-plotly-plot .hm").first.wait_for(state="attached")
            page.wait_for_load_state("networkidle")
        for text in texts:
            for page, server in ((ours, app), (theirs, peer)):
                page.bring_to_front()
                page.evaluate(WATCH_CHART)
                if server is app:
                    page.locator(GRID).evaluate(WATCH)
                box = page.get_by_role("textbox").first
                box.fill(text)
                box.press("Enter")
                waits[server.url].append(float(page.evaluate("window.charted")))
                if server is app:
                    canvases.append(float(page.evaluate("window.drawn")))
                page.wait_for_timeout(1000)
    redrawn = statistics.median(waits[peer.url])
    for what, each in (("all heads and large picture", canvases), ("the exact chart too", waits[app.url])):
        yield Row(
            what=f"{PIECES} pieces: Enter -> {what}, model counted; peer: one Plotly heatmap, no model",
            ours=f"{statistics.median(each):.0f} ms",
            peer=f"{redrawn:.0f} ms",
            measured=statistics.median(each) / redrawn,
            limit=ALL_PICTURES,
        )


def section(translator: Translator, checkpoint: Path, runs: int) -> tuple[str, list[Row]]:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY_APP)
        other = Path(folder) / "heatmap.py"
        other.write_text(HEATMAP_APP)
        with (
            browser() as chrome,
            serve(APP, checkpoint) as app,
            serve(script, checkpoint) as empty,
            serve(other, checkpoint) as peer,
        ):
            rows = [first_picture(chrome, app, empty, runs)]
            rows += [all_heads(chrome, app, translator, pieces, runs) for pieces in ALL_HEADS]
            rows += all_pictures(chrome, app, peer, translator, runs)
            version = chrome.version
    return f"In a browser (Chromium {version}, no GPU)", rows
