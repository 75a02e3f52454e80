"""Claims about single runs, about two measures of the same run, and about ratios."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from markone.lab.claims.line_claims import grid_key, lines_along, measured_difference
from markone.lab.claims.verdicts import (
    Measured,
    Verdict,
    format_measured,
    joint_probability,
    judge_above,
    judge_below,
    undecided_verdict,
)
from markone.lab.formatting import format_keys
from markone.lab.scenario import Theory
from markone.lab.statistics import ROUNDING, TAIL, estimate_mean
from markone.numerics.intervals import clopper_pearson_interval
from markone.numerics.text import format_count, format_number

# "Every run" holds if at 95 % at most one run in twenty can be an exception: from 72 runs on.
SHARE = 0.05
BOUNDS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "at_most": lambda values, bound, slack: values > bound + slack,
    "at_least": lambda values, bound, slack: values < bound - slack,
    "equals": lambda values, bound, slack: abs(values - bound) > slack,
}


def judge_every_run(
    samples: Sequence[Measured],
    bounds: Mapping[str, Any],
    theories: Mapping[str, Theory],
    measure: str,
    grid: Sequence[str],
) -> Verdict:
    """Test that no run is beyond a bound, a number or a theory; one exception refutes it."""
    beyond, runs, worst = 0, 0, None
    for sample in samples:
        values = np.asarray(sample.point.values[measure], dtype=float)
        values = values[np.isfinite(values)]
        for kind, given in bounds.items():
            bound = theories[given].function(sample.parameters) if isinstance(given, str) else float(given)
            if np.isfinite(bound):
                wrong = BOUNDS[kind](values, bound, ROUNDING * max(1.0, abs(bound)))
                runs += len(values)
                beyond += int(wrong.sum())
                worst = worst or ((sample, values[wrong][0], kind, bound) if wrong.any() else None)
    if not runs:
        return undecided_verdict("the bound is not defined at these points.")
    if worst is not None:
        sample, value, kind, bound = worst
        where = format_keys({key: sample.parameters[key] for key in grid if key in sample.parameters})
        text = (
            f"{beyond} of {format_count(runs, 'run')} violate it, e.g. {measure} = "
            f"{format_number(float(value))} "
        )
        text += f"at {where}, to be {kind.replace('_', ' ')} {format_number(float(bound))}."
        return Verdict(False, 0.0, text)
    share = clopper_pearson_interval(0, runs, TAIL)[1]
    return Verdict(share < SHARE, 1.0, f"none violates it: fewer than {100 * share:.2g} % do, at 95 %.")


def judge_largest_at(
    samples: Sequence[Measured], chosen: Mapping[str, Any], measure: str, grid: Sequence[str]
) -> Verdict:
    """Test that along each line of one key the measure is larger at the named value than at all others."""
    ((key, value),) = chosen.items()
    rows = [row for row in lines_along(samples, key, grid) if any(s.parameters[key] == value for s in row)]
    gaps = []
    for row in rows:
        top = next(s for s in row if s.parameters[key] == value)
        gaps += [Measured(s.parameters, measured_difference(top, s, measure)) for s in row if s is not top]
    if not gaps:
        return undecided_verdict(f"nothing was measured at {format_keys(chosen)} and elsewhere.")
    chances = [gap.estimate.tail_probability(0.0, -1) for gap in gaps]
    low = min(gap.estimate.confidence_interval(TAIL / len(gaps))[0] for gap in gaps)
    nearest = min(gaps, key=lambda gap: gap.estimate.mean)
    text = (
        f"{measure} at {format_keys(chosen)} minus the next largest value is "
        f"{format_measured(nearest, grid)}."
    )
    return Verdict(low > 0, joint_probability(gaps, chances), text)


def judge_below_measure(
    samples: Sequence[Measured], other: str, measure: str, grid: Sequence[str]
) -> Verdict:
    pairs = [[np.asarray(s.point.values[name]) for name in (measure, other)] for s in samples]
    gaps = [Measured(s.parameters, estimate_mean(a - b)) for s, (a, b) in zip(samples, pairs, strict=True)]
    usable = [gap for gap in gaps if gap.estimate.n > 0]
    if not usable:
        return undecided_verdict(f"no run has both {measure} and {other}.")
    return judge_below(usable, 0.0, f"{measure} minus {other}", grid)


def judge_ratio(
    samples: Sequence[Measured],
    everywhere: Sequence[Measured],
    asked: Mapping[str, Any],
    measure: str,
    grid: Sequence[str],
) -> Verdict:
    """Test measure/other above or below a number r: the sign of measure - r other (Fieller), run by run."""
    matched = [(s, _find_counterpart(s, everywhere, asked, measure, grid)) for s in samples]
    pairs = [(s, other) for s, other in matched if other is not None and other.estimate.n > 1]
    if not pairs:
        return undecided_verdict(
            f"nothing to divide by: {format_keys(asked.get('line', {})) or asked.get('measure')}."
        )
    verdicts = []
    for kind, ask in (("above", judge_above), ("below", judge_below)):
        if kind in asked:
            gaps = [
                Measured(
                    s.parameters,
                    measured_difference(s, _scale_measure(o, float(asked[kind]), measure), measure),
                )
                for s, o in pairs
            ]
            verdicts.append(
                ask(gaps, 0.0, f"{measure} minus {format_number(asked[kind])} times the other", grid)
            )
    ratios = [s.estimate.mean / o.estimate.mean for s, o in pairs if o.estimate.mean]
    extent = (
        f"the ratio is {format_number(min(ratios), 3)} to {format_number(max(ratios), 3)}; " if ratios else ""
    )
    text = extent + " ".join(v.sentence for v in verdicts)
    return Verdict(all(v.shown for v in verdicts), min(1.0, len(verdicts) * min(v.p for v in verdicts)), text)


def _find_counterpart(
    sample: Measured,
    everywhere: Sequence[Measured],
    asked: Mapping[str, Any],
    measure: str,
    grid: Sequence[str],
) -> Measured | None:
    """The same point of another line, or another measure of the same point."""
    other = sample
    if "line" in asked:
        wanted = grid_key(sample.parameters, asked["line"], grid)
        found = [s for s in everywhere if grid_key(s.parameters, {}, grid) == wanted]
        if not found:
            return None
        other = found[0]
    if "measure" not in asked:
        return other
    return _scale_measure(other, 1.0, asked["measure"], measure)


def _scale_measure(sample: Measured, factor: float, source: str, target: str | None = None) -> Measured:
    """The runs of a point times a factor, under the name of the measure they are compared with."""
    values = factor * np.asarray(sample.point.values[source], dtype=float)
    point = replace(sample.point, values={target or source: values})
    return Measured(sample.parameters, estimate_mean(values), point)
