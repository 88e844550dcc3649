"""What a saved page is made of; each block writes its own HTML."""

import base64
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import plotly.graph_objects as go

from viz.components import changed
from viz.escape import APART


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

    return _INLINE.sub(found, markdown.replace(APART, ""))
