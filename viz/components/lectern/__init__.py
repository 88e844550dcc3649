"""No picture: what turning scenes needs of the browser, the top of the page and keys that work from a slider too."""

from collections.abc import Mapping

import streamlit as st

from viz.components import read

_component = st.components.v2.component("lectern", js=read("lectern", "lectern.js"))


def lectern(scene: str, keys: Mapping[str, str], *, key: str) -> None:
    """`keys` says by the name of a key which button it presses, by the button's own key."""
    _component(key=key, data={"scene": scene, "keys": dict(keys)})
