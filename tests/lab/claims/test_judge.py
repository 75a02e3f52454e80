"""All expectations of a claim together."""

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


def test_two_expectations_must_both_hold():
    points = [at(around(1.0))]
    assert answer(points, measure="kappa", above=0.9, below=1.1).answer == "holds"
    assert answer(points, measure="kappa", above=0.9, below=0.8).answer == "does not hold"


def test_nothing_measured_is_undecided():
    found = answer([], where={"alpha_max": 1.0}, equals=1.0)
    assert (found.answer, found.sentence) == (
        "undecided",
        "No values of separable have been measured with alpha_max = 1.",
    )


def test_an_unknown_expectation_is_refused():
    with pytest.raises(
        ValueError, match=r"cannot expect 'resembles'\. Choose one of equals, equals_theory, above"
    ):
        answer([at(around(1.0))], measure="kappa", resembles=1.0)
