"""What several tests need: the tiny checkpoint, a translator of it, and the sentences that it knows by heart."""

from pathlib import Path

import pytest
import torch

from model.translate import Translator, load

DATA = Path(__file__).parent / "data"
BROWSER = Path(__file__).parent / "browser"
torch.set_num_threads(1)  # the models here are so small that a second thread only costs time


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests are a tier of their own; should they run beside others, then one after the other."""
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def tiny() -> Path:
    """The checkpoint that tests/data/make_tiny.py made."""
    return DATA / "tiny"


@pytest.fixture(scope="session")
def translator(tiny: Path) -> Translator:
    return load(tiny, "cpu")


@pytest.fixture(scope="session")
def sentences() -> list[tuple[str, str]]:
    """English and French of tests/data/tiny.tsv."""
    lines = (DATA / "tiny.tsv").read_text(encoding="utf-8").splitlines()
    return [(english, french) for english, french in (line.split("\t") for line in lines)]


@pytest.fixture(scope="session")
def bundled() -> Translator:
    """The Transformer that the app shows first."""
    return load(DATA.parent.parent / "checkpoints" / "en-fr" / "transformer", "cpu")
