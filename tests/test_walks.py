"""From every page to every other in one session: nothing that one page leaves behind trips another."""

import shutil
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint import build, load_checkpoint, save_checkpoint
from viz import models, state
from viz.i18n import LANGUAGES

ROOT = Path(__file__).parent.parent
PAGES = tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "viz" / "pages").glob("[!_]*.py")))
SENTENCE = "They see the water."
OPENED = {"viz/pages/lessons.py": {"scene": "average"}, "viz/pages/compare.py": {"tab": "distance"}}
"""What the address of a page says besides: a scene, and a tab, that have choices of their own."""


@pytest.fixture
def app(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """All pages, not opened yet, on the tiny Transformer, an RNN that has learnt nothing, and one aligned pair."""
    folder = tmp_path / "en-fr"
    shutil.copytree(tiny, folder / "transformer")
    reads = load_checkpoint(tiny).model.config
    torch.manual_seed(1)
    rnn = build(
        {"kind": "rnn", "d_model": 16, "score": "dot", "vocab_size": reads.vocab_size, "max_length": reads.max_length}
    )
    save_checkpoint(folder / "rnn-dot", rnn, (tiny / "tokenizer.json").read_text(encoding="utf-8"), {}, "")
    (folder / "gold").mkdir()
    (folder / "gold" / "pairs.tsv").write_text("a dog\tun chien\t1-1 2-2\n", encoding="utf-8")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    models.forget()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    models.forget()


def walk(pages: Sequence[str]) -> list[str]:
    """The shortest walk that goes from each page to each other one, and ends where it began."""
    left = {page: [other for other in pages if other != page] for page in pages}
    way, done = [pages[0]], []
    while way:
        onwards = left[way[-1]]
        if onwards:
            way.append(onwards.pop())
        else:
            done.append(way.pop())
    return done[::-1]


def test_a_walk_goes_from_each_page_to_each_other_once() -> None:
    steps = list(pairwise(walk(PAGES)))
    assert sorted(steps) == sorted(permutations(PAGES, 2))
    assert len(PAGES) >= 7


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_follows_every_other(app: AppTest, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "language", lambda: language)  # AppTest asks for names of options outside of a run
    app.query_params["language"] = language
    app.run()
    app.text_input(key="app.sentence").set_value(SENTENCE).run()
    for before, page in pairwise(walk(PAGES)):
        app.query_params.clear()
        for name, value in OPENED.get(page, {}).items():
            app.query_params[name] = value
        app.switch_page(page).run()
        assert not app.exception, f"{page} after {before}: {app.exception[0].value}"
        assert not app.error, f"{page} after {before}"
        assert not app.warning, f"{page} after {before}: {app.warning[0].value}"
        assert app.main.children, page
        boxes = [box for box in app.text_input if box.key == "app.sentence"]
        assert [box.value for box in boxes] in ([], [SENTENCE]), f"{page} after {before}"
