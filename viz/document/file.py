"""A page as one HTML file that opens from a disk: blocks in, a document out, whose pictures answer as on the page.

Nothing in it asks a network. Canvas components bring their own files and are mounted as Streamlit would; Plotly comes
along when there is a figure.
"""

import html
import re
from collections.abc import Iterable

from plotly.offline import get_plotlyjs

from viz.components import FILES
from viz.document.blocks import Block, Canvas, Chart, Heading, inline
from viz.theme import BACKGROUND, BORDER, INK, PRIMARY, SECONDARY, Scheme


def document(blocks: Iterable[Block], *, title: str, language: str, scheme: Scheme, foot: str = "") -> bytes:
    """All blocks below the title, in the colours of `scheme`, which should be that of the figures. `language` is a tag
    such as "en"; `foot` is Markdown."""
    blocks = list(blocks)
    kinds = dict.fromkeys(block.component for block in blocks if isinstance(block, Canvas))
    plotly = any(isinstance(block, Chart) for block in blocks)
    parts = [
        f'<!doctype html>\n<html lang="{html.escape(language)}">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">',
        f"<title>{html.escape(title)}</title>\n<style>\n{_variables(scheme)}\n{STYLE}</style>\n</head>\n<body>\n<main>",
        Heading(text=title, level=1).html(),
        *(block.html() for block in blocks),
        f'<footer class="quiet">{inline(foot)}</footer>' if foot else "",
        "</main>",
        *(_template(name) for name in kinds),
        f"<script>{_code(get_plotlyjs())}</script>" if plotly else "",
        f"<script>\nconst draw = {{\n{''.join(map(_drawing, kinds))}}};\n{START}</script>\n</body>\n</html>\n",
    ]
    return "\n".join(parts).encode("utf-8", "replace")


POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""The browser itself refuses every request."""

STYLE = """
body { margin: 0; background: var(--st-background-color); color: var(--st-text-color); }
main { max-width: 1120px; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; font: 1rem/1.5 var(--st-font); }
h1, h2, h3 { line-height: 1.25; margin: 1.8rem 0 0.5rem; }
h1 { margin-top: 0; }
p { margin: 0.4rem 0; overflow-wrap: anywhere; }
.quiet, figcaption { font-size: 0.875rem; opacity: 0.8; }
figure { margin: 1.2rem 0 1.8rem; }
figcaption { margin-top: 0.4rem; overflow-wrap: anywhere; }
.plot { max-width: 100%; }
.formula { margin: 0.8rem 0; overflow-x: auto; font-size: 1.15rem; }
math { width: max-content; }
details { margin: 0.8rem 0; padding: 0.5rem 0.9rem; border: 1px solid var(--st-border-color); border-radius: 0.5rem; }
summary { cursor: pointer; font-weight: 600; }
table { margin: 0.8rem 0; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--st-border-color); text-align: right; }
th:first-child, td:first-child { text-align: left; }
footer { margin-top: 2.5rem; padding-top: 0.6rem; border-top: 1px solid var(--st-border-color); }
code { font-size: 0.9em; }
pre { margin: 0.4rem 0; white-space: pre-wrap; }
@page { margin: 14mm; }
@media print {
  :root { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  figure, .formula, details, tr { break-inside: avoid; }
  h1, h2, h3, p:has(+ figure) { break-after: avoid; }
  .component, .plot { zoom: 0.61; }
  .modebar { display: none; }
}
@media print and (orientation: landscape) { .component, .plot { zoom: 0.9; } }
"""
"""On paper a picture keeps the width that it was drawn for, and is made smaller: 1120 pixels on A4."""

START = """
// What Streamlit passes to a component. Nobody listens to what it has to say, and nobody can be asked for more.
for (const host of document.querySelectorAll(".component")) {
  const { name } = host.dataset;
  const script = host.firstElementChild;
  const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const data = (script.type === "text/plain" ? bytes : JSON.parse)(script.textContent);
  const parentElement = host.attachShadow({ mode: "open" });
  parentElement.append(document.getElementById(`component-${name}`).content.cloneNode(true));
  draw[name]({ name, key: name, data, parentElement, setStateValue: () => {} });
}
for (const host of document.querySelectorAll(".plot")) {
  const [{ data, layout }, options] = JSON.parse(host.nextElementSibling.textContent);
  Plotly.newPlot(host, data, layout, options);
}
"""


def _variables(scheme: Scheme) -> str:
    """What Streamlit's theme says to the components."""
    values = {
        "background-color": BACKGROUND[scheme],
        "secondary-background-color": SECONDARY[scheme],
        "text-color": INK[scheme],
        "primary-color": PRIMARY[scheme],
        "border-color": BORDER[scheme],
        "base-radius": "0.5rem",
        "font": "Helvetica, Arial, sans-serif",
    }
    theme = " ".join(f"--st-{name}: {value};" for name, value in values.items())
    return f":root {{ color-scheme: {scheme}; --header: 0px; {theme} }}"


def _template(name: str) -> str:
    files = FILES[name]
    return f'<template id="component-{name}"><style>\n{files.css}</style>\n{files.html}</template>'


def _drawing(name: str) -> str:
    """An entry of `draw`: what draws the component, after its script, if it has one, has been called."""
    files = FILES[name]
    begin = f"{_code(files.script)}();\n" if files.script else ""
    return f'"{name}": (() => {{\n{begin}return {_code(files.js)};\n}})(),\n'


def _code(script: str) -> str:
    """Ours and Plotly's: nothing in it may look like the end of a script."""
    assert not re.search(r"</?script|<!--", script, re.IGNORECASE), "this would end the script"
    return script
