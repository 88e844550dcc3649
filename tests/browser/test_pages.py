"""Decoding, Worksheet and Positions as a person uses them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_translate import open_page
from viz.i18n import catalogue

WORDS = catalogue("en")
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
PLAYER, SHEET = ".player", ".matrix-sheet"
TYPED = "<i>Tom</i> & I don't sleep."


def open_by_name(page: Page, address: str, name: str, sign: str) -> None:
    open_page(page, address)
    page.get_by_label("English sentence").fill(TYPED)
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    page.locator(READY).wait_for()
    page.get_by_role("link", name=WORDS[f"{name}.title"], exact=True).click()
    page.locator(f"{sign}:visible").first.wait_for()


def step(page: Page) -> int:
    return int(page.locator(f"{PLAYER} input[type=range]").input_value())


def test_decoding_is_played_by_keyboard_and_another_piece_changes_the_rest(page: Page, server: str) -> None:
    open_by_name(page, server, "decoding", PLAYER)
    page.locator(PLAYER).focus()
    before = step(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert step(page) == before - 2
    page.keyboard.press("ArrowRight")
    assert step(page) == before - 1
    translated = page.locator(f"{PLAYER} .target").inner_text()
    page.locator(f"{PLAYER} .choice ol button").first.click()
    expect(page.get_by_role("button", name=WORDS["decoding.undo"])).to_be_visible()
    expect(page.locator(f"{PLAYER} .target")).not_to_have_text(translated)
    expect(page).to_have_url(re.compile("choices="))
    page.get_by_role("button", name=WORDS["decoding.undo"]).click()
    expect(page.get_by_role("button", name=WORDS["decoding.undo"])).to_have_count(0)
    expect(page.locator(f"{PLAYER} .target")).to_have_text(re.sub(r"\s+", "", translated), use_inner_text=False)


def test_the_address_brings_another_person_to_the_step_and_the_head(page: Page, server: str) -> None:
    open_by_name(page, server, "decoding", PLAYER)
    player = page.locator(PLAYER)
    player.locator(".heads button", has_text="2").click()
    player.locator(".layers button", has_text="1").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    there = step(page)
    expect(page).to_have_url(re.compile(f"step={there + 1}"))
    expect(page).to_have_url(re.compile("layer=1&.*head=2"))
    assert step(page) == there
    assert page.context.browser
    other = page.context.browser.new_context().new_page()
    other.goto(page.url)
    shown = other.locator(f"{PLAYER}[data-step='{there}'][data-layer='0'][data-head='1']")
    shown.wait_for()
    other.locator(PLAYER).focus()
    other.keyboard.press("ArrowRight")
    expect(other).to_have_url(re.compile(f"step={there + 2}"))
    other.keyboard.press("ArrowRight")  # the last one needs no words
    expect(other).not_to_have_url(re.compile("step="))
    other.context.close()


@pytest.mark.parametrize("method", ["beam", "sample", "typed"])
def test_every_way_of_decoding_shows_its_translations(page: Page, server: str, method: str) -> None:
    open_by_name(page, server, "decoding", PLAYER)
    page.get_by_role("radio", name=WORDS[f"decoding.method.{method}"]).click()
    expect(page.get_by_text(WORDS[f"decoding.says.{method}"][:50])).to_be_visible()
    assert page.locator(".stException").count() == 0
    if method == "beam":
        expect(page.locator(f"{PLAYER} .tree svg")).to_be_visible()
    if method == "typed":
        page.get_by_label(WORDS["decoding.typed"]).fill("<b>zut</b>")
        page.keyboard.press("Enter")
        expect(page.locator(f"{PLAYER} .target")).to_contain_text("z·ut")


def test_a_matrix_of_the_worksheet_is_read_and_enlarged(page: Page, server: str) -> None:
    open_by_name(page, server, "worksheet", SHEET)
    expect(page.locator(".stException")).to_have_count(0)
    sheet = page.locator(SHEET).first
    canvas = sheet.locator("canvas").first
    canvas.hover()
    expect(sheet.locator(".tip")).to_contain_text(re.compile(r"\d\.\d{3}"))
    small = canvas.bounding_box()
    canvas.click()
    page.wait_for_timeout(300)
    large = canvas.bounding_box()
    assert small
    assert large
    assert large["height"] > small["height"] or large["width"] > small["width"]


def test_a_what_if_of_the_worksheet_says_what_it_changed(page: Page, server: str) -> None:
    open_by_name(page, server, "worksheet", SHEET)
    page.get_by_text(WORDS["worksheet.whatif.scale"], exact=True).click()
    expect(page.get_by_text(WORDS["worksheet.change.note"][:40])).to_be_visible()
    expect(page).to_have_url(re.compile("scale=True"))


def test_every_tab_of_positions_opens(page: Page, server: str) -> None:
    open_by_name(page, server, "positions", ".js-plotly-plot")
    for tab in ("shift", "sentence", "order", "ways", "table"):
        page.get_by_role("tab", name=WORDS[f"positions.tab.{tab}"]).click()
        expect(page.locator(".js-plotly-plot:visible").first).to_be_visible()
        assert page.locator(".stException").count() == 0, tab


def test_shuffled_words_without_positions_are_the_same_vectors(page: Page, server: str) -> None:
    open_by_name(page, server, "positions", ".js-plotly-plot")
    page.get_by_role("tab", name=WORDS["positions.tab.order"]).click()
    expect(page.get_by_text(WORDS["positions.order.says.apart"][:30])).to_be_visible()
    page.get_by_text(WORDS["positions.order.toggle"], exact=True).click()
    expect(page.get_by_text(WORDS["positions.order.says.alike"][:30]).first).to_be_visible()


def test_in_a_presentation_arrow_keys_need_no_focus(page: Page, server: str) -> None:
    open_page(page, server)
    grid = page.locator(".attention-grid")
    before = grid.get_attribute("data-head")
    page.keyboard.press("ArrowLeft")
    assert grid.get_attribute("data-head") == before  # at a desk they scroll
    page.keyboard.press("F9")
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(grid).not_to_have_attribute("data-head", before or "")
    layer = grid.get_attribute("data-layer")
    page.keyboard.press("ArrowUp")
    expect(grid).not_to_have_attribute("data-layer", layer or "")
    page.get_by_label("English sentence").focus()
    head = grid.get_attribute("data-head")
    page.keyboard.press("ArrowLeft")
    assert grid.get_attribute("data-head") == head  # in the box they move the cursor
