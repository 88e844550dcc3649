"""The Translate page as a person uses it."""

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


def chips(page: Page) -> list[str]:
    return page.locator(".chips.source .chip").all_text_contents()


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
    block.hover(position={"x": box["width"] / 2, "y": box["height"] / 2})
    expect(page.locator(f"{GRID} .tip")).to_contain_text("≈")
    page.mouse.move(5, 5)
    block.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
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
