"""Power of a declaration's size: the probability that runs of this size decide a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from markone.lab.claims.judge import given_expectations, judge_claim
from markone.lab.claims.theory_tests import Difference, chi_square, theory_difference
from markone.lab.claims.verdicts import UNDECIDED, verdict_answer
from markone.lab.recorded_facts import drop_source_claims
from markone.lab.scenario import Point, Theory
from markone.lab.schema import ClaimSpec, Declaration, matches_where
from markone.lab.statistics import TAIL, estimate_points, point_parameters
from markone.numerics.arrays import Floats
from markone.numerics.statistics import are_zero_or_one

DRAWS = 20
FEWEST = 10  # runs of a point from which others are drawn
WANTED = 0.9


def decision_power(declaration: Declaration, points: Sequence[Point], draws: int = DRAWS) -> list[float]:
    """Fraction of bootstrap samples that decide each claim; empty with too few runs at some point.

    The samples have the declared number of repeats, drawn with replacement from the stored runs: a few runs
    tell whether more of them would decide. Points with equally many runs get the same draws, so that
    differences of students on the same data keep their scatter.

    Claims of equality are taken to be true unless the stored runs contradict them: the samples then scatter
    about the claimed value. About the stored mean, which scatters itself, the error would count twice.
    """
    declaration = drop_source_claims(declaration)
    claims = declaration.claims
    points = list(points)  # each is read once: they are told apart as objects
    if not claims or any(point.repeats < FEWEST for point in points):
        return []
    rng = np.random.default_rng(declaration.seed)
    targets = [_agreeing_targets(declaration, claim, points) for claim in claims]
    decided = np.zeros((draws, len(claims)))
    for row in decided:
        # One bootstrap sample of all points. With a precision the stored numbers of runs are kept.
        drawn: dict[int, Floats] = {}
        for point in points:
            drawn.setdefault(
                point.repeats, rng.random(point.repeats if declaration.precision else declaration.repeats)
            )
        for k, claim in enumerate(claims):
            samples = [
                _draw_runs(point, drawn[point.repeats], claim.measure, targets[k].get(id(point)))
                for point in points
            ]
            verdict = judge_claim(declaration, claim, samples)
            row[k] = verdict_answer(verdict, verdict.p) != UNDECIDED
    return [float(share) for share in decided.mean(axis=0)]


def _agreeing_targets(
    declaration: Declaration, claim: ClaimSpec, points: Sequence[Point]
) -> Mapping[int, float]:
    """The claimed values by the ids of the points; none if the claim is of another kind or if the stored runs
    contradict it at 95 %."""
    expect = given_expectations(claim)
    if claim.of == "spread" or not {"equals", "equals_theory"} & expect.keys():
        return {}
    if "equals" in expect:
        theory = Theory("the claim", claim.measure, lambda parameters: float(expect["equals"]))
    else:
        theory = declaration.scenario_object.theories[expect["equals_theory"]]
    found: dict[int, Difference] = {}
    estimates = estimate_points(points, claim.measure, declaration.scenario_object)
    for point, estimate in zip(points, estimates, strict=True):
        parameters = point_parameters(declaration, point)
        difference = theory_difference(None, parameters, estimate, theory)
        if difference is not None and matches_where(parameters, claim.where):
            found[id(point)] = difference
    agrees = chi_square(list(found.values())).p >= 2 * TAIL
    return {name: difference.theory for name, difference in found.items()} if agrees else {}


def _draw_runs(point: Point, drawn: Floats, measure: str, target: float | None) -> Point:
    """Runs of a point, chosen by numbers between 0 and 1, with the target as mean of their distribution."""
    chosen = (drawn * point.repeats).astype(int)
    values = {name: np.asarray(found)[chosen] for name, found in point.values.items()}
    if target is not None:
        stored = np.asarray(point.values[measure], dtype=float)
        stored = stored[np.isfinite(stored)]
        binary = are_zero_or_one(stored)
        moved = (drawn < target).astype(float) if binary else values[measure] + target - stored.mean()
        values[measure] = moved
    return replace(point, values=values, repeats=len(chosen), numbers=np.arange(len(chosen)))


def describe_decision_power(declaration: Declaration, power: Sequence[float]) -> str:
    """Sentence of `markone check` about the claims that the size does not decide with 90 % power."""
    if not power:
        return f"The power of its claims is known after {FEWEST} runs of each point."
    claims = drop_source_claims(declaration).claims
    weak = [f"\n  {p:.0%}: {c.text}" for c, p in zip(claims, power, strict=True) if p < WANTED]
    if not weak:
        return f"Each of the {len(power)} claims is decided with a power of {WANTED:.0%} or more."
    return f"Of {len(power)} claims these are decided with a power below {WANTED:.0%}:" + "".join(weak)
