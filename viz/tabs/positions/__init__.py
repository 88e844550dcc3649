"""Positions: one file for each tab of the page."""
