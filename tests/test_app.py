"""The page without a browser: what it shows for what a person types, and for a checkpoint that is not right."""

import base64
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from viz import models
from viz.examples import EXAMPLES

ROOT = Path(__file__).parent.parent
HOSTILE = (
    "<b>x</b>",
    "</script><script>alert(1)</script>",
    "$x$ costs $5",
    "</s> <s> <pad>",
    "🙂 👩‍👩‍👧",
    "مرحبا",
    "你好，世界",
    "#000001 %{x} {y} &amp;",
    "a\x00b",
    "**bold** :red[x] [a](javascript:alert(1))",
    "▁▁▁",
    "?",
)


@pytest.fixture
def app(tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The whole app on the tiny checkpoint, of which each test has a copy it may damage."""
    shutil.copytree(tiny, tmp_path / "en-fr" / "transformer")
    monkeypatch.setattr(models, "CHECKPOINTS", tmp_path)
    models.forget()
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    models.forget()


def strip(app: AppTest) -> dict[str, object]:
    """What the token strip was given."""
    protos = [element.proto for element in app.get("bidi_component")]
    found = next(proto for proto in protos if "token_strip" in proto.component_name)
    data: dict[str, object] = json.loads(found.json)
    return data


def pick(app: AppTest, *choice: object) -> None:
    """Say what the browser would say: which head is chosen, and that the overview is painted."""
    message = next(e.proto.bytes for e in app.get("bidi_component") if "attention_grid" in e.proto.component_name)
    header = json.loads(message[4 : 4 + int.from_bytes(message[:4], "little")])
    app.session_state["translate.grid/1"] = {"choice": list(choice), "drawn": [header["stamp"], "light"]}
    app.run()


def drawn(app: AppTest) -> np.ndarray:
    """The weights in the exact heatmap."""
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    z = figure["data"][0]["z"]
    shape = tuple(int(n) for n in z["shape"].split(","))
    return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]).reshape(shape)


def test_opens_with_an_example_already_translated(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert app.text_input(key="app.sentence").value == EXAMPLES[0]
    assert strip(app)["text"] == models.translate(EXAMPLES[0]).text


@pytest.mark.parametrize("sentence", HOSTILE)
def test_whatever_is_typed_is_shown_as_typed(app: AppTest, sentence: str) -> None:
    app.run()
    app.text_input(key="app.sentence").set_value(sentence).run()
    assert not app.exception
    labels = strip(app)["source"]
    assert labels == [token.label for token in models.translate(sentence).source]


@pytest.mark.parametrize("nothing", ["", "   ", "\t\n"])
def test_an_empty_sentence_gets_a_hint(app: AppTest, nothing: str) -> None:
    app.run()
    app.text_input(key="app.sentence").set_value(nothing).run()
    assert not app.exception
    assert len(app.info) == 1
    assert not app.get("plotly_chart")


def test_a_long_text_says_how_much_was_left_out(app: AppTest) -> None:
    text = "the cat sees a dog. " * 250
    app.run()
    app.text_input(key="app.sentence").set_value(text).run()
    assert not app.exception
    translation = models.translate(text)
    assert translation.left_out > 0
    for number in (translation.typed_pieces, translation.left_out):
        assert str(number) in app.warning[0].value
    assert app.text[0].value == text[translation.left_out_from :].strip()  # st.text trims the ends


def test_an_example_replaces_the_sentence(app: AppTest) -> None:
    app.run()
    app.selectbox(key="sentence.example").select(EXAMPLES[2]).run()
    assert app.text_input(key="app.sentence").value == EXAMPLES[2]
    assert strip(app)["text"] == models.translate(EXAMPLES[2]).text


def test_the_large_picture_holds_the_exact_weights_of_the_chosen_head(app: AppTest) -> None:
    app.run()
    assert not app.get("plotly_chart")  # it waits for the overview
    pick(app, "encoder", 1, 0)
    np.testing.assert_array_equal(drawn(app), models.translate(EXAMPLES[0]).encoder[1, 0])


def test_words_and_hidden_specials(app: AppTest) -> None:
    app.run()
    app.toggle(key="translate.words").set_value(True).run()
    assert not app.exception
    pick(app, "encoder", 0, 1)
    np.testing.assert_allclose(drawn(app).sum(-1), 1, atol=1e-5)
    app.toggle(key="translate.specials").set_value(False).run()
    pick(app, "encoder", 0, 1)
    assert len(drawn(app)) == len(EXAMPLES[0].split()) + 1  # its words and the full stop
    assert "%" in app.caption[-1].value


def test_a_damaged_checkpoint_gets_a_sentence(app: AppTest, tmp_path: Path) -> None:
    (tmp_path / "en-fr" / "transformer" / "config.json").write_text("{")
    app.run()
    assert not app.exception
    assert r"config\.json" in app.error[0].value  # escaped, since it stands in markdown
