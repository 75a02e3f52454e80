"""Content of a report, rendered as HTML or Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markone.lab.claims.agreement import Agreement
from markone.lab.claims.judge import ClaimResult, decide_all_tests
from markone.lab.formatting import format_keys, format_p_value
from markone.lab.load import toml_text
from markone.lab.recorded_facts import describe_seals, drop_source_claims
from markone.lab.report.caveats import MOST, collect_caveats
from markone.lab.report.figures_and_tables import PrintedTable, ShownFigure, draw_report_figure, report_table
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.statistics import as_points, measured_lines
from markone.numerics.text import format_count, format_number
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


def collect_content(
    declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any]
) -> Content:
    points = as_points(points).with_results()
    claims, agreements = decide_all_tests(declaration, points, provenance)
    original, declaration = declaration, drop_source_claims(declaration)
    measured = points.repeats.any()
    remarks = collect_caveats(original, points, agreements, claims, provenance)
    rows = [[k, _format_nested_value(v)] for k, v in provenance.items() if v != "" and k != "claims"]
    seals = describe_seals(provenance)
    return Content(
        name=declaration.name,
        title=declaration.title,
        caveats=remarks[:MOST],
        remarks=remarks[MOST:],
        figures=[draw_report_figure(declaration, points, figure) for figure in declaration.figures]
        if measured
        else [],
        tables=[report_table(declaration, points, table) for table in declaration.tables] if measured else [],
        claims=claims,
        agreement=_agreement_table(agreements),
        notes=list(dict.fromkeys(f"{a.figure}, {a.theory}: {note}" for a in agreements for note in a.notes))
        + _lines_without_theory(declaration, points, agreements),
        rule=_decision_rule(claims, agreements),
        provenance=PageTable(["", ""], [*rows, ["claims sealed", seals]] if seals else rows),
        declaration=toml_text(original),
    )


def _decision_rule(claims: Sequence[ClaimResult], agreements: Sequence[Agreement]) -> str:
    """Paragraph on the decision rule."""
    tests = sum(claim.p == claim.p for claim in claims) + sum(a.p == a.p for a in agreements)
    if not tests:
        return ""
    return (
        f"This report makes {format_count(tests, 'test')}; their p-values are adjusted together (Holm): the "
        "probability that any of them contradicts a true statement is at most 0.001. A claim holds if its "
        "intervals, at 95 % together, lie where it requires, and does not hold if its adjusted p is below "
        "0.001; it is contradicted at 95 % if only its own intervals exclude it, and otherwise undecided. "
        "“Equal” means within the margin given."
    )


def _lines_without_theory(
    declaration: Declaration, points: Sequence[Point], agreements: Sequence[Agreement]
) -> list[str]:
    """Notes on lines of a figure without a theory."""
    found = []
    for figure in declaration.figures:
        described = {repr(keys) for a in agreements if a.figure == figure.name for keys, _ in a.per_line}
        for measure in {declaration.scenario_object.theories[name].measure for name in figure.theory}:
            rest = [
                line
                for line in measured_lines(declaration, points, figure, measure)
                if repr(line.keys) not in described
            ]
            if rest:
                which = "; ".join(format_keys(line.keys) or "all" for line in rest)
                found.append(f"{figure.name}, {measure}: there is no theory of {which} here.")
    return found


def _agreement_table(agreements: Sequence[Agreement]) -> PageTable:
    header = ["figure", "theory", "line", "chi² / freedom", "p", "with b/N: chi² / freedom", "p", "b"]
    header += ["farthest", "p, all tests"]
    rows = []
    for a in agreements:
        if a.kind != "prediction":
            kind = f"{a.kind}, {format_count(a.bound.points, 'point')}" if a.bound else a.kind
            row = [a.figure, a.theory, format_keys(a.keys) or "all", kind, format_p_value(a.p), *"–––"]
            rows.append([*row, _format_largest_distance(a), format_p_value(a.adjusted)])
            continue
        for keys, chi in a.per_line if len(a.per_line) > 1 else []:
            rows.append([a.figure, a.theory, format_keys(keys), *_chi_square_cells(chi), "", "", "", "", ""])
        row = [
            a.figure,
            a.theory,
            format_keys(a.keys) or "all",
            *_chi_square_cells(a.uncorrected_chi_square),
            *_size_correction_cells(a),
        ]
        rows.append([*row, _format_largest_distance(a), format_p_value(a.adjusted)])
    return PageTable(header, rows)


def _format_largest_distance(a: Agreement) -> str:
    """Distance of the farthest point from theory, in the units of the figure."""
    if a.worst is None:
        return "–"
    return f"{format_number(a.worst.value, 2)} at {format_number(a.worst.x)}"


def _chi_square_cells(chi: Any) -> list[str]:
    return [f"{chi.value:.1f} / {chi.freedom}", format_p_value(chi.p)]


def _size_correction_cells(a: Agreement) -> list[str]:
    if a.corrected is None:
        return ["–", "–", "–"]
    if not a.shifts:
        return [*_chi_square_cells(a.corrected), "not separable"]
    low, high = min(shift.b for shift in a.shifts), max(shift.b for shift in a.shifts)
    return [*_chi_square_cells(a.corrected), f"{low:.2g} … {high:.2g}" if len(a.shifts) > 1 else f"{low:.2g}"]


def _format_nested_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key} {_format_nested_value(part)}"
            for key, part in value.items()
            if part != "" and key != "claims"
        )
    if isinstance(value, list | tuple | set):
        return "; ".join(_format_nested_value(part) for part in value)
    return format_number(value, 6)
