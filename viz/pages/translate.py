"""Translate: a sentence, its translation, and every attention weight behind it."""

from collections.abc import Callable

import streamlit as st

from model.experiments.head_steps import value_lengths
from model.records import Translation
from viz import models, state
from viz.analysis.habits import ALIGNED, HABIT, Habit, aligning, habits
from viz.analysis.maps import METHODS, Maps, Method, by_method, maps, sharpest
from viz.analysis.words import left_out_weight
from viz.components.attention_grid import HeadChoice, HeadMaps, HeadNote, Shown, attention_grid
from viz.components.token_strip import token_strip
from viz.document import show
from viz.document.numbers import as_csv, as_json, as_npz
from viz.document.page import file_name, fragment, page_frame, scheme_now
from viz.examples import EXAMPLES
from viz.figures import heatmap, heatmap_height
from viz.i18n import t, words_under
from viz.state import SENTENCE, Space
from viz.theme import Scheme
from viz.widgets.bundled import loaded
from viz.widgets.inputs import choose, switch
from viz.widgets.sentence import ask_translation

SPACE = Space("translate", __file__)
WORDS, SPECIALS = SPACE.choice("words", False), SPACE.choice("specials", True)
METHOD = SPACE.choice("method", METHODS[0])
IMAGES = ("png", "svg")
IMAGE = SPACE.choice("image", IMAGES[0])
HEAD = SPACE.choice("head", ("cross", 0, 0))
"""Kind, layer and head, counted from 0."""
MOUNT = SPACE.memory("mount", lambda: (0, False, HEAD.get()))
"""How often it was put on the page, whether without single heads, and at which head the browser's own choice began."""
STRIP, GRID, HEATMAP, EXPORT = (SPACE.key(name) for name in ("strip", "grid", "heatmap", "export"))


def marks(translation: Translation, kind: str) -> list[list[HeadNote]]:
    """What each head does in this sentence, for the overview; measured over pieces, special tokens among them."""
    tokens, text = (
        (translation.decoder_input, translation.text)
        if kind == "decoder"
        else (translation.source, translation.source_text)
    )
    rates = models.recorded_rates(models.TRANSFORMER) if kind == "cross" else None
    weights = {"encoder": translation.encoder, "decoder": translation.decoder, "cross": translation.cross}[kind]
    return [
        [mark(habit, aligning(rates, layer, head)) for head, habit in enumerate(row)]
        for layer, row in enumerate(habits(weights, tokens, text, kind))
    ]


def mark(habit: Habit, rate: float | None) -> HeadNote:
    """A head that aligns, by a measurement on other sentences, says so first; else what it does here, if anything."""
    if rate is not None:
        return HeadNote(
            label=t("mark.align"),
            note=t("mark.align_note", rate=f"{rate:.0%}", bound=f"{ALIGNED:.0%}"),
            entropy=habit.entropy,
        )
    if not habit.name:
        return HeadNote(label="", note=t("mark.none_note", habit=f"{HABIT:.0%}"), entropy=habit.entropy)
    note = t("mark.habit_note", share=f"{habit.share:.0%}", where=t(f"mark.where.{habit.name}"), habit=f"{HABIT:.0%}")
    return HeadNote(label=t(f"mark.label.{habit.name}"), note=note, entropy=habit.entropy)


def panel(view: Maps, marked: list[list[HeadNote]] | None) -> HeadMaps:
    """One kind of attention for the overview."""
    return HeadMaps(
        kind=view.kind,
        title=t(f"kind.{view.kind}"),
        weights=view.weights,
        queries=view.queries.labels,
        keys=view.keys.labels,
        query_word=t(f"kind.{view.kind}.query"),
        key_word=t(f"kind.{view.kind}.key"),
        reach=view.reach,
        hidden=t("translate.masked_overview") if view.reach else "",
        marks=marked,
    )


def place(kind: str, layer: int, head: int, method: Method) -> str:
    """Which head a picture is of; a rollout is of all heads of all layers so far."""
    title = t(f"kind.{kind}")
    if method == "rollout":
        return t("translate.where_all", title=title, layer=layer + 1)
    return t("grid.where", title=title, layer=layer + 1, head=head + 1)


def trust_line(view: Maps, layer: int, head: int, words: bool, method: Method) -> str:
    """What the large picture shows, in words."""
    hidden = left_out_weight(view.weights[layer, head])
    sums = t("translate.sums_hidden", hidden=f"{hidden:.0%}") if hidden > 1e-3 else t("translate.sums_one")
    parts = [
        t(
            "translate.reading",
            where=place(view.kind, layer, head, method),
            what=t(f"translate.what.{method}"),
            query=t(f"kind.{view.kind}.query"),
            key=t(f"kind.{view.kind}.key"),
            sums=sums,
        )
    ]
    if words:
        parts.append(t("translate.merged"))
    if view.reach:
        parts.append(t("translate.masked"))
    return " ".join(parts)


def write_head(head: HeadChoice) -> str:
    kind, layer, number = head
    return f"{kind}.{layer + 1}.{number + 1}"


def read_head(text: str) -> HeadChoice | None:
    """What `write_head` wrote, if this model has it."""
    sizes = models.sizes()
    layers = {"encoder": sizes.encoder_layers, "decoder": sizes.decoder_layers, "cross": sizes.decoder_layers}
    kind, layer, head = ([*text.split("."), "", "", ""])[:3]
    if kind not in layers or not (layer.isdecimal() and head.isdecimal()):
        return None
    found = (kind, int(layer) - 1, int(head) - 1)
    return found if 0 <= found[1] < layers[kind] and 0 <= found[2] < sizes.n_heads else None


