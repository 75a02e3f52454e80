"""Simulation against theory, with one test for each kind of theory.

A prediction: chi-square, as measured and with a fitted term in 1/N. A bound: only means beyond it count. An
asymptote: the distance at the last x, without a test. A guide is not tested.

Most theory is the limit N to infinity. At alpha = 4 Hebb's N (simulation - theory) is -0.113, so that
a precise simulation differs from the limit although both are right. Where several N were run,
mean - theory = b(x)/N is fitted for each x, and the residual is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Any

from markone.lab.claims.theory_tests import (
    BoundTest,
    ChiSquare,
    Difference,
    Shift,
    bound_test,
    chi_square,
    drop_repeated_data,
    fit_size_correction,
    line_differences,
)
from markone.lab.formatting import format_keys
from markone.lab.scenario import Point, Theory, TheoryKind
from markone.lab.schema import Declaration
from markone.lab.statistics import Line, measured_lines, without_keys
from markone.numerics.text import format_number


@dataclass(frozen=True)
class Agreement:
    """One theory compared with the lines it describes, which differ in N only."""

    figure: str
    theory: str
    measure: str
    keys: dict[str, Any]
    per_line: list[tuple[dict[str, Any], ChiSquare]]
    corrected: ChiSquare | None = None
    shifts: list[Shift] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    kind: TheoryKind = "prediction"
    bound: BoundTest | None = None
    worst: Difference | None = None  # the point farthest from theory, in standard errors
    adjusted: float = nan  # p, adjusted for all tests of the report

    @property
    def p(self) -> float:
        """p-value of the deciding test; NaN if there is none."""
        if self.bound is not None:
            return self.bound.p
        best = self.corrected if self.corrected is not None and self.shifts else self.uncorrected_chi_square
        return best.p

    @property
    def uncorrected_chi_square(self) -> ChiSquare:
        return sum((chi for _, chi in self.per_line), ChiSquare())


def compare_with_theory(declaration: Declaration, points: Sequence[Point]) -> list[Agreement]:
    """Compare the measured means with each theory of each figure."""
    found = []
    for figure in declaration.figures:
        for name in figure.theory:
            theory = declaration.scenario_object.theories[name]
            if theory.kind == "guide":
                continue
            curves: dict[str, list[Line]] = {}
            for line in measured_lines(declaration, points, figure, theory.measure):
                curves.setdefault(repr(without_keys(line.keys, "N")), []).append(line)
            test = TESTS[theory.kind]
            found += [test(figure.name, theory, curve) for curve in curves.values()]
    return [answer for answer in found if answer.per_line]


def _assess_prediction(figure: str, theory: Theory, curve: Sequence[Line]) -> Agreement:
    tables = [(line.keys, line_differences(line, theory)) for line in curve]
    per_line = [(keys, chi_square(drop_repeated_data(table))) for keys, table in tables if table]
    keys = without_keys(curve[0].keys, "N")
    everything = [difference for _, table in tables for difference in table]
    once = drop_repeated_data(everything)
    corrected, shifts, notes = _fit_size_corrections(once)
    notes += _p_value_notes(once)
    if len(once) < len(everything):
        copies = len(everything) - len(once)
        notes.append(
            f"{copies} of {len(everything)} points repeat the data of another (the same N and P): left out."
        )
    farthest = max((d for d in once if d.error > 0), key=lambda d: abs(d.value) / d.error, default=None)
    return Agreement(
        figure, theory.title, theory.measure, keys, per_line, corrected, shifts, notes, worst=farthest
    )


def _assess_bound(figure: str, theory: Theory, curve: Sequence[Line]) -> Agreement:
    """Test all sizes N of a curve together against a bound."""
    tables = [(line.keys, line_differences(line, theory)) for line in curve]
    once = drop_repeated_data([d for _, table in tables for d in table])
    found = bound_test(once, -1 if theory.kind == "lower bound" else 1)
    untested = [(keys, ChiSquare()) for keys, table in tables if table]
    keys = without_keys(curve[0].keys, "N")
    return Agreement(
        figure, theory.title, theory.measure, keys, untested, kind=theory.kind, bound=found, worst=found.worst
    )


def _assess_asymptote(figure: str, theory: Theory, curve: Sequence[Line]) -> Agreement:
    """Distance of each line from its asymptote at the last x: no test, since the rate is unknown."""
    untested, notes, last = [], [], None
    for line in curve:
        if table := line_differences(line, theory):
            last = table[-1]
            low, high = last.estimate.confidence_interval()
            untested.append((line.keys, ChiSquare()))
            notes.append(
                f"{format_keys(line.keys) or 'all'}: the distance at x = {format_number(last.x)} is "
                f"{format_number(last.value, 2)} [{format_number(low - last.theory, 2)}, "
                f"{format_number(high - last.theory, 2)}]."
            )
    keys = without_keys(curve[0].keys, "N")
    return Agreement(
        figure, theory.title, theory.measure, keys, untested, notes=notes, kind=theory.kind, worst=last
    )


TESTS: dict[str, Callable[[str, Theory, Sequence[Line]], Agreement]] = {
    "prediction": _assess_prediction,
    "lower bound": _assess_bound,
    "upper bound": _assess_bound,
    "asymptote": _assess_asymptote,
}


def _fit_size_corrections(table: Sequence[Difference]) -> tuple[ChiSquare | None, list[Shift], list[str]]:
    """Chi-square after fitting b/N: one b for each x, or one for the curve if there is only one N."""
    usual = [d for d in table if not d.is_rare and d.error > 0 and d.parameters.get("N")]
    if not usual:
        return None, [], []
    groups: dict[str, list[Difference]] = {}
    for d in usual:
        groups.setdefault(repr(d.x), []).append(d)
    several = [group for group in groups.values() if len({d.parameters["N"] for d in group}) > 1]
    if several:
        fits = [fit_size_correction(group) for group in several]
        return sum((chi for _, chi in fits), ChiSquare()), [shift for shift, _ in fits], []
    shift, chi = fit_size_correction(usual)
    note = (
        f"No x was run at more than one N ({_format_system_sizes(usual)}): the 1/N term cannot "
        "be separated from a true "
    )
    note += f"difference. One b for the whole curve would be {shift.b:.3g} ± {1.96 * shift.error:.2g}."
    return chi, [], [note]


def _format_system_sizes(table: Sequence[Difference]) -> str:
    return "N = " + ", ".join(str(N) for N in sorted({d.parameters["N"] for d in table}))


def _p_value_notes(table: Sequence[Difference]) -> list[str]:
    """Notes on what limits the p-value: points without an error bar, points that share data."""
    notes = []
    skipped = [d for d in table if not d.estimate.fraction and not d.error > 0]
    if skipped:
        largest = max(abs(d.value) for d in skipped)
        notes.append(
            f"{len(skipped)} of {len(table)} points have no error bar (one run, or equal values) and are "
            f"left out; the largest difference from theory among them is {largest:.3g}."
        )
    data = {tuple(d.parameters.get(key) for key in ("N", "P", "alpha")) for d in table}
    if len(data) < len(table):
        notes.append(
            "Several points share their data (the same N and P), so that their errors are not independent: "
            "take the p-value as a guide."
        )
    return notes
