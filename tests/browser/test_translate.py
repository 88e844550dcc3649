"""The Translate page as a person uses it."""

import csv
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from viz.examples import EXAMPLES

GRID = ".attention-grid"
LONGER = "I don't know why he isn't here yet."


def open_page(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(f"{GRID}[data-drawn]").wait_for()


def drawn(page: Page) -> int:
    """How often the component has painted."""
    return int(page.locator(GRID).get_attribute("data-drawn") or 0)


def head(page: Page) -> tuple[str | None, ...]:
    grid = page.locator(GRID)
    return tuple(grid.get_attribute(f"data-{name}") for name in ("kind", "layer", "head"))


def type_sentence(page: Page, text: str) -> None:
    page.get_by_label("English sentence").fill(text)
    page.keyboard.press("Enter")


def chips(page: Page, side: str = "source") -> list[str]:
    """The pieces of a sentence, without their probabilities."""
    found = page.locator(f".chips.{side} .chip").evaluate_all("chips => chips.map(chip => chip.firstChild.textContent)")
    return list(found)


@pytest.fixture
def canvas(page: Page) -> Page:
    """A page that notes what is drawn on canvases: `written` holds texts, `strokes` counts lines."""
    page.add_init_script(
        """
        const { fillText, lineTo } = CanvasRenderingContext2D.prototype;
        window.written = [];
        window.strokes = 0;
        Object.assign(CanvasRenderingContext2D.prototype, {
          fillText(...all) { written.push(all[0]); return fillText.apply(this, all); },
          lineTo(...all) { strokes += 1; return lineTo.apply(this, all); },
        });
        """
    )
    return page


def newly_drawn(page: Page) -> tuple[list[str], int]:
    """Texts and number of lines since it was last asked."""
    texts, strokes = page.evaluate("[written.splice(0), strokes]")
    page.evaluate("strokes = 0")
    return texts, strokes


def show(page: Page, view: str) -> None:
    page.locator(f"{GRID} .views").get_by_text(view, exact=True).click()


def pick_three(page: Page) -> None:
    """Chooses the first encoder head and adds the next two, one with the mouse and one with the keyboard."""
    block = page.locator(f"{GRID} .blocks canvas").first
    block.click(position={"x": 35, "y": 30})
    block.click(position={"x": 75, "y": 30}, modifiers=["ControlOrMeta"])
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Space")


def test_opens_with_a_translated_example_and_all_its_heads(page: Page, server: str) -> None:
    open_page(page, server)
    expect(page.get_by_label("English sentence")).to_have_value(EXAMPLES[0])
    assert page.locator(".translation").inner_text().strip()
    assert chips(page)[:3] == EXAMPLES[0].split()[:3]
    assert page.locator(f"{GRID} .blocks canvas").count() == 3
    page.locator(".js-plotly-plot .heatmaplayer image").wait_for(state="attached")


@pytest.mark.parametrize(
    ("typed", "pieces"),
    [
        ("<b>x</b>", ["<", "b", ">"]),
        ("</script>", ["<", "/"]),
        ("$x$", ["$", "x", "$"]),
        ("🙂", ["🙂₁", "🙂₂", "🙂₃", "🙂₄"]),
        ("#000001", ["#", "0", "0", "0", "0", "0", "1"]),
    ],
)
def test_what_is_typed_is_shown_as_typed(page: Page, server: str, typed: str, pieces: list[str]) -> None:
    open_page(page, server)
    before = drawn(page)
    type_sentence(page, typed)
    expect(page.locator(".chips.source .chip").filter(has_not_text="␣").first).to_have_text(pieces[0])
    shown = [chip for chip in chips(page) if chip != "␣"]
    assert shown[: len(pieces)] == pieces
    expect(page.locator(GRID)).not_to_have_attribute("data-drawn", str(before))
    ticks = page.locator(".js-plotly-plot .ytick text, .js-plotly-plot .xtick text")
    expect(ticks.first).to_be_visible()
    assert page.locator(".stException").count() == 0


def test_click_and_arrows_choose_a_head_in_the_browser_alone(page: Page, server: str) -> None:
    frames: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: frames.append(1)))
    open_page(page, server)
    page.locator(".js-plotly-plot .heatmaplayer image").wait_for(state="attached")
    page.wait_for_timeout(1000)  # whatever Streamlit still has to say about the first page
    frames.clear()
    block = page.locator(f"{GRID} .blocks canvas").first
    box = block.bounding_box()
    assert box is not None
    x, y = box["width"] / 2, box["height"] * 0.38  # in a tile of the second layer; the middle lies between two
    block.hover(position={"x": x, "y": y})
    expect(page.locator(f"{GRID} .tip")).to_contain_text("≈")
    page.mouse.move(5, 5)
    block.click(position={"x": x, "y": y})
    kind, layer, number = head(page)
    assert kind == "encoder"
    page.keyboard.press("ArrowRight")
    assert head(page) == (kind, layer, str(int(number or 0) + 1))
    assert frames == []  # hover, click and arrow key drew without a word to the server
    title = f"Encoder self-attention, layer {int(layer or 0) + 1}, head {int(number or 0) + 2}."
    expect(page.get_by_text(title)).to_be_visible()  # which then follows with the exact numbers
    assert len(frames) == 1


