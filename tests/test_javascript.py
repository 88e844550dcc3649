"""The pure parts of the components' modules, tested in JavaScript by the node that Playwright brings."""

import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

TESTS = sorted((Path(__file__).parent / "js").glob("*.test.mjs"))
NODE = compute_driver_executable()[0]


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_modules_do_what_their_tests_say(path: Path) -> None:
    done = subprocess.run([NODE, "--test", str(path)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\u2139 pass 0" not in done.stdout, "a file without tests"
