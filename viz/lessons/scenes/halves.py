"""From here to BERT and GPT: what each half of the model sees and holds, and the encoder under the decoder's mask."""

import streamlit as st

from model.experiments.causal_encoder import causal_reading, parameter_counts
from model.records import Floats, Translation
from viz import models
from viz.analysis.heads import ahead, cells, least_kept
from viz.analysis.maps import Maps, by_method, maps
from viz.document import show
from viz.document.page import scheme_now
from viz.escape import escape
from viz.figures import heatmap
from viz.i18n import t
from viz.lessons.more import on_worksheet
from viz.lessons.scene import Scene
from viz.lessons.scenes.heads import head_name
from viz.state import Space
from viz.widgets.inputs import choose_number, switch

WIDTH = 540
"""Pixels of each picture; two stand beside each other where there is room."""
CHANGED = 3
"""Pieces whose states changed most that are named."""
SPACE = Space("halves", __file__, page="lessons")
LAYER, HEAD, MASK = SPACE.choice("layer", 0), SPACE.choice("head", 0), SPACE.choice("mask", False)
MAP = SPACE.key("map")


def draw(translation: Translation) -> None:
    config = models.sizes()
    layers = min(config.encoder_layers, config.decoder_layers)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer = choose_number(LAYER, t("compare.layer"), layers)
        head = choose_number(HEAD, t("compare.head"), config.n_heads)
        masked = switch(MASK, t("scene.halves.mask"), hint=t("scene.halves.mask_help"))
    views = maps(by_method(translation, "raw", {}), translation, words=False, specials=True)
    encoder, decoder = views["encoder"], views["decoder"]
    weights = models.ask(causal_reading, translation.source).weights if masked else encoder.weights
    with st.container(horizontal=True):
        draw_map(encoder, weights[layer, head], layer, head, masked=masked)
        draw_map(decoder, decoder.weights[layer, head], layer, head, masked=True)
    show.caption(t("scene.halves.reading"))
    if masked:
        tell_masked(translation)
    tell_ahead(translation)
    tell_parts()


def draw_map(view: Maps, weights: Floats, layer: int, head: int, *, masked: bool) -> None:
    """One head of one half, and how many of its cells can have weight."""
    half, count = view.kind, len(view.queries.labels)
    said = t(f"scene.halves.cells.{'masked' if masked else 'all'}", count=count, cells=cells(count, masked=masked))
    figure = heatmap(
        weights, view.queries.labels, view.keys.labels,
        query_axis=t(f"kind.{half}.query"), key_axis=t(f"kind.{half}.key"), weight=t("axis.weight"),
        title=t("grid.head", layer=layer + 1, head=head + 1),
        reach=range(1, count + 1) if masked else None, width=WIDTH, scheme=scheme_now(),
    )  # fmt: skip
    with st.container(width=WIDTH):
        show.markdown(t(f"scene.halves.half.{half}"))
        show.chart(figure, key=MAP.at(half), alt=said, file=f"regard-halves-{half}", caption=said)
        show.caption(t(f"scene.halves.alone.{half}"))


def tell_masked(translation: Translation) -> None:
    """What becomes of the translation when the encoder may not look ahead."""
    found = models.ask(causal_reading, translation.source)
    show.markdown(t("scene.halves.sees.all"))
    show.plain(f"\u2192 {translation.text or t('strip.nothing')}")
    show.markdown(t("scene.halves.sees.back"))
    show.plain(f"\u2192 {found.text or t('strip.nothing')}")
    changed = ", ".join(
        t("scene.halves.state", piece=escape(translation.source[i].label), cosine=f"{cosine:.2f}")
        for i, cosine in least_kept(found.kept, CHANGED)
    )
    verdict = "same" if found.text == translation.text else "other"
    show.markdown(f"{t(f'scene.halves.text.{verdict}')} {t('scene.halves.changed', changed=changed)}")
    show.caption(t("scene.halves.not_trained"))


def tell_ahead(translation: Translation) -> None:
    """How much of the encoder's weight a mask would take away."""
    found = ahead(translation.encoder)
    least, most = head_name(found.least), head_name(found.most)
    show.markdown(t("scene.halves.ahead", mean=f"{found.mean:.0%}", least=least, most=most))


def tell_parts() -> None:
    """How many parameters there are in each half, and which of them an encoder or a decoder alone keeps."""
    found = models.ask(parameter_counts)
    parts = [
        ("embedding", found.embedding, True, True),
        ("encoder", found.encoder, True, False),
        ("decoder", found.decoder, False, True),
        ("cross", found.cross, False, False),
    ]
    rows = [
        (t(f"scene.halves.part.{part}"), f"{count:,}", *(f"{count:,}" if has else "\u2013" for has in halves))
        for part, count, *halves in parts
    ]
    rows.append((t("scene.halves.total"), f"{found.total:,}", f"{found.encoder_only:,}", f"{found.decoder_only:,}"))
    show.table([t(f"scene.halves.column.{column}") for column in ("part", "model", "bert", "gpt")], rows)
    show.caption(t("scene.halves.parts_reading"))


SCENE = Scene(
    name="halves",
    draw=draw,
    formulas=("attention", "mask"),
    more=(on_worksheet("decoder"),),
)
