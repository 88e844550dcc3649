"""Streamlit pages, top to bottom: no arithmetic, no figure building."""
