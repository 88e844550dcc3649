"""Both translations and both alignments on common axes, and the decoding steps of the RNN."""

import streamlit as st

from model.experiments.alignment import VIEWS, Gold, View
from model.records import Translation
from viz import models, session
from viz.analysis.alignment import Alignment, Pick, alignment, error_rate, gold_cells, pointing_alike, usual_view
from viz.analysis.candidates import candidates
from viz.analysis.maps import difference
from viz.analysis.words import left_out_weight
from viz.components.alignment_pair import Map, RnnSteps, alignment_pair
from viz.components.token_strip import token_strip
from viz.escape import escape
from viz.figures import heatmap, heatmap_height
from viz.i18n import message, t, words_under
from viz.theme import Scheme
from viz.widgets.model_names import model_name
from viz.widgets.parts import chart, choose, fragment, note_translation, scheme_now, switch, tell_limits

TARGETS = ("own", "transformer", "rnn", "mine")


def ask_target(text: str) -> str:
    """Which French both models are held to."""
    session.leave_pair({pair.source: pair.target for pair in models.gold()}, text)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = choose(
            t("compare.target"), TARGETS, key=session.TARGET, default="transformer",
            named=lambda name: t(f"compare.target.{name}"), hint=t("compare.target_help"),
        )  # fmt: skip
        if target == "mine":
            session.linked(session.OWN, "", str)
            session.start_own(models.translate(text).text)
            st.text_input(t("compare.own"), key=session.OWN, placeholder=t("compare.own_placeholder"),
                          persist_state="session")  # fmt: skip
    return target


def translate_both(text: str, rnn: str, target: str) -> tuple[Translation, Translation]:
    """By the RNN and by the Transformer. ValueError says what is wrong with the text or the target."""
    if target == "own":
        return models.translate(text, model=rnn), models.translate(text)
    found = models.translate(text, model=rnn if target == "rnn" else models.TRANSFORMER)
    typed = session.own_target() if target == "mine" else None
    return models.hold_to(found, rnn, typed), models.hold_to(found, models.TRANSFORMER, typed)


def ask_view(model: str, layer: int | None, head: int | None) -> View:
    """Whose rows these weights are said to be; each choice of weights has its own default and remembers its own."""
    rates = models.recorded_rates(model)
    return choose(
        t("compare.view"), VIEWS, key=f"view-{model}-{layer}-{head}",
        default=usual_view(rates, layer, head) if rates else "predicted",
        named=lambda name: t(f"compare.view.{name}"), hint=t("compare.view_help"),
    )  # fmt: skip


def ask_weights() -> Pick:
    """Which of the Transformer's cross-attention weights."""
    config, rates = models.sizes(), models.recorded_rates(models.TRANSFORMER)
    kinds = ("best", "head", "layer", "all") if rates else ("head", "layer", "all")
    kind = choose(
        t("compare.weights"), kinds, key="weights", default=kinds[0],
        named=lambda name: t(f"compare.weights.{name}"),
        hint=t("compare.weights_help", pairs=rates.pairs) if rates else None,
    )  # fmt: skip
    layer = head = None
    if kind == "best":
        assert rates is not None
        _, layer, head = rates.best
    if kind in ("head", "layer"):
        numbers = tuple(range(1, config.decoder_layers + 1))
        layer = choose(t("compare.layer"), numbers, key="cross_layer", default=numbers[-1]) - 1
    if kind == "head":
        head = choose(t("compare.head"), tuple(range(1, config.n_heads + 1)), key="cross_head", default=1) - 1
    return Pick(view=ask_view(models.TRANSFORMER, layer, head), layer=layer, head=head)


def describe(translation: Translation, pick: Pick, view: Alignment) -> str:
    """Which weights these are, in words, and what is hidden."""
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
    return " ".join(parts)


def show_translation(translation: Translation, model: str, target: str, key: str) -> None:
    given = f" · {t('compare.given', whose=t(f'compare.given.{target}'))}" if translation.forced else ""
    st.markdown(f"**{model_name(model)}**{given}")
    tell_limits(translation, model)
    note_translation(translation)
    token_strip(translation, texts=words_under("strip"), key=key, brief=True)
    st.caption(
        t(
            "compare.made_by",
            name=translation.checkpoint.name,
            fingerprint=translation.checkpoint.fingerprint,
            log_prob=f"{translation.log_prob:.2f}".replace("-", "\u2212"),
            mean=f"{translation.mean_probability:.1%}",
        )
    )


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
    if session.sentence() != text:  # typed in the instant in which something here was reported
        st.rerun()
    try:
        target = ask_target(text)
        left, right = translate_both(text, rnn, target)
    except ValueError as error:
        st.warning(escape(message(error)))
        return
    same = [token.id for token in left.target] == [token.id for token in right.target]
    for column, translation, model, key in zip(
        st.columns(2), (left, right), (rnn, models.TRANSFORMER), ("left", "right"), strict=True
    ):
        with column:
            show_translation(translation, model, target, f"strip-{key}")
    st.subheader(t("compare.alignments"), anchor=False)
    st.caption(t("compare.alignments_intro"))
    with st.container(horizontal=True):
        words = switch(t("translate.words"), key="compare_words", default=True, hint=t("translate.words_help"))
        specials = switch(t("compare.end"), key="end", default=True, hint=t("compare.end_help"))
    one, other = st.columns(2)
    with one:
        st.markdown(f"**{model_name(rnn)}**")
        left_pick = Pick(view=ask_view(rnn, 0, 0), layer=0, head=0) if left.cross.size else Pick(view="predicted")
    with other:
        st.markdown(f"**{t('model.transformer')}**")
        right_pick = ask_weights()
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
            note=describe(translation, pick, view),
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
        key="pair",
    )
    if alike:
        st.markdown(t("compare.agree", count=sum(alike), total=len(alike)))
    elif not same:
        st.info(t("compare.not_same"))
    if pair:
        rates = [
            t("compare.pair_rate", name=model_name(model), rate=f"{error_rate(pair, translation, pick):.0%}")
            for model, translation, pick in ((rnn, left, left_pick), (models.TRANSFORMER, right, right_pick))
            if translation.cross.size
        ]
        st.markdown(t("compare.gold_pair", rates="; ".join(rates)))
    exact(maps, left_map, shown.scheme or scheme_now(), same and attends)
    session.write_link()


def exact(maps: list[Map], left: Alignment, scheme: Scheme, same: bool) -> None:
    """The same maps by Plotly: zoom and export."""
    if not switch(t("compare.exact"), key="compare_exact", hint=t("compare.exact_help")):
        return
    image = st.segmented_control(
        t("translate.image"), ("png", "svg"), key="compare_image", default="png", required=True, format_func=str.upper
    )
    figures = [(each.title, each.weights, each.queries, each.gold, False) for each in maps]
    if same:
        figures.append(
            (t("compare.difference"), difference(maps[1].weights, maps[0].weights), maps[0].queries, (), True)
        )
    for i, (title, weights, queries, gold, signed) in enumerate(figures):
        with st.container(height=heatmap_height(queries, left.columns.labels) + 20, border=False):
            chart(
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
                key=f"exact-{i}",
                alt=f"{title}. {t('compare.alignments_intro')}",
                file=f"regard-alignment-{i + 1}",
                image=image,
            )
