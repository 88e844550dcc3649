"""Both translations and both alignments on common axes, and the decoding steps of the RNN."""

from dataclasses import replace

import streamlit as st

from model.experiments.alignment import VIEWS, Gold, View
from model.records import Translation
from viz import models
from viz.analysis.alignment import (
    Alignment,
    Pick,
    alignment,
    best_head,
    error_rate,
    gold_cells,
    measured_rate,
    pointing_alike,
)
from viz.analysis.candidates import candidates
from viz.analysis.maps import difference
from viz.analysis.words import left_out_weight
from viz.components.alignment_pair import Map, RnnSteps, alignment_pair
from viz.components.token_strip import token_strip
from viz.document import show
from viz.document.page import fragment, scheme_now
from viz.escape import escape
from viz.figures import heatmap, heatmap_height
from viz.i18n import message, t, words_under
from viz.state import SENTENCE, Key, Space
from viz.theme import Scheme
from viz.widgets.inputs import choose, choose_number, switch, type_in
from viz.widgets.model_names import model_name
from viz.widgets.reading import choose_reading
from viz.widgets.sentence import EXAMPLE, note_translation, take_example, tell_limits

SPACE = Space("compare_sides", __file__, page="compare")
TARGETS = ("own", "transformer", "rnn", "mine")
TARGET = SPACE.choice("target", "transformer", address="target")
"""Which French both models are held to."""
OWN = SPACE.choice("own", "", address="own")
"""The visitor's French; the Transformer's until something else is typed."""
FILLED = SPACE.memory("filled", str)
"""The French that the box for it was last filled with."""
WORDS, END = SPACE.choice("words", True, address="words"), SPACE.choice("end", True, address="end")
WEIGHTS = SPACE.choice("weights", "", address="weights")
LAYER, HEAD = SPACE.choice("layer", 0, address="layer"), SPACE.choice("head", 0, address="head")
EXACT = SPACE.choice("exact", False, address="exact")
IMAGES = ("png", "svg")
IMAGE = SPACE.choice("image", IMAGES[0], address="image")
STRIP, MAPS, CHART = SPACE.key("strip"), SPACE.key("maps"), SPACE.key("chart")


def by_hand() -> dict[str, str]:
    """The French of each pair that was aligned by hand."""
    return {pair.source: pair.target for pair in models.gold()}


def take_pair() -> None:
    """Put the chosen example into the sentence box, and its translation by hand, if it has one, into the box for it."""
    if french := by_hand().get(EXAMPLE.get() or ""):
        TARGET.set("mine")
        OWN.set(french)
    take_example()


def leave_pair(text: str) -> None:
    """Another sentence than that of the pair that was chosen needs another French: the Transformer's, to begin with."""
    french = by_hand()
    if OWN.get() in french.values() and french.get(text) != OWN.get():
        TARGET.set(TARGET.default)
        OWN.set("")


def ask_target(text: str) -> tuple[str, str | None]:
    """Which French both models are held to, and the visitor's own, if it is that."""
    leave_pair(text)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = choose(
            TARGET, t("compare.target"), TARGETS, named=lambda name: t(f"compare.target.{name}"),
            hint=t("compare.target_help"),
        )  # fmt: skip
        if target != "mine":
            return target, None
        found = models.translate(text).text
        own = OWN.within(found)
        if own.begin(str) in ("", found, FILLED.get()):
            own.set(found)
            FILLED.set(found)
        return target, type_in(own, t("compare.own"), placeholder=t("compare.own_placeholder"))


def translate_both(
    text: str, rnn: str, target: str, typed: str | None
) -> tuple[Translation, Translation, Translation | None]:
    """By the RNN and by the Transformer; and the translation whose pieces both get, as far as nothing else was typed.
    ValueError says what is wrong with the text or the target."""
    if target == "own":
        return models.translate(text, model=rnn), models.translate(text), None
    found = models.translate(text, model=rnn if target == "rnn" else models.TRANSFORMER)
    return models.hold_to(found, rnn, typed), models.hold_to(found, models.TRANSFORMER, typed), found


