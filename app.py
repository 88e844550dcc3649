"""Regard: page settings and navigation. It computes and draws nothing."""

from pathlib import Path

import streamlit as st

from viz import state
from viz.i18n import LANGUAGES, t
from viz.state import LANGUAGE, PRESENTING

SPACE = state.Space("frame", __file__, page="")
BAR, HEARD, LANGUAGE_BUTTON, PRESENT = (SPACE.key(name) for name in ("bar", "heard", "language", "present"))
READING_STYLE = """<style>
.stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 3rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-frame-bar) {
  position: fixed; top: 0.6rem; right: 3.5rem; width: auto; z-index: 999991;
}
</style>"""
"""Streamlit leaves six lines free above a page: on a projector that is a tenth of the picture. What belongs to all
pages stands in its header."""
PRESENTING_STYLE = """<style>
html { font-size: 135%; --regard-presenting: yes; --regard-reading: static; }
.stAppHeader, .stSidebar { display: none; }
.stMain { overflow: hidden; }
.stMainBlockContainer { padding: 0.7rem 2rem; max-width: none; height: 100vh; overflow: hidden; }
[data-off-stage] { display: none !important; }
[data-testid="stLayoutWrapper"]:has(> * > .st-key-lessons-next) { display: none; }
.st-key-stage-frame, .st-key-stage-frame [data-testid="stHorizontalBlock"] { flex-wrap: nowrap; }
.st-key-stage-frame { padding-right: 6rem; }
.st-key-stage-frame [data-testid="stElementContainer"]:has([data-testid="stText"]) { flex: 1 1 0; min-width: 0; }
.st-key-stage-frame [data-testid="stText"] {
  white-space: normal; font-size: 0.9rem; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical;
  overflow: hidden;
}
[data-testid="stLayoutWrapper"]:has(> .st-key-frame-bar) {
  position: fixed; top: 0.2rem; right: 0.5rem; width: auto; z-index: 9;
}
.st-key-frame-present kbd, .st-key-frame-present button span:not([data-testid]) { font-size: 0.7rem; }
[data-build="idea"] [class*="st-key-stage-idea"] p, [data-build="try"] [class*="st-key-stage-try"] p,
[class*="st-key-stage-question"] p { font-size: 1.45rem; line-height: 1.5; }
[data-build="formula"] [class*="st-key-stage-formula"] { row-gap: 2.4rem; column-gap: 3.5rem; padding-top: 2rem; }
[data-build="formula"] .katex { font-size: 1.7em; }
[data-build] .st-key-lessons-scenes button { min-height: 1.3rem; font-size: 0.85rem; }
[data-build] .st-key-lessons-scenes button p { font-size: 0.85rem; }
.stMain::before, .stMain::after { content: none !important; } /* the frame around a page that has the focus */
.stCaption, [data-testid="stCaptionContainer"] { color: inherit; opacity: 1; }
.stMainBlockContainer [data-testid="stVerticalBlock"]:not([class*="st-key-"]) { gap: 0.6rem; }
.stMainBlockContainer h3 { padding-block: 0.2rem 0.6rem; }
.stMainBlockContainer .katex-display { margin: 0; }
</style>"""
"""Large type, nothing but the page, and no grey words. Canvas components take their type from the root's size; its mark
lets them answer arrow keys without focus."""

HEARD_STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-frame-heard) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
</style>"""

state.begin(LANGUAGES)
st.set_page_config(
    page_title=t("app.title"),
    page_icon=str(Path(__file__).parent / "viz" / "icon.svg"),
    layout="wide",
    initial_sidebar_state="collapsed",
)
pages = [
    st.Page("viz/pages/translate.py", title=t("translate.title"), default=True),
    st.Page("viz/pages/decoding.py", title=t("decoding.title"), url_path="decoding"),
    st.Page("viz/pages/worksheet.py", title=t("worksheet.title"), url_path="worksheet"),
    st.Page("viz/pages/positions.py", title=t("positions.title"), url_path="positions"),
    st.Page("viz/pages/compare.py", title=t("compare.title"), url_path="compare"),
    st.Page("viz/pages/lessons.py", title=t("lessons.title"), url_path="lessons"),
    st.Page("viz/pages/live.py", title=t("live.title"), url_path="live"),
]
page = st.navigation(pages, position="top")
state.arrive(page.url_path, page.title)
presenting = state.presenting()
st.html(PRESENTING_STYLE if presenting else READING_STYLE)
# For those who listen: the page's language, and its name, which others see in the navigation.
st.html(HEARD_STYLE)
with st.container(key=HEARD):
    said = f"<h1>{page.title}</h1><script>document.documentElement.lang = '{state.language()}'</script>"
    st.html(said, unsafe_allow_javascript=True)
with st.container(key=BAR, horizontal=True, width="content", gap="small"):
    around = (
        st.popover(":material/menu:", help=t("app.menu"), type="tertiary")
        if presenting
        else st.container(horizontal=True, width="content")
    )
    with around:
        for each in pages if presenting else ():
            st.page_link(each, query_params=state.linked_to({}))
        for code, name in LANGUAGES.items():
            if code != state.language():
                st.button(
                    name, key=LANGUAGE_BUTTON.at(code), type="tertiary", help=t("app.language"),
                    on_click=LANGUAGE.set, args=(code,),
                )  # fmt: skip
    st.button(
        ":material/close:" if presenting else t("app.present"), key=PRESENT, type="tertiary", shortcut="F9",
        help=t("app.leave") if presenting else None, on_click=PRESENTING.set, args=(not presenting,),
    )  # fmt: skip
page.run()
