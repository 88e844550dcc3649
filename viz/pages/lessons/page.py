"""Lessons: an outline, and one scene after the other."""

import streamlit as st

from viz import service, session
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.pages.lessons.order import PARTS, SCENES
from viz.pages.lessons.scene import SCENE_KEY, Scene, show
from viz.pages.parts import ask_translation, linked_page, loaded

NAMES = ["", *(scene.name for scene in SCENES)]


def go(name: str) -> None:
    session.keep(SCENE_KEY, name)


def label(name: str) -> str:
    return f"{NAMES.index(name)}\u2002{t(f'scene.{name}.title')}" if name else t("lessons.outline")


def steps(open_scene: str) -> None:
    """Back, forward, and all there are."""
    at = NAMES.index(open_scene)
    keys = ("PageUp", "PageDown") if session.presenting() else ("P", "N")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            t("lessons.previous"), key="lessons_previous", disabled=at == 0, shortcut=keys[0], on_click=go,
            args=(NAMES[max(at - 1, 0)],),
        )  # fmt: skip
        st.button(
            t("lessons.next"), key="lessons_next", disabled=at == len(SCENES), shortcut=keys[1], type="primary",
            on_click=go, args=(NAMES[min(at + 1, len(SCENES))],),
        )  # fmt: skip
        st.selectbox(
            t("lessons.outline"), NAMES, key=SCENE_KEY, format_func=label, label_visibility="collapsed", width=420,
            persist_state="session",
        )  # fmt: skip


def outline() -> None:
    """All scenes, by part."""
    st.markdown(t("lessons.intro"))
    for part, scenes in PARTS.items():
        st.markdown(f"**{t(f'lessons.part.{part}')}**")
        for scene in scenes:
            st.button(label(scene.name), key=f"lessons_open_{scene.name}", type="tertiary", on_click=go,
                      args=(scene.name,))  # fmt: skip


def draw(scene: Scene) -> None:
    number = NAMES.index(scene.name)
    translation = ask_translation(EXAMPLES) if scene.reads else service.translate(EXAMPLES[0])
    if translation is not None and scene.reads:
        st.text(f"\u2192 {translation.text or t('strip.nothing')}")
    show(scene, number, translation)


@st.fragment
def page() -> None:
    if loaded(service.translator) is None:
        return
    with linked_page():
        session.linked(SCENE_KEY, "", lambda text: text if text in NAMES else None)
        steps(session.kept(SCENE_KEY, ""))
        chosen = next((scene for scene in SCENES if scene.name == session.kept(SCENE_KEY, "")), None)
        if chosen is None:
            outline()
        else:
            draw(chosen)
    service.settle("lessons")


page()