def ask_weights(view: View) -> Pick:
    """Which of the Transformer's cross-attention weights."""
    config, rates = models.sizes(), models.recorded_rates(models.TRANSFORMER)
    kinds = ("best", "head", "layer", "all") if rates else ("head", "layer", "all")
    kind = choose(
        WEIGHTS.within(kinds[0]), t("compare.weights"), kinds, named=lambda name: t(f"compare.weights.{name}"),
        hint=t("compare.weights_help", pairs=rates.pairs) if rates else None,
    )  # fmt: skip
    layer = head = None
    if kind == "best":
        assert rates is not None
        layer, head = best_head(rates, view)
    if kind in ("head", "layer"):
        layers = config.decoder_layers
        layer = choose_number(LAYER.within(layers - 1), t("compare.layer"), layers)
    if kind == "head":
        head = choose_number(HEAD, t("compare.head"), config.n_heads)
    return Pick(view=view, layer=layer, head=head)


def describe(translation: Translation, model: str, pick: Pick, view: Alignment) -> str:
    """Which weights these are, in words, what is hidden, and how far they are from alignments made by hand."""
    if not translation.cross.size:
        return t("compare.no_attention")
    if translation.recurrent:
        which = t("compare.which.only")
    elif pick.layer is None:
        which = t("compare.which.all")
    elif pick.head is None:
        which = t("compare.which.layer", layer=pick.layer + 1)
    else:
        which = t("compare.which.head", layer=pick.layer + 1, head=pick.head + 1)
    parts = [which, t(f"compare.rows.{pick.view}")]
    if (hidden := left_out_weight(view.weights)) > 1e-3:
        parts.append(t("compare.hidden", hidden=f"{hidden:.0%}"))
    if rates := models.recorded_rates(model):
        measured = {name: f"{measured_rate(rates, replace(pick, view=name)):.0%}" for name in VIEWS}
        parts.append(t("compare.rates", pairs=rates.pairs, predicted=measured["predicted"], read=measured["read"]))
    return " ".join(parts)


def show_translation(translation: Translation, model: str, target: str, found: Translation | None, key: Key) -> None:
    """`found` is whose French the model was given, if it was given any."""
    given = f" · {t('compare.given', whose=t(f'compare.given.{target}'))}" if translation.forced else ""
    show.markdown(f"**{model_name(model)}**{given}")
    tell_limits(translation, model)
    note_translation(translation)
    token_strip(translation, texts=words_under("strip"), key=key, brief=True)
    made_by = t(
        "compare.made_by",
        name=translation.checkpoint.name,
        fingerprint=translation.checkpoint.fingerprint,
        log_prob=f"{translation.log_prob:.2f}".replace("-", "\u2212"),
        mean=f"{translation.mean_probability:.1%}",
    )
    if translation.forced and found:
        same = [token.piece for token in translation.target] == [token.piece for token in found.target]
        made_by += " " + t(f"compare.cut.{'same' if same else 'anew'}", count=len(translation.target))
    show.caption(made_by)


def play(left: Translation, right: Translation, rnn: str, same: bool) -> RnnSteps:
    """The RNN's decoding for the player under the maps."""
    steps = left.recurrent
    assert steps is not None
    return RnnSteps(
        name=model_name(rnn),
        source=[token.label for token in left.source],
        read=[token.label for token in left.decoder_input],
        predicted=[token.label for token in left.target],
        scores=steps.scores,
        weights=left.cross[0, 0] if left.cross.size else None,
        states=steps.source,
        contexts=steps.contexts,
        options=(candidates(left), candidates(right) if same else None),
    )


def same_pair(text: str, french: str) -> Gold | None:
    """The hand-made alignment of this very pair, if there is one."""
    return next((pair for pair in models.gold() if (pair.source, pair.target) == (text, french)), None)


