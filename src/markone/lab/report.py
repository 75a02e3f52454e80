"""One page that says what was asked, what came out, whether theory agrees, and by which code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markone.lab.claims import Judged, judge
from markone.lab.figures import Drawn, draw, save
from markone.lab.seeing import tables
from markone.lab.seeing.agreement import Agreement, compare
from markone.lab.seeing.captions import curves_caption, picture_caption
from markone.lab.seeing.remarks import read_first
from markone.lab.seeing.toml_text import toml_text
from markone.lab.seeing.words import names, number, p_value, show
from markone.lab.summary import lines

if TYPE_CHECKING:
    from markone.lab.declare import Declaration
    from markone.lab.store import Point


@dataclass(frozen=True)
class Table:
    header: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Shown:
    name: str
    caption: str
    drawn: Drawn
    table: Table


@dataclass(frozen=True)
class Printed:
    """A declared table."""

    name: str
    caption: str
    table: Table


@dataclass(frozen=True)
class Content:
    """All that a report says, before it is HTML or Markdown."""

    name: str
    title: str
    remarks: list[str]
    figures: list[Shown]
    tables: list[Printed]
    agreement: Table
    notes: list[str]
    claims: list[Judged]
    provenance: Table
    declaration: str


@dataclass(frozen=True)
class Written:
    html: Path
    markdown: Path
    figures: list[Path]


def write(
    declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any], folder: str | Path
) -> Written:
    """Write report.html (alone, it is complete), report.md and figures/*.svg, png, pdf into the folder."""
    from markone.lab.seeing.as_html import as_html
    from markone.lab.seeing.as_markdown import as_markdown

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    content = collect(declaration, points, provenance)
    html, markdown = folder / "report.html", folder / "report.md"
    figures = [path for shown in content.figures for path in save(shown.drawn, folder / "figures")]
    html.write_text(as_html(content), encoding="utf-8")
    markdown.write_text(as_markdown(content), encoding="utf-8")
    return Written(html, markdown, figures)


def collect(declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any]) -> Content:
    points = [point for point in points if point.repeats or point.failures]
    agreements, claims = compare(declaration, points), judge(declaration, points)
    measured = any(point.repeats for point in points)
    return Content(
        name=declaration.name,
        title=declaration.title,
        remarks=read_first(declaration, points, agreements, claims, provenance),
        figures=[shown(declaration, points, figure) for figure in declaration.figures] if measured else [],
        tables=[listed(declaration, points, table) for table in declaration.tables] if measured else [],
        agreement=agreement_table(agreements),
        notes=list(dict.fromkeys(f"{a.figure}, {a.theory}: {note}" for a in agreements for note in a.notes)),
        claims=claims,
        provenance=Table(["", ""], [[key, words(value)] for key, value in provenance.items() if value != ""]),
        declaration=toml_text(declaration),
    )


def shown(declaration: Declaration, points: Sequence[Point], figure: Any) -> Shown:
    drawn = draw(declaration, points, figure)
    picture = getattr(figure, "kind", None) == "picture"
    caption = picture_caption(declaration, figure) if picture else curves_caption(declaration, figure)
    caption += f" {drawn.remark}" if drawn.remark else ""
    return Shown(
        figure.name, caption, drawn, Table([], []) if picture else means(declaration, points, figure)
    )


def listed(declaration: Declaration, points: Sequence[Point], table: Any) -> Printed:
    return Printed(
        table.name,
        tables.caption(table),
        Table(*tables.printed(tables.fill(declaration, points, table), table)),
    )


def means(declaration: Declaration, points: Sequence[Point], figure: Any) -> Table:
    """One row per x, one column per line and measure."""
    columns = [line for m in figure.measures for line in lines(declaration, points, figure, m)]
    header = [figure.x, *(", ".join(filter(None, [line.measure, names(line.keys)])) for line in columns)]
    cells: dict[Any, list[str]] = {}
    for k, line in enumerate(columns):
        for x, estimate in zip(line.x, line.estimates, strict=True):
            cells.setdefault(x, ["–"] * len(columns))[k] = show(estimate)
    numbers = all(isinstance(x, int | float) for x in cells)
    order = sorted(cells) if numbers else list(cells)
    return Table(header, [[number(x, 8), *cells[x]] for x in order])


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    header = ["figure", "theory", "line", "chi² / freedom", "p", "with b/N: chi² / freedom", "p", "b"]
    rows = []
    for a in agreements:
        for keys, chi in a.per_line if len(a.per_line) > 1 else []:
            rows.append([a.figure, a.theory, names(keys), *chi_words(chi), "", "", ""])
        rows.append([a.figure, a.theory, names(a.keys) or "all", *chi_words(a.plain), *shift_words(a)])
    return Table(header, rows)


def chi_words(chi: Any) -> list[str]:
    return [f"{chi.value:.1f} / {chi.freedom}", p_value(chi.p)]


def shift_words(a: Agreement) -> list[str]:
    if a.corrected is None:
        return ["–", "–", "–"]
    if not a.shifts:
        return [*chi_words(a.corrected), "not separable"]
    low, high = min(shift.b for shift in a.shifts), max(shift.b for shift in a.shifts)
    return [*chi_words(a.corrected), f"{low:.2g} … {high:.2g}" if len(a.shifts) > 1 else f"{low:.2g}"]


def words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {words(part)}" for key, part in value.items() if part != "")
    if isinstance(value, list | tuple | set):
        return "; ".join(words(part) for part in value)
    return number(value, 6)
