"""python -m tests.browser.screenshot: make the README's picture anew, from the real app with the bundled model."""

from playwright.sync_api import sync_playwright

from model.translate import DEFAULT
from tests.benchmark.server import APP, ROOT, serve
from tests.browser.chromium import FLAGS, chromium

PICTURE = ROOT / "viz" / "translate.png"


def main() -> None:
    with serve(APP, (ROOT / DEFAULT).resolve()) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1130})
        page.goto(server.url)
        page.locator(".js-plotly-plot .heatmaplayer image").wait_for(state="attached")
        page.wait_for_timeout(1000)  # fonts
        page.screenshot(path=PICTURE)
        browser.close()
    print(PICTURE.relative_to(ROOT))


if __name__ == "__main__":
    main()
