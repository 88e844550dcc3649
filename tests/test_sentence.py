"""What every page says under a sentence: characters that nobody learnt, and signs that nobody typed."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.test_app import app  # noqa: F401 - a fixture
from viz import models

PAGES = ("translate", "decoding", "worksheet")


@pytest.mark.parametrize("page", PAGES)
def test_characters_that_the_model_never_learnt_are_counted(app: AppTest, page: str) -> None:  # noqa: F811
    app.run()
    app.switch_page(f"viz/pages/{page}.py").run()
    assert "never learnt" not in said(app)
    app.text_input(key="app.sentence").set_value("\u4f60\u597d.").run()
    assert not app.exception
    assert models.translate("\u4f60\u597d.").unknown_characters == 2
    assert "never learnt: 2" in said(app)


@pytest.mark.parametrize("page", PAGES)
def test_signs_are_explained_where_they_occur(app: AppTest, page: str) -> None:  # noqa: F811
    app.run()
    app.switch_page(f"viz/pages/{page}.py").run()
    for text in ("\u4f60", "a   b", "the cats sleep."):
        app.text_input(key="app.sentence").set_value(text).run()
        assert not app.exception
        translation = models.translate(text)
        labels = "".join(token.label for token in (*translation.source, *translation.target))
        for sign, words in (("\u00b7", "continues a word"), ("\u2081", "number the bytes")):
            assert (words in said(app)) == (sign in labels), (text, sign)


def said(app: AppTest) -> str:  # noqa: F811
    return "\n".join(element.value for element in (*app.caption, *app.info))
