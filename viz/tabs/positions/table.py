"""The table of positions: all of it, some of its columns as waves, and how alike two positions are."""

import re

import streamlit as st

from model.experiments.position_encoding import dot_products, some_dimensions, table, wavelength
from viz import models, state
from viz.document import show
from viz.document.page import fragment, scheme_now
from viz.figures import Series
from viz.figures.positions import Axes, Panel, stacked, waves
from viz.i18n import t
from viz.state import Memory, Space
from viz.tabs.positions.pictures import draw as draw_picture
from viz.tabs.positions.pictures import squares
from viz.widgets.dials import table_axes

SPACE = Space("positions_table", __file__, page="positions")
NONE: tuple[int, ...] = ()
DIMENSIONS = SPACE.choice("dimensions", NONE, address="dimensions")
MOST = 6
"""Lines in one picture, each with a colour of its own."""


def wave_name(dimension: int) -> str:
    """ "32 (sine)"."""
    if dimension % 2:
        return t("positions.table.cosine", dimension=dimension)
    return t("positions.table.sine", dimension=dimension)


def write_dimensions(dimensions: tuple[int, ...]) -> str:
    """ "[0, 32]"."""
    return str(list(dimensions))


def read_dimensions(text: str) -> tuple[int, ...] | None:
    """What `write_dimensions` wrote, if this model has them."""
    known = {str(dimension): dimension for dimension in range(models.sizes().d_model)}
    found = tuple(known[number] for number in re.findall("[0-9]+", text) if number in known)
    return found if write_dimensions(found) == text and len(set(found)) == len(found) <= MOST else None


def ask_dimensions() -> tuple[int, ...]:
    width = models.sizes().d_model
    choice = DIMENSIONS.within(some_dimensions(width))
    choice.begin(read_dimensions, write_dimensions)
    # A box of its own for each language: a browser knows what is chosen by the names it was first given.
    box = Memory(key=choice.key.at("box", state.language()), make=lambda: list(choice.get()))
    box.set(list(choice.get()))
    st.multiselect(
        t("positions.table.dimensions"), range(width), key=box.key, max_selections=MOST, format_func=wave_name,
        help=t("positions.table.dimensions_help"), on_change=lambda: choice.set(tuple(box.get())),
    )  # fmt: skip
    return choice.get()


@fragment
def draw() -> None:
    config = models.sizes()
    vectors = table(config.max_length, config.d_model)
    show.caption(t("positions.table.intro"))
    show.formula("position_table")
    draw_picture(
        stacked([Panel(title=t("positions.table.all"), values=vectors)], table_axes(), scheme=scheme_now()),
        "table",
        t("positions.table.reading", length=config.max_length, width=config.d_model),
    )
    show.heading(t("positions.table.waves"))
    if chosen := ask_dimensions():
        series = [
            Series(
                name=t(
                    "positions.table.wave",
                    dimension=wave_name(dimension),
                    wavelength=f"{wavelength(dimension, config.d_model):,.1f}",
                ),
                x=list(range(config.max_length)),
                y=vectors[:, dimension].tolist(),
            )
            for dimension in chosen
        ]
        draw_picture(
            waves(series, x_title=t("positions.position"), y_title=t("positions.value"), scheme=scheme_now()),
            "waves",
            t("positions.table.waves_reading"),
        )
    else:
        st.info(t("positions.table.none_chosen"))
    show.heading(t("positions.table.dots"))
    show.formula("position_products")
    dots, position = dot_products(vectors), t("positions.position")
    largest = float(dots[0, 0])
    squares(
        {"dots": Panel(title=t("positions.table.dots_title"), values=dots)},
        Axes(rows=position, columns=position, value=t("positions.dot"), limit=largest),
        t("positions.table.dots_reading", largest=f"{largest:g}"),
        size=480,
    )
