"""A report as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sklearn

import markone
from markone.show.drawing import figure_bytes
from markone.show.page import PageFigure, PageTable, inline_svg, render_page
from markone.tables.report.blocks import PAGE, Block, Report, ReportPicture, Table, Text
from markone.tables.report.figures import DRAW

TEMPLATE = Path(__file__).with_name("report.html")


def build_page(report: Report, command: Sequence[str]) -> str:
    """Render the report; `command` are the arguments of `markone` that produced it."""
    versions = f"markone {markone.__version__}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"
    provenance = [
        ["command", shlex.join(["markone", *command])],
        *report.provenance,
        ["versions", versions],
        ["python", platform.python_version()],
    ]
    sections = [
        (section.title, [_content(block) for block in section.blocks if _is_shown(block)])
        for section in report.sections
    ]
    return render_page(TEMPLATE, report=report, sections=sections, provenance=PageTable(["", ""], provenance))


def _is_shown(block: Block | None) -> bool:
    """Return whether the block has content on the page."""
    if block is None or (isinstance(block, Table) and not block.table.rows):
        return False
    if isinstance(block, Text) and not block.text:
        return False
    return PAGE in getattr(block, "where", (PAGE,))


def _content(block: Any) -> tuple[str, Any]:
    """Kind and content of a block, as the template needs it."""
    if isinstance(block, ReportPicture):
        return "figure", _inline_figure(block)
    if isinstance(block, Sequence):
        return "pair", [_inline_figure(picture) for picture in block]
    return type(block).__name__, block


def _inline_figure(picture: ReportPicture) -> PageFigure:
    figure = DRAW[picture.name](*picture.content)
    svg = figure_bytes(figure, "svg").decode()
    drawing = inline_svg(svg, picture.name, picture.caption, figure.get_figwidth())
    return PageFigure(picture.name, picture.caption, drawing, picture.numbers)
