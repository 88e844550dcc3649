"""The real app behind a real browser: one server and one Chromium for all browser tests."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.browser.chromium import FLAGS, chromium

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        reason = "no Chromium found; install one or name it in REGARD_CHROMIUM"
        if os.environ.get("REGARD_BROWSER_REQUIRED"):
            pytest.fail(f"REGARD_BROWSER_REQUIRED is set, but {reason}")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chrome
        chrome.close()


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started as the README says. It needs the browser first, so as to skip early."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--server.headless", "true"], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(10)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A fresh tab. Afterwards: no console error, no uncaught exception, no request that left the machine."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    tab = context.new_page()
    tab.set_default_timeout(30_000)
    problems: list[str] = []

    def check(request: Request) -> None:
        if not request.url.startswith((server, "blob:", "data:")):
            problems.append(f"request to {request.url}")

    tab.on("request", check)
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: problems.append(str(error)))
    yield tab
    context.close()
    assert problems == []
