"""A saved page: what a person typed stays text, what a component gets stays what it was, and nothing asks a network."""

import base64
import json
import re
import tomllib
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from tests.test_attention_grid import FIRST, HOSTILE, message_of, panel, three_panels, unpack
from tests.test_compare import checkpoints  # noqa: F401 - a fixture
from viz.components import FILES, alignment_pair, changed, matrix_sheet, player, token_strip
from viz.document.blocks import Block, Canvas, Chart, Formula, Heading, Question, Table, Text, inline
from viz.document.file import document
from viz.escape import escape
from viz.figures import heatmap
from viz.formulas import FORMULAS
from viz.i18n import t
from viz.lessons.registry import SCENES

ROOT = Path(__file__).parent.parent
DECLARED = [alignment_pair, matrix_sheet, player, token_strip]  # by being imported
TYPED = [*HOSTILE[:-1], "</script><script>alert(1)</script>", "<!--", "**a** *b* `c` _d_ [e](f)", "\\*", "a & b &lt;"]


class Page(HTMLParser):
    """What a browser's parser sees: elements with their attributes, and the text of each kind of element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.text.setdefault(tag, []).append("")
        if tag not in ("meta", "link", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "elements are closed in their order"

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.text[tag][-1] += data

    def count(self, tag: str) -> int:
        return sum(each == tag for each, _ in self.tags)


def saved(*blocks: Block, scheme: Literal["light", "dark"] = "light", title: str = "A page") -> str:
    return document(blocks, title=title, language="en", scheme=scheme, foot="The end.").decode()


def figure(name: str = "a") -> go.Figure:
    return heatmap(np.eye(2, dtype=np.float32), [name, "b"], [name, "b"], title=name)


@pytest.mark.parametrize("typed", TYPED)
def test_markdown_says_what_was_typed_and_nothing_becomes_markup(typed: str) -> None:
    made = inline(f"**{escape(typed)}** {escape(typed)}" if typed.strip() else escape(typed))
    page = Page(f"<p>{made}</p>")
    assert page.text["p"] == [f"{typed} {typed}" if typed.strip() else typed]
    assert [tag for tag, _ in page.tags] == (["p", "strong"] if typed.strip() else ["p"])


def test_markdown_of_the_pages_is_understood() -> None:
    assert inline("**a *b* c** `x<y` *d* 2 * 3") == (
        "<strong>a <em>b</em> c</strong> <code>x&lt;y</code> <em>d</em> 2 * 3"
    )


@pytest.mark.parametrize("typed", TYPED)
def test_whatever_is_typed_stays_text_in_every_block(typed: str) -> None:
    data = {"text": typed, "steps": [typed]}
    blocks: list[Block] = [
        Heading(text=typed),
        Text(text=escape(typed)),
        Question(question=escape(typed), answer=escape(typed)),
        Table(head=[typed], rows=[[typed]]),
        Chart(figure=figure(typed), caption=f"x {escape(typed)}"),
        Canvas(component="token_strip", data=data),
        Canvas(component="attention_grid", data=message_of([panel("cross", [typed, "a"], [typed, "b"])])),
    ]
    page, plain = (
        Page(re.sub(r"<script>.*?</script>", "<script></script>", text, flags=re.DOTALL))
        for text in (saved(*blocks, title=typed), saved(*harmless()))
    )
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    for tag in ("title", "h2", "summary", "th", "td"):
        assert page.text[tag] == [typed], tag
    _, strip, grid = filter(None, page.text["script"])
    assert json.loads(strip) == data
    header, _ = unpack(base64.b64decode(grid))
    assert header["panels"][0]["queries"][0] == typed


def harmless() -> list[Block]:
    return [
        Heading(text="x"),
        Text(text="x"),
        Question(question="x", answer="x"),
        Table(head=["x"], rows=[["x"]]),
        Chart(figure=figure(), caption="x"),
        Canvas(component="token_strip", data={"text": "x", "steps": ["x"]}),
        Canvas(component="attention_grid", data=message_of([panel("cross", ["x", "a"], ["x", "b"])])),
    ]


def test_a_message_arrives_as_it_was_but_for_what_its_header_now_says() -> None:
    sent = message_of(three_panels(9, 7))
    for header in ({}, {"choice": ["cross", 1, 2]}):
        page = Page(saved(Canvas(component="attention_grid", data=sent, header=header)))
        (script,) = (text for text, (_, given) in scripts(page) if given.get("type") == "text/plain")
        arrived = base64.b64decode(script)
        assert arrived == changed(sent, header)
        (before, weights), (after, same) = unpack(sent), unpack(arrived)
        assert after == before | header
        for one, other in zip(weights, same, strict=True):
            np.testing.assert_array_equal(one, other)
    assert unpack(sent)[0]["choice"] == list(FIRST)


def scripts(page: Page) -> list[tuple[str, tuple[str, dict[str, str | None]]]]:
    return list(zip(page.text["script"], [each for each in page.tags if each[0] == "script"], strict=True))


def test_a_figure_is_saved_whole_and_can_send_nothing_away() -> None:
    given = figure("<b>")
    page = Page(saved(Chart(figure=given, options={"displayModeBar": True, "showSendToCloud": True})))
    (text,) = (text for text, (_, attributes) in scripts(page) if attributes.get("type") == "application/json")
    sent, options = json.loads(text)
    assert sent == json.loads(given.to_json())
    assert options["displayModeBar"] is True
    assert options["showSendToCloud"] is False
    assert options["plotlyServerURL"] == ""
    assert "sendChartToCloud" in options["modeBarButtonsToRemove"]


def test_plotly_comes_only_with_a_figure_and_each_component_once() -> None:
    sent = message_of(three_panels(3, 3))
    grid = Canvas(component="attention_grid", data=sent)
    few, many = saved(Text(text="x")), saved(grid, grid, Chart(figure=figure()), Chart(figure=figure()))
    assert len(few) < 10_000
    assert len(saved(grid)) < 150_000
    assert many.count("plotly.js v") == 1
    assert many.count('<template id="component-attention_grid">') == 1
    assert many.count("function attentionGrid(") == 1


@pytest.mark.parametrize("name", ["attention_grid", "alignment_pair", "player", "matrix_sheet", "token_strip"])
def test_every_component_can_be_saved(name: str) -> None:
    files = FILES[name]
    page = saved(Canvas(component=name, data=b"\x00\x00\x00\x00"))
    assert files.css in page
    assert files.html in page
    assert "export default" not in page
    assert len(page) > len(files.js) + len(files.script)


def test_nothing_in_a_document_asks_a_network() -> None:
    page = Page(saved(*harmless(), Formula(mathml=FORMULAS["attention"].mathml)))
    policy = next(given["content"] for tag, given in page.tags if given.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    for tag, given in page.tags:
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            assert given.get(name, "data:,").startswith("data:"), tag  # type: ignore[union-attr]
    assert "@import" not in "".join(page.text["style"])
    assert "url(" not in "".join(page.text["style"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_components_find_the_colours_of_the_page(scheme: Literal["light", "dark"]) -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    (style,) = re.findall(r":root \{ (color-scheme.*?) \}", saved(Text(text="x"), scheme=scheme))
    variables = dict(re.findall(r"--st-([\w-]+): ([^;]+);", style))
    for name, colour in settings["theme"][scheme].items():
        assert variables[re.sub("[A-Z]", lambda found: f"-{found[0].lower()}", name)] == colour
    used = "".join(files.css + files.js + files.script for files in FILES.values())
    assert set(re.findall(r"--st-([\w-]+)", used)) <= set(variables)
    assert f"color-scheme: {scheme};" in style


def test_the_document_has_its_language_and_every_block_in_its_order() -> None:
    page = Page(document(harmless(), title="标题", language="zh", scheme="dark").decode())
    assert dict(page.tags)["html"] == {"lang": "zh"}
    assert page.text["h1"] == page.text["title"] == ["标题"]
    order = [tag for tag, given in page.tags if tag in ("h2", "details", "table") or given.get("class") == "component"]
    assert order == ["h2", "details", "table", "div", "div"]


PAGES: Mapping[str, Mapping[str, object]] = {
    "translate": {},
    "decoding": {},
    "worksheet": {},
    "positions": {},
    "compare": {"compare_sides.exact": True},
}


@pytest.mark.usefixtures("checkpoints")
@pytest.mark.parametrize("page", PAGES)
def test_every_picture_of_a_page_is_noted_in_its_order(page: str) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    if page != "translate":
        app.switch_page(f"viz/pages/{page}.py").run()
        app.run()
    for key, value in PAGES[page].items():
        app.toggle(key=key).set_value(value).run()  # type: ignore[arg-type]
    assert not app.exception
    record = app.session_state["document.record"]
    pictures = [block for block in record.blocks() if isinstance(block, Canvas | Chart)]
    assert [kind_of(block) for block in pictures] == drawn(app)
    assert pictures
    assert app.get("download_button")[-1].proto.label == "Save this page as one HTML file"
    assert Page(document(record.blocks(), title=page, language="en", scheme="light").decode()).count("figure") == len(
        pictures
    )


def kind_of(block: Canvas | Chart) -> object:
    """Of a chart its data, of a component its name and what it got."""
    if isinstance(block, Chart):
        return json.loads(block.figure.to_json())["data"]
    return block.component, block.data


def drawn(app: AppTest) -> list[object]:
    found: list[object] = []
    for node in walk(app.main):
        if node.type == "plotly_chart":
            found.append(json.loads(node.proto.spec)["data"])
        elif node.type == "bidi_component" and not node.proto.component_name.endswith("_script"):
            data: object = node.proto.bytes or json.loads(node.proto.json)
            found.append((node.proto.component_name, data))
    return found


def walk(node: Any) -> Any:
    for child in node.children.values() if hasattr(node, "children") else ():
        yield child
        yield from walk(child)


def test_pages_draw_figures_by_the_one_function_that_notes_them() -> None:
    users = [path.name for path in (ROOT / "viz").rglob("*.py") if "plotly_chart" in path.read_text(encoding="utf-8")]
    assert users == ["show.py"]


@pytest.mark.usefixtures("checkpoints")
def test_a_scene_is_noted_with_its_words_and_formulas() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page("viz/pages/lessons.py").run()
    scene = SCENES[0]
    app.selectbox(key="lesson.open/box/en").set_value(scene.name).run()
    assert not app.exception
    blocks = app.session_state["document.record"].blocks()
    assert any(isinstance(each, Heading) and t(f"scene.{scene.name}.title") in each.text for each in blocks)
    assert [block.mathml for block in blocks if isinstance(block, Formula)] == [
        FORMULAS[name].mathml for name in scene.formulas
    ]
    question, answer = t(f"scene.{scene.name}.question"), t(f"scene.{scene.name}.answer")
    assert Question(question=question, answer=answer) in blocks
