"""The shell of every page: one look on screen, telephone and paper; no scripts, no requests.

A room writes a template that extends `page.html` and fills its blocks (`title`, `subtitle`, `style`, `lead`,
`main`); the pieces it is made of are the macros of `parts.html`:

    {% extends "page.html" %}
    {% import "parts.html" as parts %}
    {% block title %}{{ title }}{% endblock %}
    {% block main %}{% call parts.section("Scores") %}{{ parts.table(scores) }}{% endcall %}{% endblock %}

Whatever reaches a template is escaped. What is HTML already comes from `prose` or `inline_svg` alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

SHELL = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class PageTable:
    """Texts in rows under a header; of a header of empty texts nothing is shown."""

    header: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class PageFigure:
    """A drawing of `inline_svg` above its caption, and the numbers that were drawn, folded away."""

    name: str
    caption: str
    drawing: Markup
    numbers: PageTable | None = None


def render(template: Path, **content: Any) -> str:
    """The page that this template makes of its content; a name it lacks is an error, not a gap."""
    return environment(template.parent).get_template(template.name).render(content)


@cache
def environment(folder: Path) -> Environment:
    """A room's own templates first, then the shell they extend."""
    found = Environment(
        loader=FileSystemLoader([folder, SHELL]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["prose"] = prose
    return found


def prose(text: str) -> Markup:
    """Escaped; `words` in backticks are code, as in Markdown."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def inline_svg(svg: str, name: str, caption: str, width: float) -> Markup:
    """A drawing of matplotlib, `width` inches wide, as part of the page.

    Its ids are made unique by the name of the figure, black becomes the colour of the text, and the caption
    is read aloud. The drawing is trusted: matplotlib has escaped the texts in it.
    """
    text = svg[svg.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = re.sub(r"[^\w-]", "-", name)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(xlink:href="|url\()#', rf"\1#{prefix}-", text)
    text = text.replace("#000000", "currentColor").replace("#595959", "currentColor")
    # In two columns' width the letters are small: a telephone scrolls rather than shrinks them.
    size = f"max-width:{7.5 * width:.0f}rem;min-width:{30 if width > 5 else 0}rem"
    opening = f'<svg style="{size}" role="img" aria-label="{escape(caption)}"'
    return Markup(f'<div class="wide">{text.replace("<svg", opening, 1)}</div>')
