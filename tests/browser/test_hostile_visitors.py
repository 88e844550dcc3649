"""Visitors who mean harm: what they type and send as links is text, and their requests are refused or bounded."""

import socket
import urllib.error
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import Page

from tests.test_typed_text import TYPED
from viz.i18n import catalogue

WORDS = catalogue("en")

PAGES = ("decoding", "worksheet", "positions", "compare", "lessons")
ALIEN = """() => [...document.querySelectorAll('.stMain a, .stMain img, .stMain annotation')].filter(each =>
  each.host === 'evil.test' || each.alt === 'Streamlit logo' || each.textContent === 'q').map(each => each.outerHTML)"""


def test_what_is_typed_makes_no_link_icon_or_formula(page: Page, server: str) -> None:
    page.goto(f"{server}/?{urllib.parse.urlencode({'sentence': TYPED, 'head': TYPED})}")
    page.get_by_text("The address asked for something").wait_for()
    for name in ("translate", *PAGES):
        page.get_by_role("link", name=WORDS[f"{name}.title"], exact=True).click()
        page.get_by_role("heading", name=WORDS[f"{name}.title"]).first.wait_for(state="attached")
        page.wait_for_timeout(2000)
        assert page.evaluate(ALIEN) == [], name
        assert "\u2190 y" not in page.locator(".stMain").inner_text(), name


def upgraded(server: str, host: str, origin: str = "") -> str:
    """The server's first line to a browser that would open a websocket under this name."""
    port = int(server.rpartition(":")[2])
    lines = [
        "GET /_stcore/stream HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: streamlit", *([f"Origin: {origin}"] if origin else []), "", "",
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall("\r\n".join(lines).encode())
        return connection.recv(4096).decode("latin-1").partition("\r\n")[0]


def test_only_names_of_this_machine_are_answered(server: str) -> None:
    for host in ("127.0.0.1", "localhost"):
        assert upgraded(server, host).startswith("HTTP/1.1 101")
    for host in ("evil.test", "127.0.0.1.evil.test", "localhost@evil.test"):
        assert upgraded(server, host).startswith("HTTP/1.1 403")
    assert upgraded(server, "127.0.0.1", "http://evil.test").startswith("HTTP/1.1 403")


def test_uploads_are_refused(server: str) -> None:
    request = urllib.request.Request(f"{server}/_stcore/upload_file/none/none", b"x" * 2**21, method="PUT")
    with pytest.raises((urllib.error.HTTPError, urllib.error.URLError)):
        urllib.request.urlopen(request, timeout=20)