@fragment
def draw(text: str, rnn: str) -> None:
    if SENTENCE.get() != text:  # typed in the instant in which something here was reported
        st.rerun()
    try:
        target, typed = ask_target(text)
        left, right, found = translate_both(text, rnn, target, typed)
    except ValueError as error:
        st.warning(escape(message(error)))
        return
    same = [token.id for token in left.target] == [token.id for token in right.target]
    for column, translation, model, side in zip(
        st.columns(2), (left, right), (rnn, models.TRANSFORMER), ("left", "right"), strict=True
    ):
        with column:
            show_translation(translation, model, target, found, STRIP.at(side))
    show.heading(t("compare.alignments"))
    show.caption(t("compare.alignments_intro"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reading = choose_reading()
        right_pick = ask_weights(reading)
        words = switch(WORDS, t("translate.words"), hint=t("translate.words_help"))
        specials = switch(END, t("compare.end"), hint=t("compare.end_help"))
    left_pick = Pick(view=reading, layer=0, head=0)
    left_map = alignment(left, left_pick, words=words, specials=specials)
    right_map = alignment(right, right_pick, words=words, specials=specials)
    if not left_map.rows.labels or not right_map.rows.labels or not left_map.columns.labels:
        st.info(t("compare.nothing"))
        return
    attends = bool(left.cross.size)
    alike = pointing_alike(left_map, right_map, specials) if attends and same else ()
    pair = same_pair(text, left.text) if same else None
    maps = [
        Map(
            title=model_name(model),
            note=describe(translation, model, pick, view),
            weights=view.weights,
            queries=view.rows.labels,
            gold=gold_cells(pair, translation, view) if pair else (),
            steps=view.steps,
        )
        for model, translation, pick, view in (
            (rnn, left, left_pick, left_map),
            (models.TRANSFORMER, right, right_pick, right_map),
        )
    ]
    shown = alignment_pair(
        maps[0],
        maps[1],
        keys=left_map.columns.labels,
        difference=same and attends,
        agree=alike or None,
        query_word=t("compare.query"),
        key_word=t("compare.key"),
        play=play(left, right, rnn, same),
        texts=words_under("pair"),
        key=MAPS,
    )
    show.caption(t("compare.view_why"))
    if alike:
        show.markdown(t("compare.agree", count=sum(alike), total=len(alike)))
    elif not same:
        show.notice(t("compare.not_same"))
    if pair:
        rates = [
            t("compare.pair_rate", name=model_name(model), rate=f"{error_rate(pair, translation, pick):.0%}")
            for model, translation, pick in ((rnn, left, left_pick), (models.TRANSFORMER, right, right_pick))
            if translation.cross.size
        ]
        show.markdown(t("compare.gold_pair", rates="; ".join(rates)))
    exact(maps, left_map, shown.scheme or scheme_now(), same and attends)


def exact(maps: list[Map], left: Alignment, scheme: Scheme, same: bool) -> None:
    """The same maps by Plotly: zoom and export."""
    if not switch(EXACT, t("compare.exact"), hint=t("compare.exact_help")):
        return
    image = choose(IMAGE, t("translate.image"), IMAGES, named=str.upper)
    figures = [(each.title, each.weights, each.queries, each.gold, False) for each in maps]
    if same:
        figures.append(
            (t("compare.difference"), difference(maps[1].weights, maps[0].weights), maps[0].queries, (), True)
        )
    for i, (title, weights, queries, gold, signed) in enumerate(figures):
        with st.container(height=heatmap_height(queries, left.columns.labels) + 20, border=False):
            show.chart(
                heatmap(
                    weights,
                    queries,
                    left.columns.labels,
                    query_axis=t("compare.query"),
                    key_axis=t("compare.key"),
                    weight=t("axis.difference") if signed else t("axis.weight"),
                    title=title,
                    gold=gold,
                    difference=signed,
                    scheme=scheme,
                ),
                key=CHART.at(i),
                alt=f"{title}. {t('compare.alignments_intro')}",
                file=f"regard-alignment-{i + 1}",
                image=image,
            )
