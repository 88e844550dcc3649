"""A figure for the back row of a room."""

import plotly.graph_objects as go

LARGER = 1.4
"""Times; about what a presentation does to the type of the page."""
USUAL = 12
"""Plotly's size of type where a figure names none, in pixels."""


def for_a_room(figure: go.Figure) -> go.Figure:
    """The same figure, as high as it was, with larger type and the room that it takes; the given one stays as it is."""
    shown = go.Figure(figure)
    fonts = [axis.tickfont for axis in (*shown.select_xaxes(), *shown.select_yaxes())]
    fonts += [note.font for note in shown.layout.annotations]
    for font in fonts:
        if font.size:
            font.size *= LARGER
    size = shown.layout.font.size or USUAL
    margin = {side: LARGER * shown.layout.margin[side] for side in "lrtb" if shown.layout.margin[side]}
    shown.update_layout(font_size=LARGER * size, margin=margin)
    return shown
