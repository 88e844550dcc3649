"""The outline of the lessons as a person uses it: the map, by mouse and by keyboard, and where it leads."""

from playwright.sync_api import Page, expect

from tests.browser.test_translate import GRID, head, open_page

MAP = ".architecture"


def open_outline(page: Page, address: str) -> None:
    """By its link: Streamlit asks in vain for two files when a page is opened by its address."""
    open_page(page, address)
    page.get_by_role("link", name="Lessons", exact=True).click()
    page.locator(f"{MAP}[data-drawn]").wait_for()


def test_a_block_shows_its_numbers_by_mouse_and_by_keyboard(page: Page, server: str) -> None:
    open_outline(page, server)
    block = page.locator(f'{MAP} [data-name="encoderfeed"]')
    block.click()
    expect(page.get_by_role("heading", name="Encoder: Feed-forward")).to_be_visible()
    expect(page.locator(".matrix-sheet .shape").nth(1)).to_have_text("11 × 1024")
    expect(block).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Encoder: Add & norm")).to_be_visible()
    expect(block).to_have_attribute("aria-pressed", "false")
    expect(page.locator(f'{MAP} [data-name="encoderfeedaddnorm"]')).to_be_focused()


def test_words_fit_their_boxes(page: Page, server: str) -> None:
    open_outline(page, server)
    for width in (1280, 700):
        page.set_viewport_size({"width": width, "height": 900})
        for box in page.locator(f"{MAP} .block").all():
            frame = box.locator(".face").bounding_box()
            assert frame
            for text in box.locator("text").all():
                inner = text.bounding_box()
                assert inner
                assert frame["x"] <= inner["x"]
                assert inner["x"] + inner["width"] <= frame["x"] + frame["width"]


def test_it_leads_to_the_same_head_of_a_page_that_was_open_before(page: Page, server: str) -> None:
    open_outline(page, server)
    page.locator(f'{MAP} [data-name="encoderself"]').click()
    page.locator(".st-key-architecture-head").get_by_text("3", exact=True).click()
    link = page.get_by_role("link", name="Translate").last
    expect(link).to_have_attribute("href", "?sentence=I+have+never+seen+such+a+beautiful+red+car.&head=encoder.4.3")
    link.click()
    expect(page.locator(GRID)).to_have_attribute("data-kind", "encoder")
    assert head(page) == ("encoder", "3", "2")
