"""Regard: page settings and navigation. It computes and draws nothing."""

from pathlib import Path

import streamlit as st

from viz import session
from viz.i18n import LANGUAGES, t

READING = "<style>.stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 3rem; }</style>"
"""Streamlit leaves six lines free above a page: on a projector that is a tenth of the picture."""
PRESENTING = """<style>
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

session.begin(LANGUAGES)
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
        st.Page("viz/pages/compare/page.py", title=t("compare.title"), url_path="compare"),
        st.Page("viz/pages/lessons/page.py", title=t("lessons.title"), url_path="lessons"),
        st.Page("viz/pages/live.py", title=t("live.title"), url_path="live"),
    ],
    position="top",
)
session.arrive(page.url_path, page.title)
presenting = session.presenting()
st.html(PRESENTING if presenting else READING)
page.run()
st.sidebar.selectbox(
    t("app.language"), LANGUAGES, list(LANGUAGES).index(session.language()), key="language-box",
    format_func=LANGUAGES.__getitem__, on_change=session.speak, args=("language-box",),
)  # fmt: skip
st.button(
    t("app.leave") if presenting else t("app.present"), key="present-button", type="tertiary", shortcut="F9",
    on_click=session.present, args=(not presenting,),
)  # fmt: skip
