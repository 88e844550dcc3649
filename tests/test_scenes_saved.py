"""What is shown in the lessons is what is saved of them, and choices stay with the scene they belong to."""

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.errors import UserError
from model.records import Translation
from tests.test_scenes_attention import run, scene, seen
from tests.test_scenes_sequence import LARGE, checkpoints  # noqa: F401 - a fixture
from viz import models
from viz.document.blocks import Block, Chart, Code, Formula, Heading, Question, Table, Text
from viz.escape import escape
from viz.escape import table as markdown_table
from viz.formulas import FORMULAS
from viz.i18n import t
from viz.lessons.registry import SCENES

pytestmark = pytest.mark.usefixtures("checkpoints")
OPEN: dict[str, dict[str, str]] = {
    "encoder": {"encoder_activation": "gelu"},
    "decoder": {"decoder_kind": "cross"},
    "halves": {"halves_mask": "True"},
}
"""Choices with which a scene has most to say."""
BESIDE_EACH_OTHER = ("heads", "all")
"""With columns that are filled line by line, and so saved."""
BESIDE_CONTROLS = ("lessons.more", "lessons.all_intro", "scene.average.only", "scene.heads.sets")
"""Words that name the buttons and links beside them."""
BEFORE_A_BUTTON = ("scene.costs.not_yet", "parallel.not_yet")


def walk(node: Any) -> Iterator[Any]:
    for child in node.children.values() if hasattr(node, "children") else ():
        yield child
        yield from walk(child)


def shown(app: AppTest) -> list[str]:
    """Every text of the page that is not a control's, as Markdown, in its order."""
    found = []
    for node in walk(app.main):
        if node.type in ("markdown", "caption", "code"):
            found.append(node.value)
        elif node.type in ("text", "subheader", "header"):
            found.append(escape(node.value) if node.type == "text" else node.value)
        elif node.type in ("info", "warning"):
            found.append(f"**{node.value}**")
    without = {t(key) for key in BESIDE_CONTROLS} | {f"**{t(key)}**" for key in BEFORE_A_BUTTON}
    return [each for each in found if each not in without]


def written(block: Block) -> list[str]:
    """The texts of a block as a page writes them."""
    match block:
        case Heading(text=text):
            return [escape(text), f"**{text}**"]
        case Table(head=head, rows=rows):
            return [markdown_table(head, rows)]
        case Question(answer=answer):
            return [answer]
        case Chart(caption=caption):
            return [caption]
        case Text(text=text) | Code(text=text):
            return [text]
    return []


@pytest.mark.parametrize("name", [*(each.name for each in SCENES), "", "all"])
def test_whatever_is_shown_is_saved_in_its_order(name: str) -> None:
    app = scene(name, **OPEN.get(name, {}))
    blocks: list[Block] = app.session_state["document.record"].blocks()
    saved, after = [written(block) for block in blocks], 0
    texts = shown(app)
    assert len(texts) >= 5
    for text in texts:
        found = [place for place, each in enumerate(saved) if place >= after and text in each]
        assert found, text
        if name not in BESIDE_EACH_OTHER:
            after = found[0] + 1
    equations = {each.mathml: each.latex for each in FORMULAS.values()}
    assert [equations[each.mathml] for each in blocks if isinstance(each, Formula)] == [
        each.value.strip("$\n") for each in app.latex if each.value.strip("$\n") in equations.values()
    ]
    wanted = SCENES if name == "all" else [each for each in SCENES if each.name == name]
    asked = [each.question for each in blocks if isinstance(each, Question)]
    assert asked == [t(f"scene.{each.name}.question") for each in wanted]


def test_both_arguments_and_every_line_of_code_are_saved() -> None:
    blocks = scene("explanation").session_state["document.record"].blocks()
    assert [Text(text=t(f"scene.explanation.{side}")) in blocks for side in ("against", "for")] == [True, True]
    blocks = scene("formulas").session_state["document.record"].blocks()
    assert [each.text for each in blocks if isinstance(each, Code)] == [each.place()[1] for each in FORMULAS.values()]


def test_choices_of_a_scene_leave_the_address_with_it_and_come_back() -> None:
    app = scene("depth", depth_layers="5", depth_what="weights")
    assert app.query_params["depth_layers"] in ("5", ["5"])
    run(app.button(key="lessons.next").click())
    assert list(app.query_params) == ["scene"]
    run(app.button(key="lessons.previous").click())
    assert app.slider(key="depth.layers").value == 5
    assert app.query_params["depth_layers"] in ("5", ["5"])
    assert app.query_params["depth_what"] in ("weights", ["weights"])


@pytest.mark.parametrize("name", ["average", "distance", "explanation"])
def test_other_pages_follow_a_scene_and_it_is_as_it_was(name: str) -> None:
    app = scene(name, explanation_model=LARGE) if name == "explanation" else scene(name)
    before = shown(app)
    for page in ("compare", "positions", "translate"):
        app.switch_page(f"viz/pages/{page}.py")
        run(app)
        app.switch_page("viz/pages/lessons.py")
        run(app)
        assert shown(app) == before


def test_an_empty_french_is_held_against_its_words_too(monkeypatch: pytest.MonkeyPatch) -> None:
    translate = models.translate

    def nothing(text: str, *, model: str = models.TRANSFORMER, target: Any = None, beam: int = 1) -> Translation:
        return translate(text, model=model, target=() if target is None and model == models.TRANSFORMER else target)

    monkeypatch.setattr(models, "translate", nothing)
    for model in (models.TRANSFORMER, LARGE):
        app = scene("explanation", explanation_model=model, sentence="They see the white cat.")
        assert len(app.get("plotly_chart")) == 1
        assert t("strip.nothing") in seen(app)


def test_french_that_a_model_cannot_read_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Translation:
        raise UserError("target_empty")

    monkeypatch.setattr(models, "hold_to", refuse)
    app = scene("explanation", explanation_model=LARGE)
    assert [each.value for each in app.warning] == [escape(str(UserError("target_empty")))]
    assert not app.get("plotly_chart")
