"""Several heads: where each puts its weight, how they look back from a word, and what context makes of a word."""

import streamlit as st

from model.records import Translation
from viz import models
from viz.analysis.alignment import usual_view
from viz.analysis.habits import ALIGNED, HABIT, habits, places
from viz.analysis.heads import Head, aligners, even, favourite, last_pronoun, looking_back, spread, strongest
from viz.analysis.maps import Maps, by_method, maps
from viz.analysis.words import regroup, side
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures import heatmap
from viz.i18n import t
from viz.lessons import same_word
from viz.lessons.more import on_translate
from viz.lessons.scene import Scene
from viz.state import Space
from viz.widgets.inputs import choose, choose_piece

KINDS = ("encoder", "decoder", "cross")
WIDTH = 480
"""Pixels of the picture, which stands beside the table where there is room."""
BEST = 3
"""Heads that are named for a place."""
EARLIER = 8
"""Earlier words that are named."""
SPACE = Space("heads", __file__, page="lessons")
KIND, PLACE, FROM = SPACE.choice("kind", "encoder"), SPACE.choice("place", ""), SPACE.choice("from", 0)
MAP = SPACE.key("map")


def head_name(head: Head) -> str:
    return t("scene.heads.head", layer=head.layer + 1, head=head.head + 1, share=f"{head.share:.0%}")


def draw(translation: Translation) -> None:
    show.markdown(f"**{t('scene.heads.habits')}**")
    draw_habits(translation)
    show.markdown(f"**{t('scene.heads.back')}**")
    tell_back(translation)
    show.markdown(f"**{t('scene.heads.same')}**")
    same_word.draw()


def draw_habits(translation: Translation) -> None:
    """For each place the heads that give it most, and a picture of the first of them."""
    kind = choose(KIND, t("worksheet.kind"), KINDS, named=lambda each: t(f"kind.{each}"))
    view = maps(by_method(translation, "raw", {}), translation, words=False, specials=True)[kind]
    tokens, text = translation.source, translation.source_text
    if kind == "decoder":
        tokens, text = translation.decoder_input, translation.text
    found = {place: strongest(each, BEST) for place, each in places(view.weights, tokens, text, kind).items()}
    evenly = places(even(*view.weights.shape[-2:], masked=kind == "decoder"), tokens, text, kind)
    named = [each for row in habits(view.weights, tokens, text, kind) for each in row]
    aligning = {"align": best} if kind == "cross" and (best := best_aligners()) else {}
    drawn = aligning | found
    place = choose(
        PLACE.at(kind).within("align" if aligning else favourite(found)), t("scene.heads.look"), tuple(drawn),
        named=lambda each: t(f"scene.heads.look.{each}"),
    )  # fmt: skip
    head = [t("scene.heads.where"), *(t("scene.heads.rank", rank=rank) for rank in range(1, BEST + 1))]
    rows = [
        (t(f"mark.where.{place}"), *map(head_name, heads), f"{evenly[place].item():.0%}")
        for place, heads in found.items()
    ]
    with st.container(horizontal=True):
        show.table([*head, t("scene.heads.evenly")], rows)
        with st.container(width=WIDTH):
            draw_head(view, *drawn[place][0], place)
    count = sum(bool(each.name) for each in named)
    show.caption(t("scene.heads.counted", count=count, total=len(named), habit=f"{HABIT:.0%}"))
    if aligning:
        which = ", ".join(map(head_name, aligning["align"]))
        show.caption(t("scene.heads.aligners", bound=f"{ALIGNED:.0%}", which=which))


def best_aligners() -> list[Head]:
    """Of the Transformer's cross-attention, as far as its checkpoint has error rates."""
    rates = models.recorded_rates(models.TRANSFORMER)
    return aligners(rates) if rates else []


def draw_head(view: Maps, layer: int, head: int, share: float, place: str) -> None:
    """One head, chosen for what it does."""
    kind = t(f"kind.{view.kind}")
    measured = f"{share:.0%}"
    if place == "align" and (rates := models.recorded_rates(models.TRANSFORMER)):
        reading = t("scene.heads.aligning", kind=kind, layer=layer + 1, head=head + 1, rate=measured)
        reading += " " + t(f"scene.heads.reads.{usual_view(rates, layer, head)}")
    else:
        where = t(f"mark.where.{place}")
        reading = t("scene.heads.map", kind=kind, layer=layer + 1, head=head + 1, share=measured, where=where)
    if view.reach:
        reading += f" {t('translate.masked')}"
    figure = heatmap(
        view.weights[layer, head], view.queries.labels, view.keys.labels,
        query_axis=t(f"kind.{view.kind}.query"), key_axis=t(f"kind.{view.kind}.key"), weight=t("axis.weight"),
        title=t("grid.where", title=kind, layer=layer + 1, head=head + 1), reach=view.reach, width=WIDTH,
        scheme=scheme_now(),
    )  # fmt: skip
    show.chart(figure, key=MAP, alt=reading, file=f"regard-heads-{view.kind}-{place}", caption=reading)


def tell_back(translation: Translation) -> None:
    """From one word at the words before it, by the encoder's heads: weights, and no more than weights."""
    whole = side(translation.source, translation.source_text, words=True, specials=False)
    labels = whole.labels
    if not labels:
        show.notice(t("scene.heads.one_word"))
        return
    query = choose_piece(FROM.within(last_pronoun(labels)), t("scene.heads.from"), labels)
    if not query:
        show.notice(t("scene.heads.one_word"))
        return
    weights = regroup(translation.encoder, whole, whole)
    count = weights.shape[0] * weights.shape[1]
    show.table(
        [t("scene.heads.earlier"), t("scene.heads.strongest"), t("scene.heads.average", count=count)],
        [
            (labels[each.word], head_name(each.strongest), f"{each.average:.1%}")
            for each in looking_back(weights, query)[:EARLIER]
        ],
    )
    shares = {part: f"{share:.0%}" for part, share in spread(weights, query)._asdict().items()}
    show.caption(t("scene.heads.weights_only", word=escape(labels[query]), most=EARLIER, earlier=shares["earlier"],
                 itself=shares["itself"], later=shares["later"]))  # fmt: skip


SCENE = Scene(
    name="heads",
    draw=draw,
    formulas=("head", "multi_head"),
    more=(on_translate(),),
)
