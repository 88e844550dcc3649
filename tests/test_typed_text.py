"""What a person typed is text wherever it meets Streamlit's markdown, on every page: no link, no icon, no formula."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Node

from model.checkpoint import build, load_checkpoint, save_checkpoint
from viz import models

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.name for path in (ROOT / "viz" / "pages").glob("[!_]*.py"))
TABS = {"compare.py": ("sides", "gold", "long", "distance", "parallel", "models"),
        "positions.py": ("table", "shift", "sentence", "order", "ways")}  # fmt: skip
TYPED = "http://evil.test :streamlit: x <- y :red[z] $q$ *k*"
READ = re.compile(r"https?://evil|:streamlit:|(?<!\S)<-(?!\S)|:red\[|\$q\$|\*k\*")
"""What Streamlit would make something else of."""
SHOWN_AS_IS = ("text", "text_input", "text_area", "selectbox", "plotly_chart", "bidi_component", "code", "html")


def texts(message: Message) -> Iterator[str]:
    """All strings in a message that are not names of things."""
    for field, value in message.ListFields():
        if field.name in ("id", "url", "form_id", "key", "element_id", "file_name"):
            continue
        for each in value if field.is_repeated else (value,):
            if isinstance(each, Message):
                yield from texts(each)
            elif isinstance(each, str):
                yield each


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in getattr(node, "children", {}).values():
        yield from walk(child)


def misread(app: AppTest) -> list[str]:
    """Markdown on the page in which something typed would be read."""
    found = []
    for node in walk(app._tree):
        kind, proto = getattr(node, "type", ""), getattr(node, "proto", None)
        if isinstance(proto, Message) and kind not in SHOWN_AS_IS:
            found += [f"{kind}: {text}" for text in texts(proto) if READ.search(text)]
    return found


@pytest.fixture(autouse=True)
def checkpoints(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tiny Transformer, an RNN that has learnt nothing, and one aligned pair."""
    folder = tmp_path / "en-fr"
    shutil.copytree(tiny, folder / "transformer")
    reads = load_checkpoint(tiny).model.config
    torch.manual_seed(1)
    size = {"vocab_size": reads.vocab_size, "max_length": reads.max_length}
    rnn = build({"kind": "rnn", "d_model": 16, "score": "dot", **size})
    save_checkpoint(folder / "rnn-dot", rnn, (tiny / "tokenizer.json").read_text(encoding="utf-8"), {}, "")
    (folder / "gold").mkdir()
    (folder / "gold" / "pairs.tsv").write_text("a dog\tun chien\t1-1 2-2\n", encoding="utf-8")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    models.forget()
    yield
    models.forget()


def test_the_test_sees_what_is_not_escaped() -> None:
    def page(text: str) -> None:
        import streamlit as st

        st.warning(text)
        st.button(text)
        st.text(text)
        st.select_slider("x", [text, "y"])

    assert len(misread(AppTest.from_function(page, args=(TYPED,)).run())) == 3
    assert misread(AppTest.from_function(page, args=("x",)).run()) == []


def opened(page: str, **address: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    if page != "translate.py":  # where one begins
        app.switch_page(f"viz/pages/{page}")
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def type_everywhere(app: AppTest) -> None:
    for box in range(len(app.text_input)):
        if not app.text_input[box].disabled:
            app.text_input[box].set_value(TYPED).run()
            assert not app.exception
            assert misread(app) == []


@pytest.mark.parametrize(("page", "tab"), [(page, tab) for page in PAGES for tab in TABS.get(page, ("",))])
def test_what_was_typed_is_text(page: str, tab: str) -> None:
    app = opened(page, sentence=TYPED, **({"tab": tab} if tab else {}))
    assert misread(app) == []
    type_everywhere(app)
    if len(app.text_input):
        assert app.text_input[0].value == TYPED


def test_so_it_is_in_all_lessons() -> None:
    app = opened("lessons.py", sentence=TYPED, scene="all")
    assert len(app.text_input) > 3
    assert misread(app) == []
    type_everywhere(app)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "live.py"])
def test_a_bad_link_is_text(page: str) -> None:
    app = opened(page, **dict.fromkeys(("head", "method", "words", "tab", "scene", "beam", "rnn", "present"), TYPED))
    assert "evil" in app.warning[0].value
    assert misread(app) == []


def test_pieces_to_choose_from_are_text() -> None:
    def page() -> None:
        from viz.state import Space
        from viz.widgets.inputs import choose_piece

        choose_piece(Space("typed", "typed.py").choice("piece", 0), "which", ("*a*", "$", "--"))

    assert AppTest.from_function(page).run().select_slider[0].options == [
        "1\u2002" r"\*a\*", "2\u2002" r"\$", "3\u2002" r"\-:small[]\-",
    ]  # fmt: skip
