"""Write a report: a self-contained HTML page, the same in Markdown, and the figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EACCES, EPERM, EROFS
from pathlib import Path
from typing import Any

from markone.lab.plots.drawn_figure import inline_drawing, save_formats
from markone.lab.report.content import Content, collect_content
from markone.lab.report.figures_and_tables import PrintedTable
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.numerics.files import staged_folder
from markone.show.page import PageFigure, PageTable, render_page

PAGE = "report.html"
# The beginning of an HTML tag; "p < 0.01" is none.
TAG = re.compile(r"<(?=[A-Za-z/!?])")
TEMPLATE = Path(__file__).with_name("templates") / "report.html"


@dataclass(frozen=True)
class Written:
    html: Path
    markdown: Path
    figures: list[Path]
    tables: list[Path]


def write_report(
    declaration: Declaration,
    points: Sequence[Point],
    provenance: Mapping[str, Any],
    folder: str | Path,
    page: str = PAGE,
) -> Written:
    """Write report.html (self-contained), report.md, figures/*.svg, png, pdf with their numbers (csv), and
    tables/*.tex into the folder.

    All files are written before the first is moved into place, so that they belong to one report.
    """
    folder = Path(folder)
    content = collect_content(declaration, points, provenance)
    html = folder / page
    markdown = html.with_suffix(".md")
    with _explain_read_only(folder), staged_folder(folder) as stage:
        made = [path for shown in content.figures for path in save_formats(shown.drawn, stage / "figures")]
        tables = [_write_latex(printed, stage / "tables") for printed in content.tables]
        (stage / html.name).write_text(report_html(content), encoding="utf-8")
        (stage / markdown.name).write_text(report_markdown(content), encoding="utf-8")
    images, latex = ([folder / path.relative_to(stage) for path in paths] for paths in (made, tables))
    return Written(html, markdown, images, latex)


@contextmanager
def _explain_read_only(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (EACCES, EPERM, EROFS):
            raise
        advice = f"{error.strerror}, so that no report can be written here. Copy the store and name the copy"
        raise PermissionError(error.errno, advice, str(folder)) from error


def _write_latex(printed: PrintedTable, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{printed.name}.tex"
    path.write_text(printed.table.latex(printed.caption, f"tab:{printed.name}"), encoding="utf-8")
    return path


def report_html(content: Content) -> str:
    """HTML page with inline figures, without requests and scripts."""
    figures = [
        PageFigure(shown.name, shown.caption, inline_drawing(shown.drawn, shown.caption), shown.table)
        for shown in content.figures
    ]
    return render_page(TEMPLATE, content=content, figures=figures)


def report_markdown(content: Content) -> str:
    """Markdown that refers to the figure files; HTML tags in texts are escaped."""
    # The declaration in a code fence longer than any in it.
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`{3,}", content.declaration))])
    return (
        TAG.sub("&lt;", _markdown_body(content))
        + f"\n\n## Declaration\n\n{fence}toml\n{content.declaration}{fence}\n"
    )


def _markdown_body(content: Content) -> str:
    parts = [f"# {content.title}", "## Read this first", "\n".join(f"- {line}" for line in content.caveats)]
    if content.figures:
        parts.append("## Figures")
    for shown in content.figures:
        parts += [f"![{shown.name}](figures/{shown.name}.svg)", shown.caption]
        parts += [_markdown_table(shown.table)] if shown.table.rows else []
    if content.tables:
        parts.append("## Tables")
    for printed in content.tables:
        parts += [f"**{printed.name}**: {printed.caption}", _markdown_table(printed.table)]
    if content.agreement.rows:
        parts += ["## Simulation against theory", _markdown_table(content.agreement)]
        parts += ["\n".join(f"- {note}" for note in content.notes)] if content.notes else []
    if content.claims:
        parts += ["## Claims", *([content.rule] if content.rule else [])]
        lines = [(c, f" ({c.remark})" * bool(c.remark)) for c in content.claims]
        parts += ["\n".join(f"- **{c.answer}**{made}: {c.text}  \n  {c.sentence}" for c, made in lines)]
    if content.remarks:
        parts += ["## Further remarks", "\n".join(f"- {line}" for line in content.remarks)]
    if content.provenance.rows:
        parts += ["## Provenance", _markdown_table(content.provenance)]
    return "\n\n".join(parts)


def _markdown_table(content: PageTable) -> str:
    rows = [content.header, ["---"] * len(content.header), *content.rows]
    cells = ([text.replace("|", "\\|").replace("\n", " ") for text in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
