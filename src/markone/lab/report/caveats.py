"""Caveats of a report: missing runs, failures, disagreements and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, prod
from typing import Any

import numpy as np

from markone.lab import cpu_kinds
from markone.lab.agreement import Agreement
from markone.lab.claims.judge import ClaimResult
from markone.lab.claims.verdicts import DOES_NOT_HOLD, UNDECIDED
from markone.lab.data_used import about_others
from markone.lab.formatting import names, p_value
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.sharing import once
from markone.lab.statistics import estimates_of
from markone.numerics.arrays import Floats
from markone.numerics.text import count, number

SUSPICIOUS = 0.001  # p-values below are listed in the box
MOST = 5  # remarks in the box; the others are at the end of the page


def caveats(
    declaration: Declaration,
    points: Sequence[Point],
    agreements: Sequence[Agreement],
    judged: Sequence[ClaimResult],
    provenance: Mapping[str, Any],
) -> list[str]:
    """All caveats, the most important first: missing runs, contradictions, claims, limits."""
    found = [declaration.read_first] if declaration.read_first else []
    found += [progress(declaration, points), *filter(None, [about_others(declaration)])]
    found += failures(points) + stopped(points) + doubts(agreements) + answers(judged)
    found += unprecise(declaration, points) + left_out(declaration, points) + lonely(points)
    return found + code(provenance) + cpu_kinds.remarks(provenance.get("cpus", []))


def progress(declaration: Declaration, points: Sequence[Point]) -> str:
    """Sentence on the progress of the experiment."""
    total = prod(len(values) for values in declaration.grid.values())
    full, begun = sum(p.repeats >= declaration.repeats for p in points), sum(p.repeats > 0 for p in points)
    different = once(declaration.scenario_object, points)
    runs = f"{count(sum(p.repeats for p in different), 'run')} at {count(full, 'grid point')}"
    if len(different) < len(points):
        runs += f", of which {len(different)} differ (the others have the same examples)"
    if not begun:
        return (
            "Nothing has been run yet: there is no number below. Run the experiment, then write the report."
        )
    if full == total:
        return f"The experiment is complete: {runs}."
    return (
        f"The experiment is not finished: {full} of {total} grid points have all of their "
        f"{count(declaration.repeats, 'repeat')}, {begun - full} have some, {total - begun} have none. "
        "Run the same command again to continue."
    )


def unprecise(declaration: Declaration, points: Sequence[Point]) -> list[str]:
    """Points that have not reached the declared precision."""
    wanted, measure = declaration.precision, declaration.precision_of
    if not wanted or not measure:
        return []
    errors = [
        found.error for found in estimates_of(points, measure, declaration.scenario_object) if found.n > 0
    ]
    above = [error for error in errors if not error <= wanted]
    if not above:
        return []
    return [
        f"At {count(len(above), 'point')} the standard error of {measure} is above the declared {wanted}, "
        f"at most {max(above):.2g}."
    ]


def stopped(points: Sequence[Point]) -> list[str]:
    """Runs that stopped although the data are separable, and runs that converged although they are not."""
    both = [point for point in points if {"converged", "separable"} <= set(point.values)]
    converged, possible = together(both, "converged"), together(both, "separable")
    gave_up = int(np.sum((converged == 0) & (possible == 1)))
    impossible = int(np.sum((converged == 1) & (possible == 0)))
    separable = int(np.sum(possible == 1))
    found = []
    if gave_up:
        found.append(
            f"{count(gave_up, 'run')} of {separable} with separable data stopped at the limit although "
            f"separable ({100 * gave_up / separable:.2g} %): converged lies below the true fraction."
        )
    if impossible:
        found.append(
            f"{count(impossible, 'run')} converged on data that were found not to be separable. "
            "Both cannot be true: one of the two programs is wrong."
        )
    return found


def together(points: Sequence[Point], measure: str) -> Floats:
    """The values of all points in one array."""
    return np.concatenate([np.zeros(0), *(np.asarray(point.values[measure]) for point in points)])


def failures(points: Sequence[Point]) -> list[str]:
    failed = [(point, sentence) for point in points for sentence in point.failures]
    if not failed:
        return []
    point, sentence = failed[0]
    place = names(point.parameters)
    return [f"{count(len(failed), 'task')} failed and left no values. The first, at {place}: {sentence}"]


def left_out(declaration: Declaration, points: Sequence[Point]) -> list[str]:
    """Number of values that are not finite; a measure that is never finite only if a figure shows it."""
    drawn = {measure for figure in declaration.figures for measure in figure.measures}
    named = []
    for measure in dict.fromkeys(measure for point in points for measure in point.values):
        values = together([point for point in points if measure in point.values], measure)
        finite = int(np.sum(np.isfinite(values)))
        if finite < len(values) and (finite or measure in drawn):
            named.append(f"{len(values) - finite} of {measure}")
    return [f"Values that are not finite were left out of the means: {', '.join(named)}."] if named else []


def lonely(points: Sequence[Point]) -> list[str]:
    n = sum(point.repeats == 1 for point in points)
    return [f"{count(n, 'point')} had one run only: real-valued means there have no error bar."] if n else []


def code(provenance: Mapping[str, Any]) -> list[str]:
    """Results of different or of uncommitted code."""
    sessions = provenance.get("sessions") or [provenance]
    commits = list(dict.fromkeys(str(s["commit"]) for s in sessions if s.get("commit")))
    found = []
    if len(commits) > 1:
        found.append(f"The results were computed by {len(commits)} states of the code: {', '.join(commits)}.")
    if any(commit.endswith("-changed") for commit in commits):
        found.append("Some of the code was changed after its commit: the commit does not identify it.")
    states = [entry for entry in provenance.get("codes", []) if entry["code"]]
    if len(states) > 1:
        parts = "; ".join(f"{count(entry['tasks'], 'task')} by markone {entry['code']}" for entry in states)
        found.append(f"The rows come from {len(states)} states of the sources: {parts}.")
    return found


def doubts(agreements: Sequence[Agreement]) -> list[str]:
    """Disagreements that no 1/N term explains: one sentence for each theory of a figure, with their size."""
    groups: dict[str, list[Agreement]] = {}
    for a in agreements:
        if decided(a) < SUSPICIOUS:
            groups.setdefault(f"Figure {a.figure}: {a.measure} {how(a)}", []).append(a)
    return [doubt(sentence, found) for sentence, found in groups.items()]


def decided(a: Agreement) -> float:
    """p-value adjusted for all tests of the report."""
    return a.p if isnan(a.adjusted) else a.adjusted


def how(a: Agreement) -> str:
    if a.bound is not None:
        return f"lies {'below' if a.kind == 'lower bound' else 'above'} its {a.kind} ({a.theory})"
    kind = "even with a 1/N term" if a.shifts else "without a 1/N term"
    return f"does not agree with theory ({a.theory}) {kind}"


def doubt(sentence: str, found: Sequence[Agreement]) -> str:
    """Sentence with the lines, the p-value and the size of the disagreement at the farthest point."""
    lines = "; ".join(name for a in found if (name := names(a.keys)))
    worst = min(found, key=decided)
    text = f"{sentence}{f' for {lines}' if lines else ''}, p = {p_value(decided(worst))}"
    if (d := worst.worst) is None:
        return f"{text}."
    return f"{text}; farthest: {number(d.estimate.mean)} instead of {number(d.theory)} at x = {number(d.x)}."


def answers(judged: Sequence[ClaimResult]) -> list[str]:
    found = []
    for answer, one, many in (
        (DOES_NOT_HOLD, "claim does not hold", "claims do not hold"),
        (UNDECIDED, "claim is undecided", "claims are undecided"),
    ):
        texts = [f"“{claim.text}”" for claim in judged if claim.answer == answer]
        if texts:
            found.append(f"{len(texts)} {one if len(texts) == 1 else many}: {' '.join(texts)}")
    return found
