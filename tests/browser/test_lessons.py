"""Every scene of the lessons in every language, walked through by keyboard as a lecturer does."""

import os
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_pages import READY
from tests.browser.test_translate import open_page
from viz.i18n import LANGUAGES, catalogue
from viz.lessons.registry import SCENES

WORDS = catalogue("en")
ODD = "<b>Tom</b> & $5 don't </s>"


def open_lessons(page: Page, address: str, language: str = "en") -> None:
    """By its link: Streamlit asks in vain for two files when a page is opened by its address."""
    open_page(page, f"{address}/?language={language}")
    page.get_by_role("link", name=catalogue(language)["lessons.title"], exact=True).click()
    expect(page.get_by_text(catalogue(language)["lessons.intro"])).to_be_visible()


def wait_for_scene(page: Page, number: int, language: str = "en") -> None:
    """Until it is drawn to its end, without an error."""
    words, name = catalogue(language), SCENES[number - 1].name
    title = re.compile(rf"^{number}\s{re.escape(words[f'scene.{name}.title'])}$")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    expect(page.get_by_text(words["lessons.try"])).to_have_count(1, timeout=60_000)  # the last scene's is gone
    page.locator(READY).wait_for()
    assert page.locator(".stException").count() == 0, name
    assert page.locator("[data-testid=stAlertContentError]").count() == 0, name


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_scene_in_its_turn(page: Page, server: str, language: str) -> None:
    open_lessons(page, server, language)
    for number, scene in enumerate(SCENES, 1):
        page.keyboard.press("n")
        wait_for_scene(page, number, language)
        expect(page).to_have_url(re.compile(f"scene={scene.name}"))
    page.keyboard.press("p")
    wait_for_scene(page, len(SCENES) - 1, language)


@pytest.mark.parametrize("text", [ODD, "No"])
def test_every_scene_for_an_odd_sentence(page: Page, server: str, text: str) -> None:
    """One word has no distances and hardly an order."""
    open_lessons(page, server)
    page.get_by_label(WORDS["translate.sentence"]).fill(text)
    page.keyboard.press("Enter")
    page.locator(READY).wait_for()
    page.get_by_role("heading", level=3).first.click()  # out of the box, where n is a letter
    for number, scene in enumerate(SCENES, 1):
        page.keyboard.press("n")
        wait_for_scene(page, number)
        if scene.reads:
            expect(page.get_by_label(WORDS["translate.sentence"])).to_have_value(text)


def test_the_question_hides_its_answer(page: Page, server: str) -> None:
    open_lessons(page, server)
    page.get_by_role("button", name=re.compile(f"^{WORDS['lessons.next']}")).click()
    wait_for_scene(page, 1)
    answer = page.get_by_text(WORDS[f"scene.{SCENES[0].name}.answer"][:40])
    expect(answer).to_be_hidden()
    page.get_by_text(WORDS[f"scene.{SCENES[0].name}.question"]).click()
    expect(answer).to_be_visible()


def test_all_scenes_are_saved_as_one_hand_out(page: Page, server: str) -> None:
    open_lessons(page, server)
    page.get_by_role("combobox", name=WORDS["lessons.outline"]).click()
    page.get_by_role("option", name=WORDS["lessons.all"]).click()
    expect(page.get_by_text(WORDS["lessons.try"])).to_have_count(len(SCENES), timeout=90_000)
    page.locator(READY).wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name=WORDS["saved.button"]).click()
    text = download.value.path().read_text(encoding="utf-8")
    for scene in SCENES:
        assert WORDS[f"scene.{scene.name}.title"] in text, scene.name


def test_the_language_changes_and_nothing_is_lost(page: Page, server: str) -> None:
    open_page(page, server)
    page.get_by_label(WORDS["translate.sentence"]).fill(ODD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name=LANGUAGES["zh"]).click()
    words = catalogue("zh")
    for _ in range(2):
        expect(page.get_by_label(words["translate.sentence"])).to_have_value(ODD)
        expect(page).to_have_url(re.compile("language=zh"))
        page.locator(READY).wait_for()
        page.get_by_role("link", name=words["compare.title"]).click()


