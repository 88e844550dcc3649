"""python -m tests.browser.screenshot: make the README's pictures anew, from the real app with the bundled models."""

import base64

from playwright.sync_api import Browser, sync_playwright

from model.translate import DEFAULT
from tests.benchmark.server import APP, ROOT, serve
from tests.browser.chromium import FLAGS, chromium
from viz.i18n import catalogue

PICTURE, LESSONS = ROOT / "viz" / "translate.png", ROOT / "viz" / "lessons.png"
SCENES = ("scaling", "explanation", "halves")


def scenes(browser: Browser, address: str) -> None:
    """The beginnings of three scenes, side by side."""
    page, images = browser.new_page(viewport={"width": 900, "height": 1400}), []
    for name in SCENES:
        page.goto(f"{address}/lessons?scene={name}")
        page.get_by_text(catalogue("en")["lessons.try"]).wait_for(timeout=60_000)
        page.wait_for_timeout(3000)  # charts, fonts
        images.append(
            base64.b64encode(page.screenshot(clip={"x": 40, "y": 120, "width": 860, "height": 1280})).decode()
        )
    page.set_viewport_size({"width": 1560, "height": 780})
    style = "margin:0;display:flex;gap:6px;background:#999"
    shown = "".join(f'<img width="516" src="data:image/png;base64,{image}">' for image in images)
    page.set_content(f'<body style="{style}">{shown}')
    page.wait_for_timeout(500)
    page.screenshot(path=LESSONS, clip={"x": 0, "y": 0, "width": 1560, "height": 768})


def main() -> None:
    with serve(APP, (ROOT / DEFAULT).resolve()) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 1130})
        page.goto(server.url)
        page.locator(".js-plotly-plot .heatmaplayer image").wait_for(state="attached")
        page.wait_for_timeout(1000)  # fonts
        page.screenshot(path=PICTURE)
        scenes(browser, server.url)
        browser.close()
    print(PICTURE.relative_to(ROOT), LESSONS.relative_to(ROOT))


if __name__ == "__main__":
    main()
