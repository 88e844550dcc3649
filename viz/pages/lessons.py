"""Lessons: an outline, and one scene after the other."""

import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.records import Translation
from viz import models, state
from viz.components.shortcut_keys import shortcut_keys
from viz.document import show
from viz.document.blocks import Text
from viz.document.page import page_frame
from viz.escape import escape
from viz.examples import EXAMPLES
from viz.i18n import t
from viz.lessons import map as architecture
from viz.lessons import scene
from viz.lessons.registry import PARTS, SCENES
from viz.lessons.scene import FRAME, OPEN
from viz.state import Key, Space
from viz.widgets.bundled import loaded
from viz.widgets.inputs import select
from viz.widgets.sentence import ask_translation, read_sentence

SPACE = Space("lessons", __file__)
PREVIOUS, NEXT, KEYS, OPENER, LIST, MAP = (
    SPACE.key(name) for name in ("previous", "next", "keys", "open", "scenes", "map")
)
NAMES = ("", *(each.name for each in SCENES))
"""In the order in which one turns them: first the outline."""
ALL = "all"
"""All scenes on one page."""


def css(key: Key) -> str:
    """The class that Streamlit gives to what has this key, without its beginning."""
    return re.sub(r"[^\w-]", "-", key)


STYLE = f"""<style>
.st-key-{css(LIST)} button {{ min-height: 1.8rem; padding-block: 0; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-{css(LIST)}) {{ flex: 1 1 17rem; width: auto; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-{css(MAP)}) {{ flex: 999 1 min(36rem, 100%); width: auto; }}
</style>"""
"""A list of scenes, not a row of buttons; beside the map where there is room for both."""


def label(name: str) -> str:
    if name in ("", ALL):
        return t("lessons.all") if name else t("lessons.outline")
    number = NAMES.index(name)
    return SCENES[number - 1].title(number)


def turn_pages() -> tuple[str, DeltaGenerator]:
    """Back, forward, and all there are. Returns which scene is open, and a place beside them."""
    with st.container(key=FRAME, horizontal=True, vertical_alignment="bottom"):
        buttons = st.container(horizontal=True, width="content")
        chosen = select(OPEN, t("lessons.outline"), (*NAMES, ALL), named=label, labelled=False, width=420)
        spot = st.container(horizontal=True, vertical_alignment="center")
    at = NAMES.index(chosen) if chosen in NAMES else 0
    with buttons:
        st.button(
            t("lessons.previous"), key=PREVIOUS, disabled=at == 0, shortcut="P", on_click=OPEN.set,
            args=(NAMES[max(at - 1, 0)],),
        )  # fmt: skip
        st.button(
            t("lessons.next"), key=NEXT, disabled=at == len(SCENES), shortcut="N", type="primary", on_click=OPEN.set,
            args=(NAMES[min(at + 1, len(SCENES))],),
        )  # fmt: skip
    presses = {"P": css(PREVIOUS), "N": css(NEXT)}
    shortcut_keys(chosen, presses | {key.lower(): button for key, button in presses.items()}, key=KEYS)
    return chosen, spot


def outline() -> None:
    """All scenes, by part, and the architecture as a map of their subject."""
    st.html(STYLE)
    with st.container(horizontal=True, gap="medium"):
        with st.container(key=LIST, gap="xxsmall"):
            show.markdown(t("lessons.intro"))
            for part, scenes in PARTS.items():
                show.markdown(f"**{t(f'lessons.part.{part}')}**")
                for each in scenes:
                    scene.opener(each, NAMES.index(each.name), key=OPENER)
                    show.only_saved(Text(text=escape(label(each.name))))
        with st.container(key=MAP):
            translation = ask_translation()
            if translation is not None:
                architecture.draw(translation)


def ask(spot: DeltaGenerator) -> Translation | None:
    """The sentence box, and its translation below. In front of a room, where the picture comes first, the box opens at
    `spot`."""
    with spot.popover(t("translate.sentence")) if state.presenting() else st.container():
        translation = ask_translation()
    if translation is not None:
        text = f"{t('lessons.transformer')} {translation.text or t('strip.nothing')}"
        with spot if state.presenting() else st.container():
            show.plain(text, width="content")
    return translation


def one(name: str, spot: DeltaGenerator) -> None:
    number = NAMES.index(name)
    chosen = SCENES[number - 1]
    if chosen.reads:
        scene.draw(chosen, number, lambda: ask(spot))
    else:
        read_sentence()
        scene.draw(chosen, number, lambda: models.translate(EXAMPLES[0]))


def hand_out(spot: DeltaGenerator) -> None:
    """All scenes for one sentence, one below the other: what is saved at the end of the page is a hand-out."""
    st.markdown(t("lessons.all_intro"))
    translation = ask(spot)
    if translation is None:
        return
    progress = st.progress(0.0)
    for number, each in enumerate(SCENES, 1):
        progress.progress((number - 1) / len(SCENES), each.title(number))
        st.divider()
        scene.draw(each, number, lambda: translation)
    progress.empty()


@st.fragment
def page() -> None:
    if loaded(models.translator) is None:
        return
    with page_frame({"next": css(NEXT), "previous": css(PREVIOUS)}):
        chosen, spot = turn_pages()
        state.turn(f"lesson {chosen}")
        if chosen == ALL:
            hand_out(spot)
        elif chosen:
            one(chosen, spot)
        else:
            outline()
    models.freeze_garbage("lessons")


if __name__ == "__main__":
    page()
