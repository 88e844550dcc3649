"""RNN vs Transformer as a person uses it."""

import re

from playwright.sync_api import Page, expect

from tests.browser.test_translate import open_page
from viz.examples import EXAMPLES

PAIR = ".alignment-pair"


def open_compare(page: Page, address: str) -> None:
    """By its link: Streamlit asks in vain for two files when a page is opened by its address."""
    open_page(page, address)
    page.get_by_role("link", name="RNN vs Transformer").click()
    page.locator(f"{PAIR}[data-drawn]").wait_for()


def choose(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).or_(page.get_by_role("radio", name=name, exact=True)).click()


def translations(page: Page) -> list[str]:
    return page.locator(".translation").all_inner_texts()


def reading(page: Page, row: int, column: int) -> str:
    """What is said of a cell of the first map, pointed at with the mouse."""
    canvas = page.locator(f"{PAIR} canvas").first
    canvas.scroll_into_view_if_needed()
    canvas.hover()
    return page.locator(f"{PAIR} .reading").inner_text()


def test_one_sentence_two_models_one_target(page: Page, server: str) -> None:
    """Types a sentence, switches the score function, forces a common target, reads both pictures."""
    open_compare(page, server)
    page.get_by_label("English sentence").fill("She never drinks cold water.")
    page.keyboard.press("Enter")
    expect(page.locator(PAIR)).to_contain_text("predicts Elle")
    first = translations(page)
    assert first[0] == first[1] != ""  # the Transformer's French, given to both
    additive = reading(page, 0, 0)
    assert re.findall(r"0\.\d{4}", additive)

    choose(page, "RNN, dot (256)")
    expect(page.locator(PAIR)).to_contain_text("One step of RNN, dot (256)")
    assert translations(page) == first  # the same French through another RNN
    dot = reading(page, 0, 0)
    assert re.findall(r"0\.\d{4}", dot) != re.findall(r"0\.\d{4}", additive)

    choose(page, "mine")
    page.get_by_label("French sentence").fill("Elle ne boit jamais d'eau froide.")
    page.keyboard.press("Enter")
    expect(page.locator(".translation").first).to_have_text("Elle ne boit jamais d'eau froide.")
    assert translations(page) == ["Elle ne boit jamais d'eau froide."] * 2
    expect(page.locator(f"{PAIR} .reading")).not_to_have_text(dot)
    numbers = re.findall(r"[+\u2212-]?\d\.\d{4}", reading(page, 0, 0))
    assert len(numbers) == 3  # both weights and their difference
    left, right, difference = (float(number.replace("\u2212", "-")) for number in numbers)
    assert abs(right - left - difference) < 2e-4
    assert page.locator(".stException").count() == 0


def test_a_row_plays_its_step_and_the_player_goes_on(page: Page, server: str) -> None:
    open_compare(page, server)
    pair = page.locator(PAIR)
    expect(pair).to_have_attribute("data-step", "0")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(pair).to_have_attribute("data-step", "1")
    canvas = page.locator(f"{PAIR} canvas").first
    canvas.click()  # the middle row
    step = int(pair.get_attribute("data-step") or 0)
    assert step > 1
    page.get_by_role("button", name="Play", exact=True).click()
    expect(pair).not_to_have_attribute("data-step", str(step))


def test_every_tab_opens_for_an_odd_sentence(page: Page, server: str) -> None:
    open_compare(page, server)
    page.get_by_label("English sentence").fill("<b>Tom</b> & $5 don't </s>")
    page.keyboard.press("Enter")
    expect(page.locator(".translation").first).not_to_have_text("")
    for name, sign in (
        ("Gold alignments", ".js-plotly-plot .heatmaplayer image"),
        ("Long sentences", ".js-plotly-plot .scatterlayer .trace >> nth=0"),
        ("Distance", ".js-plotly-plot .scatterlayer .trace >> nth=1"),
        ("Waiting", "text=Measure now"),
        ("The models", "table >> nth=1"),
    ):
        page.get_by_role("tab", name=name).click()
        page.locator(sign).first.wait_for(state="attached")
        assert page.locator(".stException").count() == 0, name


def test_a_gold_pair_has_outlined_cells_and_its_rate(page: Page, server: str) -> None:
    open_compare(page, server)
    page.get_by_role("combobox", name="Examples").click()
    page.get_by_role("option").nth(len(EXAMPLES)).click()
    expect(page.get_by_text("This pair was aligned by hand")).to_be_visible()


def test_measuring_can_be_stopped_and_what_was_typed_stays(page: Page, server: str) -> None:
    open_compare(page, server)
    page.get_by_label("English sentence").fill("The cat sleeps.")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Waiting").click()
    page.get_by_role("button", name="Measure now").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=30_000)
    expect(page.get_by_text("Nothing has been measured")).to_be_visible()
    page.get_by_role("link", name="Translate").click()
    expect(page.get_by_label("English sentence")).to_have_value("The cat sleeps.")