def draw_overview(panels: list[HeadMaps], one_head: bool) -> Shown:
    """All heads, of which the person picks one in the browser. Panels of `one_head` stand for all heads of a layer: the
    head that was picked before is kept for when there are heads again."""
    # The same head for every sentence, so that two sentences can be compared before anything is picked.
    before = HEAD.within(("cross", *sharpest(models.translate(EXAMPLES[0]).cross))).begin(read_head, write_head)
    # Where a browser starts, not where it is: another one would send all weights again. It starts elsewhere where the
    # visitor comes from elsewhere, by a link or by Back and Forward.
    count, without_heads, _ = MOUNT.get()
    if count == 0 or state.moved() or state.arrived() or one_head != without_heads:
        MOUNT.set((count + 1, one_head, before))
    count, _, (kind, layer, head) = MOUNT.get()
    start = (kind, layer, 0 if one_head else head)
    shown = attention_grid(panels, texts=words_under("grid"), choice=start, key=GRID.at(count))
    HEAD.set((*shown.choice[:2], before[2]) if one_head else shown.choice)
    return shown


@fragment
def attention(translation: Translation) -> None:
    """The overview, and the chosen head in exact numbers."""
    # A sentence typed in the same instant as something here was reported may run this fragment instead of the page.
    if SENTENCE.get() != translation.source_text:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        show.heading(t("translate.attention"), width="content")
        words = switch(WORDS, t("translate.words"), hint=t("translate.words_help"))
        specials = switch(SPECIALS, t("translate.specials"), hint=t("translate.specials_help"))
        method = choose(
            METHOD, t("translate.method"), METHODS, labelled=False, named=lambda name: t(f"translate.method.{name}")
        )
    show.caption(t(f"translate.says.{method}"))
    norms = models.ask(value_lengths, translation) if method == "valued" else {}
    views = maps(by_method(translation, method, norms), translation, words=words, specials=specials)
    if not all(view.weights.size for view in views.values()):
        show.notice(t("translate.nothing_left"))
        return
    # Marks are about the heads' own weights; a rollout has no heads.
    panels = [panel(view, marks(translation, kind) if method != "rollout" else None) for kind, view in views.items()]
    shown = draw_overview(panels, one_head=method == "rollout")
    scheme = shown.scheme or scheme_now()
    exact(views[shown.choice[0]], *shown.choice, words=words, method=method, scheme=scheme, ready=shown.drawn)
    take_along(translation, views[shown.choice[0]], *shown.choice)


def take_along(translation: Translation, view: Maps, kind: str, layer: int, head: int) -> None:
    """The numbers as files; each is made when it is asked for."""
    st.subheader(t("export.title"), anchor=False)
    text = translation.source_text
    files: dict[str, Callable[[], bytes]] = {
        "csv": lambda: as_csv(view.weights[layer, head], view.queries.labels, view.keys.labels),
        "json": lambda: as_json(translation),
        "npz": lambda: as_npz(translation),
    }
    names = {"csv": f"exact-{kind}-layer-{layer + 1}-head-{head + 1}"}
    with st.container(horizontal=True):
        for form, make in files.items():
            st.download_button(
                t(f"export.{form}"), make, file_name(names.get(form, "translation"), text, form), key=EXPORT.at(form),
                on_click="ignore",
            )  # fmt: skip


def exact(
    view: Maps, kind: str, layer: int, head: int, *, words: bool, method: Method, scheme: Scheme, ready: bool
) -> None:
    """The chosen head by Plotly: values to four digits, zoom, export."""
    show.heading(t("translate.exact"))
    reading = trust_line(view, layer, head, words, method)
    st.caption(reading)
    image = choose(IMAGE, t("translate.image"), IMAGES, named=str.upper)
    # The box has its height before the chart is there and while it is drawn anew, so that nothing jumps.
    with st.container(height=heatmap_height(view.queries.labels, view.keys.labels) + 20, border=False):
        if not ready:  # Plotly is slow to load and to draw: it waits until the overview can be seen
            return
        show.chart(
            heatmap(
                view.weights[layer, head],
                view.queries.labels,
                view.keys.labels,
                query_axis=t(f"kind.{kind}.query"),
                key_axis=t(f"kind.{kind}.key"),
                weight=t("axis.weight"),
                title=place(kind, layer, head, method),
                reach=view.reach,
                scheme=scheme,
            ),
            key=HEATMAP,
            alt=reading,
            file=f"regard-{kind}-layer-{layer + 1}-head-{head + 1}",
            image=image,
        )
    models.freeze_garbage("chart")


@st.fragment  # a new sentence then runs this function alone, which a browser shows sooner
def page() -> None:
    translator = loaded(models.translator)
    if translator is None:
        return
    with page_frame():
        st.caption(t("translate.intro"))
        translation = ask_translation()
        if translation is None:
            return
        token_strip(translation, texts=words_under("strip"), key=STRIP)
        show.caption(
            t(
                "translate.made_by",
                name=translation.checkpoint.name,
                fingerprint=translation.checkpoint.fingerprint,
                device=translator.device.type,
                log_prob=f"{translation.log_prob:.2f}".replace("-", "\u2212"),
                mean=f"{translation.mean_probability:.1%}",
            )
        )
        attention(translation)
        models.freeze_garbage("page")


if __name__ == "__main__":
    page()