def test_the_chosen_head_survives_a_new_sentence(page: Page, server: str) -> None:
    open_page(page, server)
    page.locator(f"{GRID} .blocks canvas").first.click(position={"x": 60, "y": 40})
    chosen = head(page)
    before = drawn(page)
    type_sentence(page, LONGER)
    expect(page.locator(".chips.source")).to_contain_text("why")
    expect(page.locator(GRID)).not_to_have_attribute("data-drawn", str(before))
    assert head(page) == chosen


def test_five_thousand_characters_say_what_was_left_out(page: Page, server: str) -> None:
    open_page(page, server)
    text = ("The animal didn't cross the street. " * 140)[:5000]
    type_sentence(page, text)
    warning = page.get_by_test_id("stAlert")
    expect(warning).to_contain_text("the model reads 127")
    expect(page.get_by_test_id("stText")).to_contain_text("The animal")


def test_an_empty_sentence_gets_a_hint_and_loses_nothing(page: Page, server: str) -> None:
    open_page(page, server)
    type_sentence(page, "   ")
    expect(page.get_by_text("Type a sentence and press Enter, or choose one of the examples.")).to_be_visible()
    type_sentence(page, LONGER)
    expect(page.locator(".chips.source")).to_contain_text("why")


def test_words_and_special_tokens(page: Page, server: str) -> None:
    open_page(page, server)
    page.get_by_text("Special tokens", exact=True).click()
    expect(page.get_by_text("Special tokens are hidden: in this head")).to_be_visible()
    page.get_by_text("Whole words", exact=True).click()
    expect(page.get_by_text("Words are drawn whole")).to_be_visible()
    ticks = page.locator(".js-plotly-plot .xtick text").all_text_contents()
    assert "</s>" not in ticks


