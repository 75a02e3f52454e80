"""Pieces of the page of a fit, escaped by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from markone.lab.plots.drawn import rendered
from markone.lab.report.figures import ShownFigure as Shown
from markone.show.page import PageTable as Table

TEMPLATE = Path(__file__).with_name("report.html")


def section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


def items(texts: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{prose(text)}</li>" for text in texts) + "</ul>" if texts else ""


def prose(text: str) -> str:
    """Escaped; `words` in backticks are code, as in Markdown."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def figure(shown: Shown) -> str:
    summary = f"<summary>The numbers of figure {escape(shown.name)}</summary>"
    rows = f"<details>{summary}{table(shown.table)}</details>" if shown.table.rows else ""
    caption = f"<figcaption>{prose(shown.caption)}</figcaption>"
    return f'<figure id="figure-{escape(shown.name)}">{inline_svg(shown)}{caption}</figure>{rows}'


def inline_svg(shown: Shown) -> str:
    """The drawing itself: ids made unique on the page, black turned into the colour of the text."""
    text = rendered(shown.drawn, "svg").decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{shown.name}-', text)
    text = re.sub(r'(xlink:href="|url\()#', rf"\1#{shown.name}-", text)
    text = text.replace("#000000", "currentColor").replace("#595959", "currentColor")
    width = shown.drawn.figure.get_figwidth()
    # In two columns' width the letters are small: a telephone scrolls rather than shrinks them.
    size = f"max-width:{7.5 * width:.0f}rem;min-width:{30 if width > 5 else 0}rem"
    opening = f'<svg style="{size}" role="img" aria-label="{escape(shown.caption)}"'
    return f'<div class="wide">{text.replace("<svg", opening, 1)}</div>'


def table(content: Table, kind: str = "numbers") -> str:
    if not content.rows:
        return ""
    head = "".join(f"<th>{escape(text)}</th>" for text in content.header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in content.rows
    )
    head = f"<thead><tr>{head}</tr></thead>" if any(content.header) else ""
    return f'<div class="wide"><table class="{kind}">{head}<tbody>{body}</tbody></table></div>'
