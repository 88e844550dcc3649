"""A lecture in front of a projector: scenes and pages build by build, nothing beyond the window, nothing scrolled."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_lessons import SCENES

STAGE = "[class*=st-key-save-stage]"
BUILD = "document.querySelector('[data-testid=stMainBlockContainer]').dataset.build"
OUTSIDE = """() => {
  const seen = [...document.querySelectorAll("[data-testid=stMainBlockContainer] [data-testid=stElementContainer]")];
  const found = [];
  for (const node of seen) {
    if (node.closest(".st-key-frame-heard")) continue;
    const box = node.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || getComputedStyle(node).visibility === "hidden") continue;
    if (box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1 || box.top < -1)
      found.push([node.className.match(/st-key-[\\w-]+/) ?? node.textContent.slice(0, 40), box.right, box.bottom]);
  }
  return found;
}"""
"""What of a build is not in the window."""
SETTLED = """() => {
  const main = document.querySelector("[data-testid=stMainBlockContainer]");
  const parts = [...main.querySelectorAll("[data-testid=stElementContainer]")];
  const now = JSON.stringify([main.dataset.settled, parts.map((node) => node.offsetHeight)]);
  const same = window.before === now && main.dataset.settled !== undefined;
  window.before = now;
  return same;
}"""


def settle(page: Page) -> None:
    page.locator(f"{STAGE} .bar i").first.wait_for(state="attached")
    page.wait_for_function(SETTLED, polling=400)


def lecture(browser: Browser, address: str, width: int, height: int, most: int) -> list[str]:
    """Go through a page or scene by PageDown; its builds."""
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(address)
    builds: list[str] = []
    count = 0
    while len(builds) < most:
        settle(page)
        count = page.locator(f"{STAGE} .bar i").count()
        name = page.evaluate(BUILD)
        builds.append(name)
        assert page.evaluate(OUTSIDE) == [], f"{address}, build {len(builds)} ({name})"
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
        assert page.locator(".stException").count() == 0
        if len(builds) == count:
            break
        page.keyboard.press("PageDown")
        page.wait_for_function(
            f"past => document.querySelector('{STAGE} [data-testid=stBidiComponentIsolated]')"
            ".shadowRoot.querySelectorAll('.past').length > past",
            arg=len(builds),
        )
    context.close()
    return builds


@pytest.mark.parametrize("scene", [scene.name for scene in SCENES])
def test_a_scene_fits_the_screen_build_by_build(browser: Browser, server: str, scene: str) -> None:
    language = "zh" if [each.name for each in SCENES].index(scene) % 2 else "en"
    builds = lecture(browser, f"{server}/lessons?present=True&scene={scene}&language={language}", 1280, 720, 40)
    assert builds[0] == "idea"
    assert builds[-2:] == ["question", "answer"]
    assert "try" in builds


@pytest.mark.parametrize("place", ["/", "/compare", "/positions"])
def test_a_page_shows_its_pictures_one_after_the_other(browser: Browser, server: str, place: str) -> None:
    builds = lecture(browser, f"{server}{place}?present=True", 1280, 720, 40)
    assert builds.count("picture") > 1


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab for deep links, at which Streamlit asks for what is not there."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    tab = context.new_page()
    tab.set_default_timeout(30_000)
    yield tab
    context.close()


def test_a_clicker_goes_on_to_the_next_scene_and_back_to_the_end_of_the_last(page: Page, server: str) -> None:
    page.goto(f"{server}/lessons?present=True&scene=bottleneck")
    settle(page)
    count = page.locator(f"{STAGE} .bar i").count()
    for _ in range(count):
        page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("scene=distance"))
    page.wait_for_function(f"{BUILD} === 'idea'")
    settle(page)
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile("scene=bottleneck"))
    page.wait_for_function(f"{BUILD} === 'answer'")
    expect(page.locator("details")).to_have_attribute("open", "")


def test_the_address_keeps_the_build(page: Page, server: str) -> None:
    page.goto(f"{server}/lessons?present=True&scene=bottleneck")
    settle(page)
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("build=1"))
    shown = page.evaluate(BUILD)
    page.goto(page.url)
    settle(page)
    assert page.evaluate(BUILD) == shown
    page.keyboard.press("F9")  # at a desk everything is there again
    expect(page.locator("details")).to_be_visible()
    expect(page.locator("[data-off-stage]")).to_have_count(0)
