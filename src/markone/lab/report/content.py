"""All that a report says, before it is HTML or Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markone.lab.agreement import Agreement, compare
from markone.lab.claims.judge import ClaimResult, judge
from markone.lab.formatting import names, p_value
from markone.lab.report.caveats import MOST, caveats
from markone.lab.report.figures import ShownFigure, shown
from markone.lab.report.tables import PrintedTable, printed
from markone.lab.report.toml_text import toml_text
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.numerics.text import count, number
from markone.show.page import PageTable


@dataclass(frozen=True)
class Content:
    """The parts in the order in which they are read."""

    name: str
    title: str
    caveats: list[str]
    remarks: list[str]
    figures: list[ShownFigure]
    tables: list[PrintedTable]
    claims: list[ClaimResult]
    agreement: PageTable
    notes: list[str]
    provenance: PageTable
    declaration: str


def collect(declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any]) -> Content:
    points = [point for point in points if point.repeats or point.failures]
    agreements, claims = compare(declaration, points), judge(declaration, points)
    measured = any(point.repeats for point in points)
    told = caveats(declaration, points, agreements, claims, provenance)
    return Content(
        name=declaration.name,
        title=declaration.title,
        caveats=told[:MOST],
        remarks=told[MOST:],
        figures=[shown(declaration, points, figure) for figure in declaration.figures] if measured else [],
        tables=[printed(declaration, points, table) for table in declaration.tables] if measured else [],
        claims=claims,
        agreement=agreement_table(agreements),
        notes=list(dict.fromkeys(f"{a.figure}, {a.theory}: {note}" for a in agreements for note in a.notes)),
        provenance=PageTable(["", ""], [[k, words(value)] for k, value in provenance.items() if value != ""]),
        declaration=toml_text(declaration),
    )


def agreement_table(agreements: Sequence[Agreement]) -> PageTable:
    header = ["figure", "theory", "line", "chi² / freedom", "p", "with b/N: chi² / freedom", "p", "b"]
    rows = []
    for a in agreements:
        if a.kind != "prediction":
            rows.append([a.figure, a.theory, names(a.keys) or "all", *kind_words(a), "–", "–", "–"])
            continue
        for keys, chi in a.per_line if len(a.per_line) > 1 else []:
            rows.append([a.figure, a.theory, names(keys), *chi_words(chi), "", "", ""])
        rows.append([a.figure, a.theory, names(a.keys) or "all", *chi_words(a.plain), *shift_words(a)])
    return PageTable(header, rows)


def kind_words(a: Agreement) -> list[str]:
    """Of a bound: how many means were held against it, and Holm's p of the worst."""
    told = f"{a.kind}, {count(a.bound.points, 'point')}" if a.bound else a.kind
    return [told, p_value(a.p)]


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
