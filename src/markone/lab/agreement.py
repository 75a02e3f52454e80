"""Chi-square of simulation against theory: as measured, and with a fitted term in 1/N.

Most theory is the limit N to infinity. At alpha = 4 Hebb's N (simulation - theory) is -0.135, so that
a precise simulation misses the limit although both are right. Where several N were run,
mean - theory = b(x)/N is fitted for each x, and what remains is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markone.lab.chi_square import ChiSquare, Difference, Shift, chi_square, differences, distinct, fit
from markone.lab.scenario import Point, Theory
from markone.lab.schema import Declaration
from markone.lab.statistics import Line, lines, without


@dataclass(frozen=True)
class Agreement:
    """One theory against the lines it describes, which differ in N only."""

    figure: str
    theory: str
    measure: str
    keys: dict[str, Any]
    per_line: list[tuple[dict[str, Any], ChiSquare]]
    corrected: ChiSquare | None = None
    shifts: list[Shift] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def plain(self) -> ChiSquare:
        return sum((chi for _, chi in self.per_line), ChiSquare())


def compare(declaration: Declaration, points: Sequence[Point]) -> list[Agreement]:
    """Each theory of each figure against the measured means."""
    found = []
    for figure in declaration.figures:
        for name in figure.theory:
            theory = declaration.scenario_object.theories[name]
            curves: dict[str, list[Line]] = {}
            for line in lines(declaration, points, figure, theory.measure):
                curves.setdefault(repr(without(line.keys, "N")), []).append(line)
            found += [agreement(figure.name, theory, curve) for curve in curves.values()]
    return [answer for answer in found if answer.per_line]


def agreement(figure: str, theory: Theory, curve: Sequence[Line]) -> Agreement:
    tables = [(line.keys, differences(line, theory)) for line in curve]
    per_line = [(keys, chi_square(distinct(table))) for keys, table in tables if table]
    keys = without(curve[0].keys, "N")
    everything = [difference for _, table in tables for difference in table]
    once = distinct(everything)
    corrected, shifts, notes = with_shift(once)
    notes += remarks(once)
    if len(once) < len(everything):
        copies = len(everything) - len(once)
        notes.append(
            f"{copies} of {len(everything)} points repeat the data of another (the same N and P): left out."
        )
    return Agreement(figure, theory.title, theory.measure, keys, per_line, corrected, shifts, notes)


def with_shift(table: Sequence[Difference]) -> tuple[ChiSquare | None, list[Shift], list[str]]:
    """Chi-square after the fit of b/N: one b for each x, or one for the curve if there is only one N."""
    usual = [d for d in table if not d.rare and d.error > 0 and d.parameters.get("N")]
    if not usual:
        return None, [], []
    groups: dict[str, list[Difference]] = {}
    for d in usual:
        groups.setdefault(repr(d.x), []).append(d)
    several = [group for group in groups.values() if len({d.parameters["N"] for d in group}) > 1]
    if several:
        fits = [fit(group) for group in several]
        return sum((chi for _, chi in fits), ChiSquare()), [shift for shift, _ in fits], []
    shift, chi = fit(usual)
    note = f"No x was run at more than one N ({sizes(usual)}): the 1/N term cannot be separated from a true "
    note += f"difference. One b for the whole curve would be {shift.b:.3g} ± {1.96 * shift.error:.2g}."
    return chi, [], [note]


def sizes(table: Sequence[Difference]) -> str:
    return "N = " + ", ".join(str(N) for N in sorted({d.parameters["N"] for d in table}))


def remarks(table: Sequence[Difference]) -> list[str]:
    """What limits the meaning of the p-value."""
    notes = []
    silent = [d for d in table if not d.estimate.fraction and not d.error > 0]
    if silent:
        far = max(abs(d.value) for d in silent)
        notes.append(
            f"{len(silent)} of {len(table)} points have no error bar (one run, or equal values) and are "
            f"left out; the largest difference from theory among them is {far:.3g}."
        )
    data = {tuple(d.parameters.get(key) for key in ("N", "P", "alpha")) for d in table}
    if len(data) < len(table):
        notes.append(
            "Several points share their data (the same N and P), so that their errors are not independent: "
            "take the p-value as a guide."
        )
    return notes
