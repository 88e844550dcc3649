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
html { font-size: 135%; --regard-presenting: yes; }
.stAppHeader, .stSidebar { display: none; }
.stMainBlockContainer { padding: 1rem 2rem; max-width: none; }
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
page = st.navigation(
    [
        st.Page("viz/pages/translate.py", title=t("translate.title"), default=True),
        st.Page("viz/pages/decoding.py", title=t("decoding.title"), url_path="decoding"),
        st.Page("viz/pages/worksheet.py", title=t("worksheet.title"), url_path="worksheet"),
        st.Page("viz/pages/positions.py", title=t("positions.title"), url_path="positions"),
        st.Page("viz/pages/compare.py", title=t("compare.title"), url_path="compare"),
        st.Page("viz/pages/lessons.py", title=t("lessons.title"), url_path="lessons"),
        st.Page("viz/pages/live.py", title=t("live.title"), url_path="live"),
    ],
    position="top",
)
state.arrive(page.url_path, page.title)
presenting = state.presenting()
st.html(PRESENTING_STYLE if presenting else READING_STYLE)
# For those who listen: the page's language, and its name, which others see in the navigation.
st.html(HEARD_STYLE)
with st.container(key=HEARD):
    said = f"<h1>{page.title}</h1><script>document.documentElement.lang = '{state.language()}'</script>"
    st.html(said, unsafe_allow_javascript=True)
if not presenting:
    with st.container(key=BAR, horizontal=True, width="content", gap="small"):
        for code, name in LANGUAGES.items():
            if code != state.language():
                st.button(
                    name, key=LANGUAGE_BUTTON.at(code), type="tertiary", help=t("app.language"),
                    on_click=LANGUAGE.set, args=(code,),
                )  # fmt: skip
        st.button(t("app.present"), key=PRESENT, type="tertiary", shortcut="F9", on_click=PRESENTING.set, args=(True,))
page.run()
if presenting:
    st.button(t("app.leave"), key=PRESENT, type="tertiary", shortcut="F9", on_click=PRESENTING.set, args=(False,))
