"""Texts of any length: cut before they are cut into pieces, and the page says so; what no link can hold is said too."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.config import CHARACTERS
from model.errors import UserError
from model.translate import Translator, answer, load
from tests.test_app import app  # noqa: F401 - a fixture
from viz.state import LONGEST

ROOT = Path(__file__).parent.parent


def test_a_long_text_is_cut_before_it_is_read(translator: Translator) -> None:
    found = translator.translate("a dog " * CHARACTERS)
    assert len(found.source_text) == CHARACTERS
    assert found.source == translator.translate(("a dog " * CHARACTERS)[:CHARACTERS]).source
    (said,) = found.notes
    assert said.english == f"Of the {6 * CHARACTERS:,} characters only the first {CHARACTERS:,} were read."
    assert translator.translate("a" * CHARACTERS).notes == ()


def test_a_long_target_is_refused_and_a_long_beginning_cut(translator: Translator) -> None:
    with pytest.raises(UserError, match=f"{CHARACTERS + 1:,} characters; at most {CHARACTERS:,}"):
        translator.translate("a dog", target="x" * (CHARACTERS + 1))
    with pytest.raises(UserError, match="begin with"):
        translator.explore("a dog", prefix="un " * CHARACTERS)


def test_the_command_says_it_too(translator: Translator, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(translator, "a dog. " * CHARACTERS, 1, False)
    assert f"only the first {CHARACTERS:,} were read" in capsys.readouterr().err


def test_a_million_characters_take_little_memory(tiny: Path) -> None:
    code = (
        "import resource, sys; from model.translate import load\n"
        "model = load(sys.argv[1], 'cpu'); model.translate('x')\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "model.translate('\\u6f22' * 10**6)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tiny)], capture_output=True, text=True, check=True, cwd=ROOT)
    assert int(run.stdout) < 150_000  # KiB


def test_one_thread_is_used_for_a_sentence(tiny: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    load(tiny, "cpu")
    assert torch.get_num_threads() == 1
    torch.set_num_threads(before)


@pytest.mark.parametrize(("length", "cut", "lost"), [(100, 0, 0), (LONGEST + 1, 0, 1), (CHARACTERS + 5, 1, 1)])
def test_the_page_says_what_is_cut_and_what_no_link_holds(
    app: AppTest,  # noqa: F811
    length: int,
    cut: int,
    lost: int,
) -> None:
    app.run()
    app.text_input(key="app.sentence").set_value(("the cat " * length)[:length]).run()
    assert not app.exception
    assert len(app.text_input(key="app.sentence").value or "") == min(length, CHARACTERS)
    assert sum(f"Of the {length:,} characters the first {CHARACTERS:,}" in each.value for each in app.warning) == cut
    assert sum(f"up to {LONGEST:,} characters" in each.value for each in app.caption) == lost
    app.text_input(key="app.sentence").set_value("a dog").run()
    assert not app.warning
    assert not any("characters" in each.value for each in app.caption)
