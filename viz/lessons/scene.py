"""What a scene is made of, and how it is laid out: one idea, its equation, a live picture, a question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from model.records import Translation
from viz import session
from viz.formulas import FORMULAS
from viz.i18n import t
from viz.saved import Formula, Heading, Question, Text

SCENE_KEY = "scene"
"""Of the address: the open scene's name; none is the outline."""


@dataclass(frozen=True, kw_only=True)
class More:
    """A page where a scene goes on."""

    page: str
    """Its file from the project's folder."""
    title: str
    """Key of its name."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """What the address says besides the sentence."""


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


def show(scene: Scene, number: int, ask: Callable[[], Translation | None]) -> None:
    """A scene from its title to its question; `ask` is for the translation, without which there are only words."""
    st.subheader(f"{number}\u2002{t(f'scene.{scene.name}.title')}", anchor=False)
    st.markdown(t(f"scene.{scene.name}.idea"))
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        for name in scene.formulas:
            st.latex(FORMULAS[name].latex, width="content")
    note = session.record().note
    note(f"{scene.name}_title", Heading(text=f"{number}\u2002{t(f'scene.{scene.name}.title')}"))
    note(f"{scene.name}_idea", Text(text=t(f"scene.{scene.name}.idea")))
    for name in scene.formulas:
        note(f"{scene.name}_{name}", Formula(mathml=FORMULAS[name].mathml))
    translation = ask()
    if translation is not None:
        scene.draw(translation)
    question, answer = t(f"scene.{scene.name}.question"), t(f"scene.{scene.name}.answer")
    note(f"{scene.name}_try", Text(text=f"**{t('lessons.try')}** {t(f'scene.{scene.name}.try')}"))
    note(f"{scene.name}_question", Question(question=question, answer=answer))
    st.markdown(f"**{t('lessons.try')}** {t(f'scene.{scene.name}.try')}")
    with st.expander(f"**{t('lessons.question')}** {question}"):
        st.markdown(answer)
    if scene.more:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(t("lessons.more"), width="content")
            for each in scene.more:
                st.page_link(
                    each.page, label=t(each.title), width="content",
                    query_params=session.with_sentence(each.chosen),
                )  # fmt: skip
