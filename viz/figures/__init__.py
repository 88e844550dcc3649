"""Figures for a notebook or a page: arrays and labels in, plotly figures out."""

from viz.figures.heatmap import heatmap, heatmap_height

__all__ = ["heatmap", "heatmap_height"]
