"""Whoever comes back to a page soon finds it whole: what a component reports while it is mounted is not lost."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_translate import GRID, open_page
from viz.i18n import catalogue

WORDS = catalogue("en")
EXACT = ".js-plotly-plot .heatmaplayer image"


def follow(page: Page, name: str) -> None:
    page.get_by_role("link", name=WORDS[f"{name}.title"], exact=True).click()


@pytest.mark.parametrize("first", [0, 7, 14])
def test_the_exact_chart_is_there_after_a_short_visit_elsewhere(page: Page, server: str, first: int) -> None:
    """It waits until the overview is painted, which Python forgets as soon as another page is looked at."""
    open_page(page, server)
    page.locator(EXACT).wait_for(state="attached")
    for tenths in range(first, first + 7):
        follow(page, "positions")
        page.wait_for_timeout(100 * tenths)
        follow(page, "translate")
        page.locator(f"{GRID}[data-drawn]").wait_for()
        expect(page.locator(EXACT), f"away for {tenths / 10} s").to_be_attached(timeout=5000)
        assert page.url.removeprefix(server).startswith(("/?", "/#")) or page.url == f"{server}/"
