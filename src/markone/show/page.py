"""Base template of all HTML pages: one style for screen, phone and print; no scripts, no requests.

Other packages provide a template that extends `page.html` and fills its blocks (`title`, `subtitle`, `style`,
`lead`, `main`), using the macros of `parts.html`:

    {% extends "page.html" %}
    {% import "parts.html" as parts %}
    {% block title %}{{ title }}{% endblock %}
    {% block main %}{% call parts.section("Scores") %}{{ parts.table(scores) }}{% endcall %}{% endblock %}

All values are escaped. Only `prose` and `inline_svg` return HTML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class PageTable:
    """Rows of text below a header; a header of empty strings is not shown."""

    header: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class PageFigure:
    """A drawing from `inline_svg`, its caption, and a collapsed table of the numbers drawn."""

    name: str
    caption: str
    drawing: Markup
    numbers: PageTable | None = None


def render_page(template: Path, **content: Any) -> str:
    """Render a template; an undefined name is an error."""
    return _template_environment(template.parent).get_template(template.name).render(content)


@cache
def _template_environment(folder: Path) -> Environment:
    """Jinja environment with the templates of `folder` first, then the base templates."""
    found = Environment(
        loader=FileSystemLoader([folder, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["prose"] = prose_markup
    return found


def prose_markup(text: str) -> Markup:
    """Escape text; `words` in backticks become code, as in Markdown."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def inline_svg(svg: str, name: str, caption: str, width: float) -> Markup:
    """Embed an SVG of matplotlib, `width` inches wide, in a page.

    Ids are made unique by the name of the figure, black becomes the text colour, and the caption is the
    aria-label. The SVG is trusted: matplotlib has escaped its texts.
    """
    text = svg[svg.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = re.sub(r"[^\w-]", "-", name)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(xlink:href="|url\()#', rf"\1#{prefix}-", text)
    text = text.replace("#000000", "currentColor").replace("#595959", "currentColor")
    # Wide figures have small text: on a phone they scroll instead of shrinking.
    size = f"max-width:{7.5 * width:.0f}rem;min-width:{30 if width > 5 else 0}rem"
    opening = f'<svg style="{size}" role="img" aria-label="{escape(caption)}"'
    return Markup(f'<div class="wide">{text.replace("<svg", opening, 1)}</div>')
