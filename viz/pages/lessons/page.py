"""Lessons: an outline, and one scene after the other."""

import streamlit as st

from model.trace import Translation
from viz import service, session
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.pages.lessons import blocks
from viz.pages.lessons.order import PARTS, SCENES
from viz.pages.lessons.scene import SCENE_KEY, Scene, show
from viz.pages.parts import ask_translation, linked_page, loaded

NAMES = ["", *(scene.name for scene in SCENES)]
"""In the order of `steps`: first the outline."""
ALL = "all"
"""All scenes on one page."""
STYLE = """<style>
.st-key-lessons_scenes button { min-height: 1.8rem; padding-block: 0; }
[data-testid="stLayoutWrapper"]:has(> .st-key-lessons_scenes) { flex: 1 1 17rem; width: auto; }
[data-testid="stLayoutWrapper"]:has(> .st-key-lessons_map) { flex: 999 1 min(36rem, 100%); width: auto; }
</style>"""
"""A list of scenes, not a row of buttons; beside the map where there is room for both."""


def go(name: str) -> None:
    session.keep(SCENE_KEY, name)


def label(name: str) -> str:
    if name in ("", ALL):
        return t("lessons.all") if name else t("lessons.outline")
    return f"{NAMES.index(name)}\u2002{t(f'scene.{name}.title')}"


def steps(open_scene: str) -> None:
    """Back, forward, and all there are."""
    at = NAMES.index(open_scene) if open_scene in NAMES else 0
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
            t("lessons.outline"), [*NAMES, ALL], key=SCENE_KEY, format_func=label, label_visibility="collapsed",
            width=420, persist_state="session",
        )  # fmt: skip


def outline() -> None:
    """All scenes, by part, and the architecture as a map of their subject."""
    st.html(STYLE)
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="lessons_scenes", gap="xxsmall"):
            st.markdown(t("lessons.intro"))
            for part, scenes in PARTS.items():
                st.markdown(f"**{t(f'lessons.part.{part}')}**")
                for scene in scenes:
                    st.button(label(scene.name), key=f"lessons_open_{scene.name}", type="tertiary", on_click=go,
                              args=(scene.name,))  # fmt: skip
        with st.container(key="lessons_map"):
            translation = ask_translation(EXAMPLES)
            if translation is not None:
                blocks.draw(translation)


def ask() -> Translation | None:
    """The sentence box, and its translation below."""
    translation = ask_translation(EXAMPLES)
    if translation is not None:
        st.text(f"\u2192 {translation.text or t('strip.nothing')}")
    return translation


def draw(scene: Scene) -> None:
    show(scene, NAMES.index(scene.name), ask if scene.reads else lambda: service.translate(EXAMPLES[0]))


def hand_out() -> None:
    """All scenes for one sentence, one below the other: what is saved at the end of the page is a hand-out."""
    st.markdown(t("lessons.all_intro"))
    translation = ask()
    if translation is None:
        return
    progress = st.progress(0.0)
    for number, scene in enumerate(SCENES, 1):
        progress.progress((number - 1) / len(SCENES), label(scene.name))
        st.divider()
        show(scene, number, lambda: translation)
    progress.empty()


@st.fragment
def page() -> None:
    if loaded(service.translator) is None:
        return
    with linked_page():
        session.linked(SCENE_KEY, "", lambda text: text if text in (*NAMES, ALL) else None)
        steps(session.kept(SCENE_KEY, ""))
        chosen = session.kept(SCENE_KEY, "")
        if chosen == ALL:
            hand_out()
        elif chosen:
            draw(next(scene for scene in SCENES if scene.name == chosen))
        else:
            outline()
    service.settle("lessons")


page()
