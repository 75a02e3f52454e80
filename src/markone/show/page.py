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
# A cell with nothing but numbers: "-0.5", "1e-05", "0.1 ± 0.02", or a gap.
NUMBER = r"-?\d+(\.\d+)?(e[+-]?\d+)?"
NUMBERS = re.compile(rf"({NUMBER}( ± {NUMBER})?|–)?")
PLUS_MINUS = r"\pm"
LATEX = {letter: "\\" + letter for letter in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "²": r"\textsuperscript{2}",
}

# Colours of matplotlib's drawings that a page replaces by its own; #1b1b1b and white texts, which stand on
# coloured cells, stay.
DARK = re.compile("#(?:000000|1a1a1a|262626|333333|4c4c4c|595959)")
PAPER = "var(--paper, #ffffff)"
GRAYS = re.compile(r"(<text [^>]*#ffffff[^>]*>)|#([6-9a-f][0-9a-f])\2\2\b")


@dataclass(frozen=True)
class PageTable:
    """Rows of text below a header; a header of empty strings is not shown."""

    header: list[str]
    rows: list[list[str]]

    def latex(self, caption: str = "", label: str = "") -> str:
        r"""The table for LaTeX (package booktabs); "0.1 ± 0.02" becomes $0.1 \pm 0.02$."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        kinds = "".join("r" if all(map(NUMBERS.fullmatch, column)) else "l" for column in columns)
        lines = [" & ".join(map(_latex_cell, row)) + r" \\" for row in (self.header, *self.rows)]
        lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", lines[0], r"\midrule", *lines[1:]]
        lines += [r"\bottomrule", r"\end{tabular}"]
        if caption or label:
            named = [rf"\caption{{{_latex_cell(caption)}}}"] + [rf"\label{{{label}}}"] * bool(label)
            lines = [r"\begin{table}", r"\centering", *named, *lines, r"\end{table}"]
        return "\n".join(lines) + "\n"


def _latex_cell(text: str) -> str:
    """Escape a cell; numbers are set in mathematics, with their minus, error and power of ten."""
    if not NUMBERS.fullmatch(text):
        return "".join(LATEX.get(letter, letter) for letter in text)
    text = re.sub(r"e([+-]?)0*(\d+)", lambda m: rf" \times 10^{{{m[1].strip('+')}{m[2]}}}", text)
    return text if text in ("", "–") else f"${text.replace('±', PLUS_MINUS)}$"


@dataclass(frozen=True)
class PageFigure:
    """A drawing from `inline_svg`, its caption, and a collapsed table of the numbers drawn."""

    name: str
    caption: str
    drawing: Markup
    numbers: PageTable | None = None


def render_page(template: Path, **content: Any) -> str:
    """Render a template, with a list of its sections; an undefined name is an error."""
    text = _template_environment(template.parent).get_template(template.name).render(content)
    links: list[str] = []

    def name_section(found: re.Match[str]) -> str:
        links.append(f'<a href="#section-{len(links) + 1}">{found[1]}</a>')
        return f'<section id="section-{len(links)}"><h2>{found[1]}</h2>'

    text = re.sub(r"<section><h2>(.*?)</h2>", name_section, text)
    contents = f'<nav class="contents" aria-label="Contents">{"".join(links)}</nav>' if len(links) > 2 else ""
    return text.replace("<!-- contents -->", contents, 1)


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


def _page_colour(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    ink = 1 - int(found[2], 16) / 255
    # The ink of the page is not black: a little more of it.
    share = f"color-mix(in srgb, currentColor {115 * ink:.0f}%, {PAPER})"
    return share if ink else PAPER


def inline_svg(svg: str, name: str, caption: str, width: float) -> Markup:
    """Embed an SVG of matplotlib, `width` inches wide, in a page.

    Ids are made unique by the name of the figure. Black becomes the text colour, white that of the page and
    grays their mixtures, so that a dark page shows all of them; white texts stay. The caption is the
    aria-label. The SVG is trusted: matplotlib has escaped its texts.
    """
    text = svg[svg.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = re.sub(r"[^\w-]", "-", name)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(xlink:href="|url\()#', rf"\1#{prefix}-", text)
    text = GRAYS.sub(_page_colour, DARK.sub("currentColor", text))
    # Wide figures have small text: on a phone they scroll instead of shrinking.
    size = f"max-width:{7.5 * width:.0f}rem;min-width:{30 if width > 5 else 0}rem"
    opening = f'<svg style="{size}" role="img" aria-label="{escape(caption)}"'
    return Markup(f'<div class="wide">{text.replace("<svg", opening, 1)}</div>')
