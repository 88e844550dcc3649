"""The address bar: it restores what was chosen, says what is chosen, and a bad one gets a sentence."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.test_app import app, pick, strip  # noqa: F401 - a fixture
from viz.examples import EXAMPLES


def address(app: AppTest) -> dict[str, str]:  # noqa: F811
    return {key: value[0] if isinstance(value, list) else value for key, value in dict(app.query_params).items()}


def test_what_everybody_begins_with_needs_no_words_in_the_address(app: AppTest) -> None:  # noqa: F811
    app.run()
    assert address(app) == {}


def test_a_link_restores_everything(app: AppTest) -> None:  # noqa: F811
    wanted = {
        "sentence": "the <b>cat</b> & 5$",
        "words": "True",
        "specials": "False",
        "method": "valued",
        "head": "decoder.2.1",
    }
    for key, value in wanted.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert not app.warning
    assert app.text_input(key="app.sentence").value == wanted["sentence"]
    assert (app.toggle(key="translate.words").value, app.toggle(key="translate.specials").value) == (True, False)
    assert app.button_group(key="translate.method").value == "valued"
    assert "Masked decoder self-attention, layer 2, head 1" in app.caption[-1].value
    assert address(app) == wanted


def test_choices_go_into_the_address_and_leave_it_again(app: AppTest) -> None:  # noqa: F811
    app.run()
    app.toggle(key="translate.words").set_value(True).run()
    app.text_input(key="app.sentence").set_value("a dog").run()
    pick(app, "encoder", 1, 0)
    assert address(app) == {"sentence": "a dog", "words": "True", "head": "encoder.2.1"}
    app.toggle(key="translate.words").set_value(False).run()
    app.text_input(key="app.sentence").set_value(EXAMPLES[0]).run()
    assert address(app) == {"head": "encoder.2.1"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("words", "maybe"),
        ("method", "<script>alert(1)</script>"),
        ("head", "cross.99.1"),
        ("head", "cross.1"),
        ("head", "encoder.0.0"),
        ("head", "........"),
    ],
)
def test_a_bad_link_gets_a_sentence_and_the_defaults(app: AppTest, key: str, value: str) -> None:  # noqa: F811
    app.query_params[key] = value
    app.run()
    assert not app.exception
    assert len(app.warning) == 1
    assert "address" in app.warning[0].value
    assert address(app) == {}
    app.run()
    assert not app.warning


def test_a_text_too_long_for_a_link_stays_out_of_it(app: AppTest) -> None:  # noqa: F811
    app.run()
    app.text_input(key="app.sentence").set_value("the cat " * 300).run()
    assert "sentence" not in address(app)
    assert strip(app)["source"]


def test_the_presentation_is_in_the_address_too(app: AppTest) -> None:  # noqa: F811
    app.run()
    app.button(key="frame.present").click().run()
    assert not app.exception
    assert address(app) == {"present": "True"}
    assert app.button(key="frame.present").help.startswith("Leave")
    app.button(key="frame.present").click().run()
    assert address(app) == {}


def test_decoding_is_in_the_address_too(app: AppTest) -> None:  # noqa: F811
    app.run()
    app.switch_page("viz/pages/decoding.py")
    for key, value in (("sentence", "a dog"), ("method", "beam"), ("beam", "6")):
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert app.button_group(key="decoding.method").value == "beam"
    assert app.slider(key="decoding.beam").value == 6
    assert address(app)["beam"] == "6"
    app.slider(key="decoding.beam").set_value(4).run()
    assert "beam" not in address(app)


@pytest.mark.parametrize("value", ["99", "nan", "4.5", "<b>"])
def test_a_number_out_of_its_bounds_gets_a_sentence(app: AppTest, value: str) -> None:  # noqa: F811
    app.run()
    app.switch_page("viz/pages/decoding.py")
    for key, given in (("method", "beam"), ("beam", value)):
        app.query_params[key] = given
    app.run()
    assert not app.exception
    assert "beam" in app.warning[0].value
    assert app.slider(key="decoding.beam").value == 4
