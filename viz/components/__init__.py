"""Streamlit v2 components: html, css and js files beside a typed Python wrapper."""