def test_the_scene_and_its_name_follow_the_language(page: Page, server: str) -> None:
    open_lessons(page, server)
    page.keyboard.press("n")
    wait_for_scene(page, 1)
    for language in ("zh", "en", "zh"):
        page.get_by_role("button", name=LANGUAGES[language]).click()
        wait_for_scene(page, 1, language)
        chosen = page.get_by_role("combobox", name=catalogue(language)["lessons.outline"])
        expect(chosen).to_have_value(re.compile(catalogue(language)[f"scene.{SCENES[0].name}.title"]))


def test_turning_scenes_quickly_loses_nothing(page: Page, server: str) -> None:
    """A run that the next key cuts short must not leave a box empty."""
    open_lessons(page, server)
    page.get_by_label(WORDS["translate.sentence"]).fill("We love music.")
    page.keyboard.press("Enter")
    page.locator(READY).wait_for()
    page.get_by_text(WORDS["lessons.intro"]).click()
    for gap in (60, 150, 300):
        for key in "nnnnnnppppp":
            page.keyboard.press(key)
            page.wait_for_timeout(gap)
    page.wait_for_timeout(1000)
    page.locator(READY).wait_for()
    expect(page).to_have_url(re.compile(r"sentence=We\+love\+music"))


def test_in_a_presentation_a_moved_slider_does_not_keep_the_keys(page: Page, server: str) -> None:
    open_lessons(page, server)
    page.keyboard.press("F9")
    main = page.get_by_test_id("stMainBlockContainer")
    expect(main).to_have_attribute("data-build", re.compile("."))
    page.keyboard.press("n")
    expect(main).to_have_attribute("data-build", "idea")
    page.locator("[data-test-script-state=notRunning]").wait_for(state="attached")
    place = page.get_by_role("img", name=re.compile(r"^\d+ . \d+$"))
    slider = page.locator("[role=slider]:visible, input[type=range]:visible").first
    while not slider.count():
        page.keyboard.press("PageDown")
        page.wait_for_timeout(700)
    before = place.get_attribute("aria-label") or ""
    slider.focus()
    page.keyboard.press("PageDown")
    expect(place).not_to_have_attribute("aria-label", before)


def test_a_browser_in_chinese_begins_in_chinese(browser: Browser, server: str) -> None:
    context = browser.new_context(locale="zh-CN")
    tab = context.new_page()
    tab.goto(server)
    expect(tab.get_by_label(catalogue("zh")["translate.sentence"])).to_be_visible(timeout=60_000)
    assert "language" not in tab.url
    context.close()


GLYPHS = """([text, family]) => {
  const pixels = (character) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
    const pen = canvas.getContext("2d");
    pen.font = `30px ${family}`;
    pen.fillText(character, 2, 32);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  const missing = pixels("\\u{10FFFF}");
  return [...text].filter((character) => [missing, pixels(" ")].includes(pixels(character)));
}"""
"""The characters that the browser has no picture of: they look like one that does not exist, or like nothing."""


@pytest.mark.parametrize("place", [".attention-grid", ".js-plotly-plot text"])
def test_chinese_has_its_glyphs_in_the_pictures(page: Page, server: str, place: str) -> None:
    """Of the fonts in which canvases and charts write, for all characters of the catalogue."""
    open_page(page, f"{server}/?language=zh")
    element = page.locator(place).first
    element.wait_for(state="attached")
    family = element.evaluate("element => getComputedStyle(element).fontFamily")
    text = "".join(sorted(set(re.findall(r"[\u4e00-\u9fff]", "".join(catalogue("zh").values())))))
    absent = page.evaluate(GLYPHS, [text, family])
    if len(absent) == len(text) and not os.environ.get("REGARD_BROWSER_REQUIRED"):
        pytest.skip("this machine has no font for Chinese")
    assert absent == []
    assert page.evaluate(GLYPHS, ["\ue123", family]) == ["\ue123"], "a character of no font would be found"
