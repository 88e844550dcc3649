"""A page as one HTML file that opens from a disk: blocks in, a document out, whose pictures answer as on the page.

Nothing in it asks a network. Canvas components bring their own files and are mounted as Streamlit would; Plotly comes
along when there is a figure.
"""

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from viz.components import FILES, changed
from viz.theme import BACKGROUND, BORDER, INK, PRIMARY, SECONDARY, Scheme

# ---- blocks --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Heading:
    text: str
    """Plain."""
    level: int = 2
    """1 is the document's title."""

    def html(self) -> str:
        return f'<h{self.level} dir="auto">{html.escape(self.text)}</h{self.level}>'


@dataclass(frozen=True, kw_only=True)
class Text:
    text: str
    """Markdown as the pages write it: paragraphs, emphasis, code and escapes; what a person typed went through
    viz.escape.escape."""
    quiet: bool = False
    """Small and grey, like a caption."""

    def html(self) -> str:
        look = ' class="quiet"' if self.quiet else ""
        return "\n".join(f'<p dir="auto"{look}>{inline(each)}</p>' for each in self.text.split("\n\n"))


@dataclass(frozen=True, kw_only=True)
class Formula:
    mathml: str
    """A <math> element, of viz.formulas: it is taken as it is."""

    def html(self) -> str:
        return f'<div class="formula">{self.mathml}</div>'


@dataclass(frozen=True, kw_only=True)
class Code:
    text: str

    def html(self) -> str:
        return f"<pre><code>{html.escape(self.text)}</code></pre>"


@dataclass(frozen=True, kw_only=True)
class Question:
    """An answer that is hidden until somebody asks for it. Both are Markdown."""

    question: str
    answer: str

    def html(self) -> str:
        return f"<details><summary>{inline(self.question)}</summary>{Text(text=self.answer).html()}</details>"


@dataclass(frozen=True, kw_only=True)
class Table:
    """Plain text; every column but the first stands to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        head, *rows = [[f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row] for tag, row in self._tagged()]
        body = "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        return f"<table><thead><tr>{''.join(head)}</tr></thead><tbody>\n{body}</tbody></table>"

    def _tagged(self) -> Iterator[tuple[str, Sequence[str]]]:
        yield "th", self.head
        yield from (("td", row) for row in self.rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class Chart:
    """A Plotly figure."""

    figure: go.Figure
    caption: str = ""
    """Markdown."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Plotly's configuration."""
    width: int | None = None
    """Pixels; None: as wide as the page."""

    def html(self) -> str:
        # Plotly's own button for sharing posts the figure to a server.
        never = {"showSendToCloud": False, "plotlyServerURL": "", "modeBarButtonsToRemove": ["sendChartToCloud"]}
        options = _json({"displaylogo": False, "responsive": self.width is None, **self.options, **never})
        figure = _in_script(self.figure.to_json())
        size = f' style="width: {self.width}px"' if self.width else ""
        return _figure(
            f'<div class="plot"{size}></div><script type="application/json">[{figure}, {options}]</script>',
            self.caption,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Canvas:
    """One of our components."""

    component: str
    """Its name in viz.components.FILES."""
    data: bytes | Mapping[str, object]
    """What it gets from Python."""
    header: Mapping[str, object] = field(default_factory=dict)
    """Where it starts differently than the header of `data` says."""
    caption: str = ""
    """Markdown."""

    def html(self) -> str:
        if isinstance(self.data, bytes):
            data = changed(self.data, self.header) if self.header else self.data
            script = f'<script type="text/plain">{base64.b64encode(data).decode()}</script>'
        else:
            script = f'<script type="application/json">{_json(self.data)}</script>'
        return _figure(f'<div class="component" data-name="{self.component}">{script}</div>', self.caption)


Block = Heading | Text | Formula | Code | Question | Table | Chart | Canvas


class Record:
    """What a page shows, in its order, noted while it is drawn; nothing is copied or encoded before somebody asks."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._groups: dict[str, dict[str, Block]] = {}
        self._part = ""

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What is noted within belongs together: it takes the place of all that was noted there before."""
        outside, self._part = self._part, name
        self._groups[name] = {}
        try:
            yield
        finally:
            self._part = outside

    def note(self, key: str, block: Block) -> None:
        """The same key again replaces a block of the same kind in its place."""
        key = f"{type(block).__name__} {key}"
        group = self._part or next((name for name, blocks in self._groups.items() if key in blocks), key)
        self._groups.setdefault(group, {})[key] = block

    def blocks(self) -> list[Block]:
        return [block for blocks in list(self._groups.values()) for block in list(blocks.values())]

    def has_pictures(self) -> bool:
        return any(isinstance(block, Chart | Canvas) for block in self.blocks())


# ---- the document --------------------------------------------------------------------------------------------------


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


def _json(value: object) -> str:
    return _in_script(json.dumps(value, allow_nan=False))


def _in_script(value: str) -> str:
    """JSON, in which "<" stands in texts alone, made safe to stand in a script."""
    return value.replace("<", "\\u003c")


def _figure(picture: str, caption: str) -> str:
    words = f'\n<figcaption dir="auto">{inline(caption)}</figcaption>' if caption else ""
    return f"<figure>{picture}{words}</figure>"


_INLINE = re.compile(
    r"\\([!-/:-@\[-`{-~])|`([^`]+)`|\*\*((?:\\.|[^\\])+?)\*\*|\*((?:\\.|[^\\*])+)\*|([&<>\"'])", re.DOTALL
)


def inline(markdown: str) -> str:
    """Escapes, code, strong and emphasised words of Markdown as HTML; anything else is text."""

    def found(match: re.Match[str]) -> str:
        escaped, code, strong, emphasised, sign = match.groups()
        if code is not None:
            return f"<code>{html.escape(code)}</code>"
        if strong is not None:
            return f"<strong>{inline(strong)}</strong>"
        if emphasised is not None:
            return f"<em>{inline(emphasised)}</em>"
        return html.escape(escaped or sign)

    return _INLINE.sub(found, markdown)
