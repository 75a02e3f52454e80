"""Claims that one line lies below or above another."""

import numpy as np
import pytest
from generated_points import Declaration, Point, claim

from markone.lab.claims.judge import judge_claims


def answer(points, declaration=None, **asked):
    declaration = declaration or Declaration()
    declaration.claims = [claim(**asked)]
    (found,) = judge_claims(declaration, points)
    return found


def at(values, measure="kappa", N=10, alpha=1.0):
    return Point({"N": N, "alpha": alpha}, {measure: np.asarray(values, dtype=float)})


def around(mean, n=100, spread=0.1):
    """Values with exactly this mean and sample deviation."""
    values = np.random.default_rng(n).normal(size=n)
    return mean + spread * (values - values.mean()) / values.std(ddof=1)


def two_lines(first, second, numbers=None):
    """Two sizes at one alpha; with numbers the runs are paired."""
    points = [at(first, N=10), at(second, N=20)]
    for point in points if numbers is not None else ():
        point.numbers = np.asarray(numbers)
    return points


def compared(points, measure="kappa", **expect):
    return answer(points, measure=measure, where={"N": 10}, **expect)


@pytest.mark.parametrize(
    ("gap", "below", "above", "middle"),
    [
        (-0.06, "holds", "does not hold", "holds"),
        (0.0, "undecided", "undecided", "undecided"),
        (0.06, "does not hold", "holds", "contradicted at 95 %"),
    ],
)
def test_lines_are_compared_with_the_error_of_their_difference(gap, below, above, middle):
    other = around(1.0)[::-1] + 0.0
    points = two_lines(around(1.0 + gap), other)
    assert compared(points, below_line={"N": 20}).answer == below
    found = compared(points, above_line={"N": 20})
    assert found.answer == above
    assert "kappa minus that of N = 20 is" in found.sentence
    # Two standard errors of 0.01 each: three of them contradict at 95 %, six refute.
    close = two_lines(around(1.0 + 0.5 * gap), other)
    assert compared(close, below_line={"N": 20}).answer == middle


def test_runs_on_the_same_data_are_compared_run_by_run():
    hard = np.random.default_rng(0).normal(size=50)
    small = 0.01 + 0.001 * np.random.default_rng(1).normal(size=50)
    points = two_lines(hard, hard + small)
    assert compared(points, below_line={"N": 20}).answer == "undecided"
    paired = two_lines(hard, hard + small, range(50))
    assert compared(paired, below_line={"N": 20}).answer == "holds"
    # Only the repeats that both have: the first one of the second line is the sixth of the first.
    paired[1].numbers = np.arange(5, 55)
    assert compared(paired, below_line={"N": 20}).answer == "undecided"


def test_diverged_runs_are_left_out_of_a_comparison():
    points = two_lines([1.0, np.inf, 1.1, 1.2], [2.0, np.inf, 2.2, 2.3], range(4))
    assert compared(points, below_line={"N": 20}).answer == "holds"


def test_fractions_are_compared_by_their_intervals():
    yes = np.ones(50)
    points = two_lines(np.zeros(50), yes, range(50))
    for point in points:
        point.values["separable"] = point.values.pop("kappa")
    assert compared(points, "separable", below_line={"N": 20}).answer == "holds"
    assert compared(points, "separable", above_line={"N": 20}).answer == "does not hold"
    points[0].values["separable"] = yes
    assert compared(points, "separable", below_line={"N": 20}).answer == "undecided"


def test_a_line_that_is_not_there_decides_nothing():
    points = [*two_lines(around(1.0), around(2.0)), at(around(1.0), N=10, alpha=2.0)]
    found = compared(points, below_line={"N": 20})
    assert found.answer == "holds"
    assert "1 of 2 points have no counterpart" in found.sentence
    found = compared(points, below_line={"N": 40})
    assert (found.answer, "measured with N = 40" in found.sentence) == ("undecided", True)
