"""Figures for a notebook or a page: arrays and labels in, plotly figures out."""

from viz.figures.heatmap import heatmap

__all__ = ["heatmap"]
