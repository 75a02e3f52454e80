"""Power of the claims before the run: the difference that the declared repeats show in 80 % of all runs.

The scatter comes from a few repeats with another seed, at the middle one of the points of a claim. No value
of the run itself is computed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from markone.lab.schema import ClaimSpec, Declaration, matches_where
from markone.lab.statistics import TAIL, evenly_spaced_indices
from markone.numerics.arrays import Floats
from markone.numerics.statistics import are_zero_or_one
from markone.numerics.text import format_count, format_number

SHOWN_IN = 0.8  # part of all runs in which the difference is shown
FEW, MANY = 8, 200  # repeats of a pilot
SECONDS, BUDGET = 0.1, 0.5  # of one pilot; after the budget no other begins
MANY_POINTS = 2000  # of a larger grid so many are looked at
OTHER_SEED = 2**62
# Expectations that compare means with numbers, with other points, or with other measures of the same runs.
NUMBERS = ("equals", "equals_theory", "above", "below")
ENDS = ("falls_with", "rises_with")
LINES = ("below_line", "above_line")

Pilot = Callable[[Mapping[str, Any]], dict[str, Floats]]


def detectable_difference(deviation: float, repeats: int, points: int = 1) -> float:
    """The smallest difference from a bound that excludes it in 80 % of all runs: intervals at 95 % for all
    points together, by Student's distribution."""
    if repeats < 2:
        return np.inf
    freedom = repeats - 1
    quantiles = stdtrit(freedom, 1 - TAIL / points) + stdtrit(freedom, SHOWN_IN)
    return float(quantiles * deviation / np.sqrt(repeats))


def describe_power(declaration: Declaration) -> list[str]:
    """One sentence for each measure that the claims are about, such as "with 100 repeats a difference of
    0.003 in epsilon_g is seen in 80 % of all runs"."""
    pilot, found = _make_pilot(declaration), dict[str, list[float]]()
    places = evenly_spaced_indices(len(declaration), MANY_POINTS).tolist() if declaration.claims else []
    points = [declaration.point(k) for k in places]
    for claim in declaration.claims:
        chosen = [point for point in points if matches_where(point, claim.where)]
        difference = _claim_difference(declaration, claim, chosen, pilot)
        if np.isfinite(difference):
            found.setdefault(claim.measure, []).append(difference)
    start = f"Power: with {format_count(declaration.repeats, 'repeat')} a difference of"
    lines = []
    for measure, sizes in found.items():
        extent = " to ".join(dict.fromkeys(format_number(d, 2) for d in (min(sizes), max(sizes))))
        share, claims = f"{100 * SHOWN_IN:.0f} %", format_count(len(sizes), "claim")
        lines.append(f"{start} {extent} in {measure} is seen in {share} of all runs ({claims}).")
    return lines


def _make_pilot(declaration: Declaration) -> Pilot:
    """A function of the parameters that returns the measures of a few repeats; none if these take long."""
    scenario, end = declaration.scenario_object, time.process_time() + BUDGET
    known: dict[str, dict[str, Floats]] = {}
    seed = (declaration.seed + OTHER_SEED) % 2**63

    def run_pilot(parameters: Mapping[str, Any]) -> dict[str, Floats]:
        key = repr(sorted(parameters.items()))
        if key not in known:
            settings, began = scenario.parameters.model_validate(dict(parameters)), time.process_time()
            # The declared cost is in multiplications, about one a nanosecond.
            if began > end or scenario.cost(settings) * 1e-9 * FEW > SECONDS:
                return {}
            scenario.run(settings, seed, 0, 1)  # compiles
            began = time.process_time()
            scenario.run(settings, seed, 0, 1)
            repeats = int(SECONDS / max(time.process_time() - began, 1e-9))
            known[key] = scenario.run(settings, seed, 0, min(repeats, MANY)) if repeats >= FEW else {}
        return known[key]

    return run_pilot


def _claim_difference(
    declaration: Declaration, claim: ClaimSpec, chosen: Sequence[Mapping[str, Any]], pilot: Pilot
) -> float:
    """The detectable difference of a claim; NaN if it is of another kind or a pilot takes too long."""
    expect = claim.expect.model_dump(exclude_none=True)
    kind = next((kind for kind in expect if kind in (*NUMBERS, *ENDS, *LINES, "below_measure")), "")
    if not kind or not chosen or claim.of == "spread":
        return np.nan
    here = chosen[len(chosen) // 2]
    found = [pilot(here)]
    found += [pilot({**here, **expect[kind]})] if kind in LINES else []
    if not all(claim.measure in values for values in found):
        return np.nan
    values = [values[claim.measure] for values in found]
    values += [found[0][expect[kind]]] if kind == "below_measure" else []
    deviation = _values_deviation(values)
    number = round(len(chosen) * max(1.0, len(declaration) / MANY_POINTS))
    if kind in ENDS:  # two independent means, once for each line
        deviation, number = 2**0.5 * deviation, number // len(declaration.grid.get(expect[kind], [1]))
    return detectable_difference(deviation, declaration.repeats, max(1, number))


def _values_deviation(values: list[Floats]) -> float:
    """Standard deviation of the values, or of the differences run by run; of the two means of fractions,
    which are compared as if independent."""
    if all(are_zero_or_one(one) for one in values):
        shares = [(one.sum() + 2) / (len(one) + 4) for one in values]
        return float(np.sqrt(sum(share * (1 - share) for share in shares)))
    number = min(map(len, values))
    differences = values[0][:number] - (values[1][:number] if len(values) > 1 else 0.0)
    finite = differences[np.isfinite(differences)]
    return float(np.std(finite, ddof=1)) if len(finite) >= FEW else np.nan
