"""The formula sheet: each equation, the line of this project that computes it, and the scene where it is used."""

import streamlit as st

from model.records import Translation
from viz import session
from viz.formulas import FORMULAS
from viz.i18n import t
from viz.lessons.scene import SCENE_KEY, Scene


def draw(translation: Translation) -> None:
    from viz.lessons.registry import SCENES  # which has this scene in it

    st.caption(t("scene.formulas.reading"))
    for name, formula in FORMULAS.items():
        scenes = [(place, scene) for place, scene in enumerate(SCENES, 1) if name in scene.formulas]
        equation, code = st.columns((2, 3), vertical_alignment="center")
        equation.latex(formula.latex)
        with code:
            number, line = formula.place()
            st.code(line, language="python", wrap_lines=True)
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"`{formula.file}:{number}`", width="content")
                for place, scene in scenes:
                    st.button(
                        f"{place}\u2002{t(f'scene.{scene.name}.title')}", key=f"formulas_{name}_{scene.name}",
                        type="tertiary", on_click=session.keep, args=(SCENE_KEY, scene.name),
                    )  # fmt: skip


SCENE = Scene(name="formulas", draw=draw, formulas=(), reads=False)
