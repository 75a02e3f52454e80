"""The report as files: one page, the same in Markdown, and the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markone.lab.plots.drawn import save
from markone.lab.report.content import collect
from markone.lab.report.html import as_html
from markone.lab.report.markdown import as_markdown
from markone.lab.scenario import Point
from markone.lab.schema import Declaration


@dataclass(frozen=True)
class Written:
    html: Path
    markdown: Path
    figures: list[Path]


def write(
    declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any], folder: str | Path
) -> Written:
    """Write report.html (alone, it is complete), report.md and figures/*.svg, png, pdf into the folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    content = collect(declaration, points, provenance)
    html, markdown = folder / "report.html", folder / "report.md"
    figures = [path for shown in content.figures for path in save(shown.drawn, folder / "figures")]
    html.write_text(as_html(content), encoding="utf-8")
    markdown.write_text(as_markdown(content), encoding="utf-8")
    return Written(html, markdown, figures)