@pytest.mark.parametrize(
    ("kind", "button", "start"), [("PNG", "Download plot as a PNG", b"\x89PNG"), ("SVG", "Download plot", b"<svg")]
)
def test_the_heatmap_can_be_saved(
    page: Page, server: str, kind: str, button: str, start: bytes, tmp_path: Path
) -> None:
    open_page(page, server)
    page.get_by_test_id("stButtonGroup").get_by_text(kind, exact=True).click()
    plot = page.locator(".js-plotly-plot")
    plot.locator(".heatmaplayer image").wait_for(state="attached")
    plot.locator(f'[data-title="{button}"]').wait_for(state="attached")
    plot.hover()
    with page.expect_download() as download:
        plot.locator(f'[data-title="{button}"]').click()
    download.value.save_as(tmp_path / "saved")
    assert (tmp_path / "saved").read_bytes().startswith(start)


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_sideways(page: Page, server: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    open_page(page, server)
    page.locator(".js-plotly-plot .heatmaplayer image").wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_sentence_entered_as_a_toggle_is_reported_is_not_lost(page: Page, server: str) -> None:
    """Streamlit sends what happens in one instant together, and then runs only the part of the page that came first."""
    open_page(page, server)
    page.get_by_label("English sentence").fill(LONGER)
    page.evaluate(
        """() => {
          document.querySelector("input[type=checkbox]").click();
          const box = document.querySelector("input[type=text]");
          box.focus();
          for (const kind of ["keydown", "keypress", "keyup"])
            box.dispatchEvent(new KeyboardEvent(kind, { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }));
        }"""
    )
    expect(page.locator(".chips.source")).to_contain_text("why")
    expect(page.locator(".js-plotly-plot .xtick text").filter(has_text="why")).to_be_visible()


def test_overview_and_exact_numbers_agree_after_a_remount(page: Page, server: str) -> None:
    """A warning moves the overview on the page while its last choice has not been reported yet."""
    open_page(page, server)
    captions = page.get_by_test_id("stCaptionContainer")
    start = page.locator(f"{GRID} .where").inner_text()
    page.locator(f"{GRID} .blocks").focus()
    page.keyboard.press("ArrowUp")
    other = page.locator(f"{GRID} .where").inner_text()
    assert other != start
    expect(captions.filter(has_text=f"{other}.")).to_be_visible()
    page.keyboard.press("ArrowDown")
    type_sentence(page, "The animal was too tired. " * 40)
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    expect(page.locator(f"{GRID} .where")).to_have_text(start)
    expect(captions.filter(has_text=f"{start}.")).to_be_visible()


def test_a_change_of_theme_reaches_the_exact_heatmap(page: Page, server: str) -> None:
    open_page(page, server)
    tick = page.locator(".js-plotly-plot .xtick text").first
    expect(tick).to_have_css("fill", "rgb(29, 33, 41)")
    page.emulate_media(color_scheme="dark")
    expect(tick).to_have_css("fill", "rgb(232, 234, 240)")


def test_a_tap_shows_the_weight(page: Page, server: str) -> None:
    open_page(page, server)
    large = page.locator(f"{GRID} .large canvas")
    box = large.bounding_box()
    assert box is not None
    large.dispatch_event(
        "pointerdown",
        {"pointerType": "touch", "clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2},
    )
    large.dispatch_event("pointerleave", {"pointerType": "touch"})
    expect(page.locator(f"{GRID} .tip")).to_contain_text("≈")


def test_lines_and_the_numbers_of_a_word(canvas: Page, server: str) -> None:
    open_page(canvas, server)
    canvas.locator(f"{GRID} .blocks canvas").nth(1).click(position={"x": 60, "y": 40})  # masked
    for view, along, over in (("Lines", "ArrowDown", "ArrowRight"), ("Lines across", "ArrowRight", "ArrowDown")):
        newly_drawn(canvas)
        show(canvas, view)
        texts, lines = newly_drawn(canvas)
        words = len(chips(canvas, "target"))
        assert len([text for text in texts if text]) >= 2 * words
        assert words <= lines <= words**2 / 2 + words  # none where the mask forbids it
        large = canvas.locator(f"{GRID} .large canvas")
        large.hover(position={"x": 12, "y": 12})  # the first word
        texts, lines = newly_drawn(canvas)
        assert [text for text in texts if re.fullmatch(r"\d\.\d\d", text)] == ["1.00"]  # it sees but one
        assert lines == 1
        expect(canvas.locator(f"{GRID} .word")).to_contain_text("1 of")
        canvas.mouse.move(5, 5)
        expect(canvas.locator(f"{GRID} .single")).to_be_hidden()
        canvas.locator(f"{GRID} .large").focus()
        canvas.keyboard.press(along)
        canvas.keyboard.press(along)
        newly_drawn(canvas)
        canvas.keyboard.press(along)
        texts, lines = newly_drawn(canvas)
        numbers = [float(text) for text in texts if re.fullmatch(r"\d\.\d\d", text)]
        assert 1 <= len(numbers) <= 3
        assert sum(numbers) == pytest.approx(1, abs=0.05)
        expect(canvas.locator(f"{GRID} .word")).to_contain_text("3 of")
        canvas.keyboard.press(over)
        expect(canvas.locator(f"{GRID} .live")).to_contain_text("≈")


def test_many_heads_are_drawn_and_only_the_last_is_reported(page: Page, server: str) -> None:
    frames: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: frames.append(1)))
    open_page(page, server)
    grid = page.locator(GRID)
    page.locator(".js-plotly-plot .heatmaplayer image").wait_for(state="attached")
    page.wait_for_timeout(1000)  # whatever Streamlit still has to say about the first page
    frames.clear()
    for view in ("Lines", "Lines across", "Heatmap", "Lines"):
        show(page, view)
        page.locator(f"{GRID} .large canvas").hover(position={"x": 12, "y": 12})
    expect(grid).to_have_attribute("data-view", "lines")
    page.wait_for_timeout(600)
    assert frames == []
    pick_three(page)
    expect(grid).to_have_attribute("data-heads", "0.0 0.1 0.2")
    assert head(page) == ("encoder", "0", "2")
    expect(page.locator(f"{GRID} .pick")).to_have_count(3)
    colours = [mark.evaluate("mark => mark.style.borderColor") for mark in page.locator(f"{GRID} .pick").all()]
    assert len(set(colours)) == 3
    show(page, "Heatmap")
    expect(page.locator(f"{GRID} .where")).to_have_text("Encoder self-attention: average of 3 heads")
    expect(page.get_by_text("Encoder self-attention, layer 1, head 3.")).to_be_visible()
    assert len(frames) == 1
    page.locator(f"{GRID} .layer").click()
    expect(page.locator(f"{GRID} .pick")).to_have_count(8)
    page.get_by_role("button", name="layer 1, head 5").click()
    expect(page.locator(f"{GRID} .pick")).to_have_count(7)
    page.locator(f"{GRID} .only").click()
    expect(grid).to_have_attribute("data-heads", "0.2")
    page.locator(f"{GRID} .blocks").focus()
    page.keyboard.press("Space")  # the last one stays
    expect(grid).to_have_attribute("data-heads", "0.2")
    pick_three(page)
    page.locator(f"{GRID} .blocks canvas").nth(2).click(position={"x": 35, "y": 30}, modifiers=["Shift"])
    assert head(page) == ("cross", "0", "0")  # another kind comes alone
    expect(grid).to_have_attribute("data-heads", "0.0")


