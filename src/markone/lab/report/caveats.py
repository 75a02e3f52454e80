"""Caveats of a report: missing runs, failures, disagreements and limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, prod
from typing import Any

import numpy as np

from markone.lab.claims.agreement import Agreement
from markone.lab.claims.judge import ClaimResult
from markone.lab.claims.verdicts import CONTRADICTED, DOES_NOT_HOLD, UNDECIDED
from markone.lab.formatting import cpu_remarks, format_keys, format_p_value
from markone.lab.recorded_facts import AFTER_DATA, dropped_claims, other_data_remark
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.statistics import Points, as_points, estimate_points
from markone.numerics.text import format_count, format_number

SUSPICIOUS = 0.001  # p-values below are listed in the box
MOST = 5  # remarks in the box; the others are at the end of the page


def collect_caveats(
    declaration: Declaration,
    points: Sequence[Point],
    agreements: Sequence[Agreement],
    judged: Sequence[ClaimResult],
    provenance: Mapping[str, Any],
) -> list[str]:
    """All caveats, the most important first: missing runs, contradictions, claims, limits."""
    points = as_points(points)
    found = [declaration.read_first, _progress_caveat(declaration, points), other_data_remark(declaration)]
    found = [*filter(None, found), *_failure_caveats(points), *_convergence_caveats(points)]
    # Disagreements that no 1/N term explains: one sentence for each theory of a figure, with their
    # size.
    groups: dict[str, list[Agreement]] = {}
    for a in agreements:
        if _adjusted_p_value(a) < SUSPICIOUS:
            groups.setdefault(f"Figure {a.figure}: {a.measure} {_describe_disagreement(a)}", []).append(a)
    found += [_disagreement_sentence(sentence, found) for sentence, found in groups.items()] + _claim_caveats(
        judged
    )
    found += _seal_caveats(declaration, judged, provenance) + _precision_caveats(declaration, points)
    # Number of values that are not finite; a measure that is never finite only if a figure shows it.
    drawn = {measure for figure in declaration.figures for measure in figure.measures}
    named = []
    for measure in points.measures:
        values = points.pool_values(measure)
        finite = int(np.sum(np.isfinite(values)))
        if finite < len(values) and (finite or measure in drawn):
            named.append(f"{len(values) - finite} of {measure}")
    n = int(np.sum(points.repeats == 1))
    found += (
        [f"Values that are not finite were left out of the means: {', '.join(named)}."] if named else []
    ) + (
        [f"{format_count(n, 'point')} had one run only: real-valued means there have no error bar."] * (n > 0)
    )
    found += _code_caveats(provenance) + cpu_remarks(provenance.get("cpus", []))
    remark = declaration.scenario_object.remark  # how the data are made, such as the teacher
    return found + (list(dict.fromkeys(map(remark, points.iterate_parameters()))) if remark else [])


def _progress_caveat(declaration: Declaration, points: Points) -> str:
    """Sentence on the progress of the experiment."""
    total = prod(len(values) for values in declaration.grid.values())
    full = int(np.sum(points.repeats >= declaration.repeats))
    begun = int(np.sum(points.repeats > 0))
    different = points.without_copies(declaration.scenario_object)
    runs = f"{format_count(int(different.repeats.sum()), 'run')} at {format_count(full, 'grid point')}"
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
        f"{format_count(declaration.repeats, 'repeat')}, {begun - full} have some, "
        f"{total - begun} have none. "
        "Run the same command again to continue."
    )


def _precision_caveats(declaration: Declaration, points: Points) -> list[str]:
    """Points that have not reached the declared precision."""
    wanted, measure = declaration.precision, declaration.precision_of
    if not wanted or not measure:
        return []
    errors = [
        found.error for found in estimate_points(points, measure, declaration.scenario_object) if found.n > 0
    ]
    above = [error for error in errors if not error <= wanted]
    if not above:
        return []
    return [
        f"At {format_count(len(above), 'point')} the standard error of {measure} is above "
        f"the declared {wanted}, "
        f"at most {max(above):.2g}."
    ]


def _convergence_caveats(points: Points) -> list[str]:
    """Runs that stopped although the data are separable, and runs that converged although they are not."""
    if not {"converged", "separable"} <= set(points.measures):
        return []
    converged, possible = points.pool_values("converged"), points.pool_values("separable")
    gave_up = int(np.sum((converged == 0) & (possible == 1)))
    impossible = int(np.sum((converged == 1) & (possible == 0)))
    separable = int(np.sum(possible == 1))
    found = []
    if gave_up:
        found.append(
            f"{format_count(gave_up, 'run')} of {separable} with separable data stopped "
            "at the limit although "
            f"separable ({100 * gave_up / separable:.2g} %): converged lies below the true fraction."
        )
    if impossible:
        found.append(
            f"{format_count(impossible, 'run')} converged on data that were found not to be separable. "
            "Both cannot be true: one of the two programs is wrong."
        )
    return found


def _failure_caveats(points: Points) -> list[str]:
    failed = [(point, sentence) for point in points.with_failures() for sentence in point.failures]
    if not failed:
        return []
    point, sentence = failed[0]
    place = format_keys(point.parameters)
    return [
        f"{format_count(len(failed), 'task')} failed and left no values. The first, at {place}: {sentence}"
    ]


def _code_caveats(provenance: Mapping[str, Any]) -> list[str]:
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
        parts = "; ".join(
            f"{format_count(entry['tasks'], 'task')} by markone {entry['code']}" for entry in states
        )
        found.append(f"The rows come from {len(states)} states of the sources: {parts}.")
    return found


def _adjusted_p_value(a: Agreement) -> float:
    """p-value adjusted for all tests of the report."""
    return a.p if isnan(a.adjusted) else a.adjusted


def _describe_disagreement(a: Agreement) -> str:
    if a.bound is not None:
        return f"lies {'below' if a.kind == 'lower bound' else 'above'} its {a.kind} ({a.theory})"
    kind = "even with a 1/N term" if a.shifts else "without a 1/N term"
    return f"does not agree with theory ({a.theory}) {kind}"


def _disagreement_sentence(sentence: str, found: Sequence[Agreement]) -> str:
    """Sentence with the lines, the p-value and the size of the disagreement at the farthest point."""
    lines = "; ".join(name for a in found if (name := format_keys(a.keys)))
    worst = min(found, key=_adjusted_p_value)
    text = f"{sentence}{f' for {lines}' if lines else ''}, p = {format_p_value(_adjusted_p_value(worst))}"
    if (d := worst.worst) is None:
        return f"{text}."
    return (
        f"{text}; farthest: {format_number(d.estimate.mean)} instead of "
        f"{format_number(d.theory)} at x = {format_number(d.x)}."
    )


def _claim_caveats(judged: Sequence[ClaimResult]) -> list[str]:
    found = []
    for answer, one, many in (
        (DOES_NOT_HOLD, "claim does not hold", "claims do not hold"),
        (CONTRADICTED, "claim is contradicted at 95 %", "claims are contradicted at 95 %"),
        (UNDECIDED, "claim is undecided", "claims are undecided"),
    ):
        texts = [f"“{claim.text}”" for claim in judged if claim.answer == answer]
        if texts:
            found.append(f"{len(texts)} {one if len(texts) == 1 else many}: {' '.join(texts)}")
    return found


def _seal_caveats(
    declaration: Declaration, judged: Sequence[ClaimResult], provenance: Mapping[str, Any]
) -> list[str]:
    """Claims that were made after the first result, and claims of before that are gone."""
    found = []
    for texts, what in (
        ([claim.text for claim in judged if claim.remark == AFTER_DATA], f"{AFTER_DATA}, or changed"),
        (dropped_claims(declaration, provenance), "made before the data, and then changed or left out"),
    ):
        if texts:
            were = "claim was" if len(texts) == 1 else "claims were"
            found.append(f"{len(texts)} {were} {what}: {' '.join(f'“{text}”' for text in texts)}")
    return found
