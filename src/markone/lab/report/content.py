"""Content of a report, rendered as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markone.lab.agreement import Agreement
from markone.lab.claims.judge import ClaimResult, decide
from markone.lab.data_used import without_the_document
from markone.lab.formatting import names, p_value
from markone.lab.report.caveats import MOST, caveats
from markone.lab.report.figures import ShownFigure, shown
from markone.lab.report.tables import PrintedTable, printed
from markone.lab.report.toml_text import toml_text
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.statistics import lines
from markone.numerics.text import count, number
from markone.show.page import PageTable


@dataclass(frozen=True)
class Content:
    """The parts of a report in their order."""

    name: str
    title: str
    caveats: list[str]
    remarks: list[str]
    figures: list[ShownFigure]
    tables: list[PrintedTable]
    claims: list[ClaimResult]
    agreement: PageTable
    notes: list[str]
    rule: str
    provenance: PageTable
    declaration: str


def collect(declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any]) -> Content:
    points = [point for point in points if point.repeats or point.failures]
    claims, agreements = decide(declaration, points)
    original, declaration = declaration, without_the_document(declaration)
    measured = any(point.repeats for point in points)
    remarks = caveats(original, points, agreements, claims, provenance)
    return Content(
        name=declaration.name,
        title=declaration.title,
        caveats=remarks[:MOST],
        remarks=remarks[MOST:],
        figures=[shown(declaration, points, figure) for figure in declaration.figures] if measured else [],
        tables=[printed(declaration, points, table) for table in declaration.tables] if measured else [],
        claims=claims,
        agreement=agreement_table(agreements),
        notes=list(dict.fromkeys(f"{a.figure}, {a.theory}: {note}" for a in agreements for note in a.notes))
        + silent(declaration, points, agreements),
        rule=rule(claims, agreements),
        provenance=PageTable(["", ""], [[k, words(value)] for k, value in provenance.items() if value != ""]),
        declaration=toml_text(original),
    )


def rule(claims: Sequence[ClaimResult], agreements: Sequence[Agreement]) -> str:
    """Paragraph on the decision rule."""
    tests = sum(claim.p == claim.p for claim in claims) + sum(a.p == a.p for a in agreements)
    if not tests:
        return ""
    return (
        f"This report makes {count(tests, 'test')}; their p-values are adjusted together (Holm): the "
        "probability that any of them contradicts a true statement is at most 0.001. A claim holds if its "
        "intervals, at 95 % together, lie where it requires, and does not hold if its adjusted p is below "
        "0.001; otherwise it is undecided. “Equal” means within the margin given."
    )


def silent(declaration: Declaration, points: Sequence[Point], agreements: Sequence[Agreement]) -> list[str]:
    """Notes on lines of a figure without a theory."""
    found = []
    for figure in declaration.figures:
        described = {repr(keys) for a in agreements if a.figure == figure.name for keys, _ in a.per_line}
        for measure in {declaration.scenario_object.theories[name].measure for name in figure.theory}:
            rest = [
                line
                for line in lines(declaration, points, figure, measure)
                if repr(line.keys) not in described
            ]
            if rest:
                which = "; ".join(names(line.keys) or "all" for line in rest)
                found.append(f"{figure.name}, {measure}: there is no theory of {which} here.")
    return found


def agreement_table(agreements: Sequence[Agreement]) -> PageTable:
    header = ["figure", "theory", "line", "chi² / freedom", "p", "with b/N: chi² / freedom", "p", "b"]
    header += ["farthest", "p, all tests"]
    rows = []
    for a in agreements:
        if a.kind != "prediction":
            row = [a.figure, a.theory, names(a.keys) or "all", *kind_words(a), "–", "–", "–"]
            rows.append([*row, size(a), p_value(a.adjusted)])
            continue
        for keys, chi in a.per_line if len(a.per_line) > 1 else []:
            rows.append([a.figure, a.theory, names(keys), *chi_words(chi), "", "", "", "", ""])
        row = [a.figure, a.theory, names(a.keys) or "all", *chi_words(a.plain), *shift_words(a)]
        rows.append([*row, size(a), p_value(a.adjusted)])
    return PageTable(header, rows)


def size(a: Agreement) -> str:
    """Distance of the farthest point from theory, in the units of the figure."""
    if a.worst is None:
        return "–"
    return f"{number(a.worst.value, 2)} at {number(a.worst.x)}"


def kind_words(a: Agreement) -> list[str]:
    """Kind of theory, for a bound with the number of tested means, and its p-value."""
    text = f"{a.kind}, {count(a.bound.points, 'point')}" if a.bound else a.kind
    return [text, p_value(a.p)]


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
