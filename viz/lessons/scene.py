"""What a scene is made of, and how it is laid out: one idea, its equation, a live picture, a question."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from model.records import Translation
from viz.document import show
from viz.i18n import t
from viz.lessons.more import More, links
from viz.state import Key, Space

_STAGE = Space("stage", __file__, page="lessons")
PARTS = tuple(_STAGE.key(name) for name in ("idea", "formula", "scene", "try", "question"))
"""What a presentation shows one after the other: components/stage knows them by these names."""
FRAME = _STAGE.key("frame")
"""Around what stays on the screen."""
OPEN = Space("lesson", __file__, page="lessons").choice("open", "", address="scene")
"""The open scene's name; none is the outline."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Its words lie in the catalogues under `scene.{name}`: title, idea, try, question, answer, what `draw` says."""

    name: str
    draw: Callable[[Translation], None]
    """The picture or control, for the Transformer's translation of the visitor's sentence."""
    formulas: tuple[str, ...]
    """Names in viz/formulas.json."""
    more: tuple[More, ...] = ()
    reads: bool = True
    """Whether the picture is about the sentence at all."""

    def title(self, number: int) -> str:
        """With its number in the order of the lessons, counted from 1."""
        return f"{number}\u2002{t(f'scene.{self.name}.title')}"


def opener(scene: Scene, number: int, *, key: Key) -> None:
    """A button that opens a scene."""
    st.button(scene.title(number), key=key.at(scene.name), type="tertiary", on_click=OPEN.set, args=(scene.name,))


def draw(scene: Scene, number: int, ask: Callable[[], Translation | None]) -> None:
    """A scene from its title to its question; `ask` is for the translation, without which there are only words."""
    idea, formula, picture, task, question = (key.at(scene.name) for key in PARTS)
    show.heading(scene.title(number))
    with st.container(key=idea):
        show.markdown(t(f"scene.{scene.name}.idea"))
    with st.container(key=formula, horizontal=True, gap="medium", vertical_alignment="center"):
        for name in scene.formulas:
            show.formula(name, width="content")
    translation = ask()
    if translation is not None:
        with st.container(key=picture):
            scene.draw(translation)
    with st.container(key=task):
        show.markdown(f"**{t('lessons.try')}** {t(f'scene.{scene.name}.try')}")
    with st.container(key=question):
        show.question(t(f"scene.{scene.name}.question"), t(f"scene.{scene.name}.answer"))
    if scene.more:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(t("lessons.more"), width="content")
            links(scene.more)
