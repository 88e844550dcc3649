"""The formula sheet: each equation, the line of this project that computes it, and the scenes where it is used."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from model.records import Translation
from viz.document import show
from viz.document.blocks import Text
from viz.formulas import FORMULAS
from viz.i18n import t
from viz.lessons.scene import Scene, opener
from viz.state import Space

OPENER = Space("formulas", __file__, page="lessons").key("open")


def draw(scenes: Sequence[Scene], translation: Translation) -> None:
    show.caption(t("scene.formulas.reading"))
    for name, formula in FORMULAS.items():
        users = [(number, scene) for number, scene in enumerate(scenes, 1) if name in scene.formulas]
        equation, code = st.columns((2, 3), vertical_alignment="center")
        with equation:
            show.formula(name)
        with code:
            number, line = formula.place()
            show.code(line, language="python", wrap_lines=True)
            with st.container(horizontal=True, vertical_alignment="center"):
                show.caption(f"`{formula.file}:{number}`", width="content")
                for place, scene in users:
                    opener(scene, place, key=OPENER.at(name))
            if users:
                titles = " \u00b7 ".join(scene.title(place) for place, scene in users)
                show.only_saved(Text(text=titles, quiet=True))


def sheet(scenes: Sequence[Scene]) -> Scene:
    """The scene about the equations of `scenes`, which are in the order of the lessons."""
    return Scene(name="formulas", draw=partial(draw, scenes), formulas=(), reads=False)
