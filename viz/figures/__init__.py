"""Figures for a notebook or a page: arrays and labels in, plotly figures out."""

from viz.figures.curves import Series, bars, lines
from viz.figures.heatmap import heatmap, heatmap_height

__all__ = ["Series", "bars", "heatmap", "heatmap_height", "lines"]
