"""The strip of pieces by keyboard: one tab stop, arrows inside it, and a focus that can be seen."""

from playwright.sync_api import Page, expect

from tests.browser.test_translate import open_page

PIECES = ".chips.target .chip"


def test_all_pieces_are_one_tab_stop_with_arrows_inside(page: Page, server: str) -> None:
    open_page(page, server)
    pieces, shown = page.locator(PIECES), page.locator(f"{PIECES}[aria-pressed=true]")
    assert pieces.count() > 3
    expect(page.locator(f"{PIECES}[tabindex='0']")).to_have_count(1)
    shown.focus()
    page.keyboard.press("Home")
    expect(pieces.first).to_be_focused()
    expect(pieces.first).to_have_attribute("aria-pressed", "true")
    first = page.locator(".options .taken").inner_text()
    page.keyboard.press("ArrowLeft")
    expect(pieces.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(pieces.nth(1)).to_be_focused()
    expect(shown).to_have_count(1)
    assert page.locator(".options .taken").inner_text() != first
    style = pieces.nth(1).evaluate("chip => [getComputedStyle(chip).outlineStyle, getComputedStyle(chip).outlineWidth]")
    assert style == ["solid", "3px"]
    expect(page.locator(f"{PIECES}[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.locator(f"{PIECES}:focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(pieces.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(pieces.last).to_be_focused()
