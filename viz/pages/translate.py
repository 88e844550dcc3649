"""Translate: a sentence, its translation, and every attention weight behind it."""

from collections.abc import Callable

import streamlit as st

from model.trace import Translation
from viz import service, session
from viz.analysis.habits import ALIGNED, HABIT, Habit, aligning, habits
from viz.analysis.maps import METHODS, Maps, Method, by_method, maps, sharpest
from viz.analysis.words import left_out_weight
from viz.components.attention_grid import Choice, Mark, Panel, attention_grid
from viz.components.token_strip import token_strip
from viz.document.numbers import as_csv, as_json, as_npz
from viz.examples import EXAMPLES
from viz.figures import heatmap, heatmap_height
from viz.i18n import t, words_under
from viz.theme import Scheme
from viz.widgets.parts import ask_translation, chart, choose, fragment, linked_page, loaded, scheme_now, switch


def marks(translation: Translation, kind: str) -> list[list[Mark]]:
    """What each head does in this sentence, for the overview; measured over pieces, special tokens among them."""
    tokens, text = (
        (translation.decoder_input, translation.text)
        if kind == "decoder"
        else (translation.source, translation.source_text)
    )
    rates = service.recorded_rates(service.TRANSFORMER) if kind == "cross" else None
    weights = {"encoder": translation.encoder, "decoder": translation.decoder, "cross": translation.cross}[kind]
    return [
        [mark(habit, aligning(rates, layer, head)) for head, habit in enumerate(row)]
        for layer, row in enumerate(habits(weights, tokens, text, kind))
    ]


def mark(habit: Habit, rate: float | None) -> Mark:
    """A head that aligns, by a measurement on other sentences, says so first; else what it does here, if anything."""
    if rate is not None:
        return Mark(
            label=t("mark.align"),
            note=t("mark.align_note", rate=f"{rate:.0%}", bound=f"{ALIGNED:.0%}"),
            entropy=habit.entropy,
        )
    if not habit.name:
        return Mark(label="", note=t("mark.none_note", habit=f"{HABIT:.0%}"), entropy=habit.entropy)
    note = t("mark.habit_note", share=f"{habit.share:.0%}", where=t(f"mark.where.{habit.name}"), habit=f"{HABIT:.0%}")
    return Mark(label=t(f"mark.label.{habit.name}"), note=note, entropy=habit.entropy)


def panel(view: Maps, marked: list[list[Mark]] | None) -> Panel:
    """One kind of attention for the overview."""
    return Panel(
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


def write_choice(choice: Choice) -> str:
    kind, layer, head = choice
    return f"{kind}.{layer + 1}.{head + 1}"


def read_choice(text: str) -> Choice | None:
    """What `write_choice` wrote, if this model has it."""
    sizes = service.sizes()
    layers = {"encoder": sizes.encoder_layers, "decoder": sizes.decoder_layers, "cross": sizes.decoder_layers}
    kind, layer, head = ([*text.split("."), "", "", ""])[:3]
    if kind not in layers or not (layer.isdecimal() and head.isdecimal()):
        return None
    found = (kind, int(layer) - 1, int(head) - 1)
    return found if 0 <= found[1] < layers[kind] and 0 <= found[2] < sizes.n_heads else None


@fragment
def attention(translation: Translation) -> None:
    """The overview, and the chosen head in exact numbers."""
    # A sentence typed in the same instant as something here was reported may run this fragment instead of the page.
    if session.sentence() != translation.source_text:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(t("translate.attention"), anchor=False, width="content")
        words = switch(t("translate.words"), key="words", hint=t("translate.words_help"))
        specials = switch(t("translate.specials"), key="specials", default=True, hint=t("translate.specials_help"))
        method = choose(
            t("translate.method"), METHODS, key="method", default="raw", labelled=False,
            named=lambda name: t(f"translate.method.{name}"),
        )  # fmt: skip
    st.caption(t(f"translate.says.{method}"))
    norms = service.value_norms(translation) if method == "valued" else {}
    views = maps(by_method(translation, method, norms), translation, words=words, specials=specials)
    if not all(view.weights.size for view in views.values()):
        st.info(t("translate.nothing_left"))
        return
    # The same head for every sentence, so that two sentences can be compared before anything is picked.
    first = ("cross", *sharpest(service.translate(EXAMPLES[0]).cross))
    session.linked(session.CHOICE, write_choice(first), lambda text: text if read_choice(text) else None)
    shown = attention_grid(
        # Marks are about the heads' own weights; a rollout has no heads.
        [panel(view, marks(translation, kind) if method != "rollout" else None) for kind, view in views.items()],
        texts=words_under("grid"),
        # Where a browser starts, not where it is: another one would send all weights again.
        choice=read_choice(session.once("head_start", session.kept(session.CHOICE, ""))) or first,
        key="grid",
    )
    session.keep(session.CHOICE, write_choice(shown.choice))
    session.write_link()
    scheme = shown.scheme or scheme_now()
    exact(views[shown.choice[0]], *shown.choice, words=words, method=method, scheme=scheme, ready=shown.drawn)
    take_along(translation, views[shown.choice[0]], *shown.choice)


def take_along(translation: Translation, view: Maps, kind: str, layer: int, head: int) -> None:
    """The numbers as files; each is made when it is asked for."""
    st.subheader(t("export.title"), anchor=False)
    files: dict[str, Callable[[], bytes]] = {
        "csv": lambda: as_csv(view.weights[layer, head], view.queries.labels, view.keys.labels),
        "json": lambda: as_json(translation),
        "npz": lambda: as_npz(translation),
    }
    names = {"csv": f"regard-exact-{kind}-layer-{layer + 1}-head-{head + 1}.csv"}
    with st.container(horizontal=True):
        for form, make in files.items():
            st.download_button(
                t(f"export.{form}"), make, names.get(form, f"regard.{form}"), key=f"export-{form}", on_click="ignore"
            )


def exact(
    view: Maps, kind: str, layer: int, head: int, *, words: bool, method: Method, scheme: Scheme, ready: bool
) -> None:
    """The chosen head by Plotly: values to four digits, zoom, export."""
    st.subheader(t("translate.exact"), anchor=False)
    reading = trust_line(view, layer, head, words, method)
    st.caption(reading)
    image = st.segmented_control(
        t("translate.image"), ("png", "svg"), key="image", default="png", required=True, format_func=str.upper
    )
    # The box has its height before the chart is there and while it is drawn anew, so that nothing jumps.
    with st.container(height=heatmap_height(view.queries.labels, view.keys.labels) + 20, border=False):
        if not ready:  # Plotly is slow to load and to draw: it waits until the overview can be seen
            return
        chart(
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
            key="heatmap",
            alt=reading,
            file=f"regard-{kind}-layer-{layer + 1}-head-{head + 1}",
            image=image,
        )
    service.settle("chart")


@st.fragment  # a new sentence then runs this function alone, which a browser shows sooner
def page() -> None:
    translator = loaded(service.translator)
    if translator is None:
        return
    with linked_page():
        st.caption(t("translate.intro"))
        translation = ask_translation(EXAMPLES)
        if translation is None:
            return
        token_strip(translation, texts=words_under("strip"), key="strip")
        st.caption(
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
        service.settle("page")


page()
