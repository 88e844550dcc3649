"""What self-attention costs: memory counted and time measured against length, and the powers of n that fit them."""

from collections.abc import Sequence

import streamlit as st

from model.experiments.cost import Cost, costs, state_bytes, weight_bytes
from model.experiments.timing import REPEATS
from model.records import Translation
from viz import models
from viz.analysis.growth import power_law
from viz.document import show
from viz.document.page import scheme_now
from viz.figures import Series, lines
from viz.i18n import t
from viz.lessons.more import on_compare
from viz.lessons.rnn import attending
from viz.lessons.scene import Scene
from viz.state import Memory, Space
from viz.widgets import long_work
from viz.widgets.inputs import choose
from viz.widgets.model_names import model_name

LENGTHS = (64, 128, 256, 512, 1024, 1536, 2048)
"""Pieces."""
PARTS = ("attention", "rest", "layer", "recurrent")
MOST = 0.2
"""How far the sum of the parts may be from the whole layer before the page asks to measure again."""
SPACE = Space("costs", __file__, page="lessons")
FIRST = SPACE.choice("first", LENGTHS[-3])
"""The length from which on the powers are fitted."""
FOUND: Memory[list[Cost]] = SPACE.memory("found", list)
MEASURE, MEMORY, TIME = (SPACE.key(name) for name in ("measure", "memory", "time"))
TICKS: dict[float, str] = {length: str(length) for length in LENGTHS}


def show_memory() -> None:
    """Of the weights and of the states, which is exact."""
    config = models.sizes()
    counted = {"weights": weight_bytes, "states": state_bytes}
    figure = lines(
        [
            Series(name=t(f"scene.costs.kind.{name}"), x=LENGTHS, y=[count(config, length) / 1e6 for length in LENGTHS])
            for name, count in counted.items()
        ],
        x_title=t("parallel.pieces"), y_title=t("scene.costs.megabytes"), x_axis="log", y_axis="log", x_ticks=TICKS,
        scheme=scheme_now(),
    )  # fmt: skip
    caption = t(
        "scene.costs.memory",
        layers=config.encoder_layers,
        heads=config.n_heads,
        low=LENGTHS[0],
        little=f"{weight_bytes(config, LENGTHS[0]) / 1e6:.2f}",
        high=LENGTHS[-1],
        much=f"{weight_bytes(config, LENGTHS[-1]) / 1e6:,.0f}",
    )
    show.chart(figure, key=MEMORY, alt=caption, file="regard-memory", caption=caption)


def show_time(found: Sequence[Cost], rnn: str, first: int) -> None:
    """Of each part, with the power of n that fits it from `first` on."""
    fitted = [each for each in found if each.length >= first]
    powers = {
        part: f"{power_law([each.length for each in fitted], [getattr(each, part) for each in fitted])[0]:.2f}"
        for part in PARTS
    }
    names = {part: t(f"scene.costs.part.{part}") for part in PARTS[:3]} | {"recurrent": model_name(rnn)}
    figure = lines(
        [
            Series(
                name=t("scene.costs.fit", name=names[part], power=powers[part]),
                x=[each.length for each in found],
                y=[1000 * getattr(each, part) for each in found],
            )
            for part in PARTS
        ],
        x_title=t("parallel.pieces"), y_title=t("scene.costs.milliseconds"), x_axis="log", y_axis="log", x_ticks=TICKS,
        scheme=scheme_now(),
    )  # fmt: skip
    caption = t(
        "scene.costs.time",
        first=first,
        last=fitted[-1].length,
        repeats=REPEATS,
        device=models.translator().device.type,
        short=found[0].length,
        longest=found[-1].length,
        little=f"{found[0].share:.0%}",
        much=f"{found[-1].share:.0%}",
        attention=powers["attention"],
        rest=powers["rest"],
        layer=powers["layer"],
        recurrent=powers["recurrent"],
    )
    show.chart(figure, key=TIME, alt=caption, file="regard-costs", caption=caption)
    head = [
        t("parallel.pieces"),
        *(t("scene.costs.column", name=names[part]) for part in PARTS),
        t("scene.costs.share"),
    ]
    rows = [
        (str(each.length), *(f"{1000 * getattr(each, part):.1f}" for part in PARTS), f"{each.share:.0%}")
        for each in found
    ]
    show.table(head, rows)
    if busy := [str(each.length) for each in found if each.gap > MOST]:
        show.caption(t("scene.costs.busy", lengths=", ".join(busy), most=f"{MOST:.0%}"))
    show.caption(t("scene.costs.why", width=models.sizes().d_model))


def draw(translation: Translation) -> None:
    rnn = attending()
    if rnn is None:
        return
    show_memory()
    if st.button(t("parallel.measure"), key=MEASURE, type="primary", help=t("scene.costs.measure_help")):
        sizes = models.translator(rnn).config
        long_work.begin(
            SPACE.name,
            lambda progress: models.ask(costs, sizes, LENGTHS, progress=progress, remember=False),
        )
    if measured := long_work.finished(SPACE.name, t("parallel.working")):
        FOUND.set(measured)
    found = FOUND.get()
    if not found:
        st.info(t("scene.costs.not_yet"))
        return
    first = choose(FIRST, t("scene.costs.first"), LENGTHS[:-1])
    show_time(found, rnn, first)


SCENE = Scene(
    name="costs",
    draw=draw,
    formulas=("cost",),
    more=(on_compare("parallel"),),
    reads=False,
)