@pytest.mark.parametrize("sentence", [LONGER, "The animal was too tired. " * 40])
def test_view_and_heads_survive_a_new_sentence_and_a_remount(page: Page, server: str, sentence: str) -> None:
    open_page(page, server)
    pick_three(page)
    show(page, "Lines across")
    before = drawn(page)
    type_sentence(page, sentence)
    page.locator(".chips.source").filter(has_text=sentence.split()[3]).wait_for()
    grid = page.locator(GRID)
    expect(grid).not_to_have_attribute("data-drawn", str(before), timeout=30_000)
    expect(grid).to_have_attribute("data-view", "across")
    expect(grid).to_have_attribute("data-heads", "0.0 0.1 0.2")


def saved(page: Page, kind: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.locator(f"{GRID} .save").get_by_text(kind, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize(("view", "ending"), [("Heatmap", ""), ("Lines", "-lines"), ("Lines across", "-lines-across")])
def test_the_large_picture_can_be_saved(page: Page, server: str, view: str, ending: str, tmp_path: Path) -> None:
    open_page(page, server)
    before = drawn(page)
    type_sentence(page, '<b>I</b> know "R&D"!')
    expect(page.locator(GRID)).not_to_have_attribute("data-drawn", str(before), timeout=30_000)
    show(page, view)
    where = page.locator(f"{GRID} .where").inner_text()
    _, layer, number = head(page)
    stem = f"regard-cross-layer-{int(layer or 0) + 1}-head-{int(number or 0) + 1}{ending}"

    svg = saved(page, "SVG", tmp_path)
    assert svg.name == f"{stem}.svg"
    texts = [text.text for text in ET.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == where
    assert not {*chips(page), *chips(page, "target")} - set(texts)
    assert not list(ET.parse(svg).iter("{http://www.w3.org/2000/svg}image"))

    png = saved(page, "PNG", tmp_path)
    assert png.name == f"{stem}.png"
    assert png.read_bytes().startswith(b"\x89PNG")

    table = saved(page, "CSV", tmp_path)
    assert table.name == f"{stem}.csv"
    comments, rows = read_table(table)
    assert any("0.01" in comment for comment in comments)
    assert {row["key"] for row in rows} >= set(chips(page))
    assert {(row["layer"], row["head"]) for row in rows} == {(str(int(layer or 0) + 1), str(int(number or 0) + 1))}
    sums: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        sums[row["query_position"]] += float(row["weight"])
    assert all(total == pytest.approx(1, abs=0.05) for total in sums.values())


def read_table(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    return comments, list(csv.DictReader(lines[len(comments) :]))
