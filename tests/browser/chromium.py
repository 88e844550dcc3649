"""Which browser to drive, and how to keep it from looking for a network."""

import os
import shutil

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium() -> str | None:
    """REGARD_CHROMIUM, or the first Chromium or Chrome on the path."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("REGARD_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
