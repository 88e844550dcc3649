"""Lessons: an outline, and one scene after the other."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.records import Translation
from viz import models, session
from viz.components.shortcut_keys import shortcut_keys
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.lessons import map as architecture_map
from viz.lessons.registry import PARTS, SCENES
from viz.lessons.scene import SCENE_KEY, Scene, show
from viz.widgets.parts import ask_translation, linked_page, loaded

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


def steps(open_scene: str) -> DeltaGenerator:
    """Back, forward, and all there are. Returns a place beside them."""
    at = NAMES.index(open_scene) if open_scene in NAMES else 0
    back, on = ("PageUp", "PageDown") if session.presenting() else ("P", "N")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            t("lessons.previous"), key="lessons_previous", disabled=at == 0, shortcut=back, on_click=go,
            args=(NAMES[max(at - 1, 0)],),
        )  # fmt: skip
        st.button(
            t("lessons.next"), key="lessons_next", disabled=at == len(SCENES), shortcut=on, type="primary",
            on_click=go, args=(NAMES[min(at + 1, len(SCENES))],),
        )  # fmt: skip
        # A box of its own for each language: a browser keeps the name of what is chosen as it was first written.
        box = f"lessons_outline_{session.language()}"
        session.keep(box, open_scene)
        st.selectbox(
            t("lessons.outline"), [*NAMES, ALL], key=box, format_func=label, label_visibility="collapsed",
            width=420, on_change=lambda: go(session.kept(box, "")),
        )  # fmt: skip
        spot = st.container(width="content")
    presses = {back: "lessons_previous", on: "lessons_next"}
    shortcut_keys(open_scene, presses | {key.lower(): button for key, button in presses.items()}, key="shortcut_keys")
    return spot


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
                architecture_map.draw(translation)


def ask(spot: DeltaGenerator) -> Translation | None:
    """The sentence box, and its translation below. In front of a room, where the picture comes first, the box opens at
    `spot`."""
    with spot.popover(t("translate.sentence")) if session.presenting() else st.container():
        translation = ask_translation(EXAMPLES)
    if translation is not None:
        st.text(f"{t('lessons.transformer')} {translation.text or t('strip.nothing')}")
    return translation


def draw(scene: Scene, spot: DeltaGenerator) -> None:
    show(scene, NAMES.index(scene.name), (lambda: ask(spot)) if scene.reads else lambda: models.translate(EXAMPLES[0]))


def hand_out(spot: DeltaGenerator) -> None:
    """All scenes for one sentence, one below the other: what is saved at the end of the page is a hand-out."""
    st.markdown(t("lessons.all_intro"))
    translation = ask(spot)
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
    if loaded(models.translator) is None:
        return
    with linked_page():
        session.linked(SCENE_KEY, "", lambda text: text if text in (*NAMES, ALL) else None)
        session.linked(session.SENTENCE, EXAMPLES[0], str)  # also where a scene has no box for it
        session.turn(f"lessons {session.kept(SCENE_KEY, '')}")
        spot = steps(session.kept(SCENE_KEY, ""))
        chosen = session.kept(SCENE_KEY, "")
        if chosen == ALL:
            hand_out(spot)
        elif chosen:
            draw(next(scene for scene in SCENES if scene.name == chosen), spot)
        else:
            outline()
    models.settle("lessons")


page()
