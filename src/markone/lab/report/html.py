"""The report as one HTML page that needs nothing else: figures inside, no requests, no scripts."""

from __future__ import annotations

from pathlib import Path

from markone.lab.plots.drawn import rendered
from markone.lab.report.content import Content
from markone.lab.report.figures import ShownFigure
from markone.show.page import PageFigure, inline_svg, render

TEMPLATE = Path(__file__).with_name("templates") / "report.html"


def as_html(content: Content) -> str:
    return render(TEMPLATE, content=content, figures=[on_the_page(shown) for shown in content.figures])


def on_the_page(shown: ShownFigure) -> PageFigure:
    svg, width = rendered(shown.drawn, "svg").decode(), shown.drawn.figure.get_figwidth()
    return PageFigure(
        shown.name, shown.caption, inline_svg(svg, shown.name, shown.caption, width), shown.table
    )
