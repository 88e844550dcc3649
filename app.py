"""Regard: page settings and navigation. It computes and draws nothing."""

from pathlib import Path

import streamlit as st

from viz.i18n import t

st.set_page_config(page_title=t("app.title"), page_icon=str(Path(__file__).parent / "viz" / "icon.svg"), layout="wide")
# Streamlit leaves six lines free above a page: on a projector that is a tenth of the picture.
st.html("<style>.stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 3rem; }</style>")
st.navigation(
    [
        st.Page("viz/pages/translate.py", title=t("translate.title"), default=True),
        st.Page("viz/pages/compare/page.py", title=t("compare.title"), url_path="compare"),
    ],
    position="top",
).run()
