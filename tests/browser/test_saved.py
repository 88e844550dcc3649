"""What a person takes along: a page as one file, opened from the disk without a network, and pictures as files."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from viz.i18n import catalogue

WORDS = catalogue("en")
HOSTILE = """The <b>"red"</b> car & I don't </script> 🙂"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A tab without a network. Afterwards: no error on the console, and nothing was asked for but the file."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True, offline=True)
    tab = context.new_page()
    tab.set_default_timeout(30_000)
    problems: list[str] = []
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: problems.append(str(error)))
    yield tab
    context.close()
    assert problems == []
    assert [url for url in asked if not url.startswith(("blob:", "data:"))] == [tab.url]


def download(page: Page, button: Locator, folder: Path) -> Path:
    with page.expect_download() as waiting:
        button.click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def open_link(page: Page, address: str, name: str, drawn: str) -> None:
    """A page with a sentence that looks like markup. By its link: see tests/browser/test_compare.py."""
    page.goto(f"{address}/?sentence={quote(HOSTILE)}")
    page.locator(".attention-grid[data-drawn]").wait_for()
    page.get_by_role("link", name=WORDS[f"{name}.title"], exact=True).click()
    page.locator(drawn).first.wait_for(state="attached")


def save(page: Page, folder: Path) -> Path:
    return download(page, page.get_by_role("button", name=WORDS["saved.button"]), folder)


def background(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_translate_is_saved_with_all_its_heads(
    page: Page, server: str, offline: Page, scheme: str, tmp_path: Path
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_link(page, server, "translate", ".js-plotly-plot .heatmaplayer image")
    file = save(page, tmp_path)
    grid = ".attention-grid"
    chosen = page.locator(f"{grid} .where").inner_text()
    assert file.name == "regard-translate-The-b-red-b-car-I-dont-script.html"  # it names the sentence
    offline.goto(file.as_uri())
    offline.locator(f"{grid}[data-drawn]").wait_for()
    expect(offline.get_by_text(HOSTILE, exact=False).first).to_be_visible()
    expect(offline.locator(f"{grid} .where")).to_have_text(chosen)
    assert background(offline) == {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 21, 29)"}[scheme]

    offline.locator(f"{grid} .blocks canvas").first.click(position={"x": 60, "y": 40})
    expect(offline.locator(f"{grid} .where")).to_contain_text("Encoder self-attention")
    plot = offline.locator(".js-plotly-plot")
    plot.scroll_into_view_if_needed()
    box = plot.locator(".nsewdrag").bounding_box()
    assert box is not None
    offline.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(plot.locator(".hoverlayer .hovertext")).to_contain_text("weight")
    titles = plot.locator(".modebar-btn").evaluate_all("all => all.map((each) => each.dataset.title)")
    assert titles
    assert not [title for title in titles if "hare" in title or "loud" in title]


def test_the_worksheet_is_saved_and_can_still_be_read_and_saved_from(
    page: Page, server: str, offline: Page, tmp_path: Path
) -> None:
    open_link(page, server, "worksheet", ".matrix-sheet[data-drawn]")
    expect(page.get_by_role("button", name=WORDS["saved.button"])).to_be_visible()
    count = 17  # pictures of the eleven steps of a cross-attention head
    expect(page.locator(".matrix-sheet[data-drawn]")).to_have_count(count)
    file = save(page, tmp_path)
    offline.goto(file.as_uri())
    expect(offline.locator(".matrix-sheet[data-drawn]")).to_have_count(count)
    first = offline.locator(".matrix-sheet").first
    first.locator(".plate").first.hover()
    expect(first.locator(".tip")).to_be_visible()
    assert_files(offline, first, tmp_path, words={"X", "Q", "K", "V"})


@pytest.mark.parametrize(
    ("name", "drawn", "words"),
    [
        ("compare", ".alignment-pair[data-drawn]", {"pair.difference"}),
        ("decoding", ".player[data-drawn]", {"player.back", "player.across", "player.choice"}),
    ],
)
def test_pictures_of_other_pages_are_saved(
    page: Page, server: str, name: str, drawn: str, words: set[str], tmp_path: Path
) -> None:
    open_link(page, server, name, drawn)
    assert_files(page, page.locator(drawn), tmp_path, words={WORDS[word] for word in words})


def assert_files(page: Page, component: Locator, folder: Path, words: set[str]) -> None:
    """SVG with these words and without a bitmap, PNG of three times its size, CSV with a line for each number."""
    buttons = component.locator(".save").first
    svg, png, table = (download(page, buttons.get_by_text(kind, exact=True), folder) for kind in ("SVG", "PNG", "CSV"))
    root = ET.parse(svg).getroot()
    assert words <= {text.text for text in root.iter(f"{SVG}text")}
    assert not list(root.iter(f"{SVG}image"))
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert int.from_bytes(head[16:20], "big") == 3 * int(root.attrib["width"])
    lines = [line for line in table.read_text(encoding="utf-8-sig").splitlines() if not line.startswith("#")]
    assert len(lines) > 10
    assert all(line.count(",") >= lines[0].count(",") for line in lines)
