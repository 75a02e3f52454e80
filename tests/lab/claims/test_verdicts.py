"""Claims about numbers that hold, do not hold or are undecided."""

import numpy as np
import pytest
from generated_points import ALPHAS, Declaration, Point, claim

from markone.lab.claims.judge import judge_claims
from markone.lab.statistics import estimate_mean


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


@pytest.mark.parametrize(
    ("kind", "value", "mean", "expected"),
    [
        ("equals", 1.0, 1.0, "holds"),
        ("equals", 1.0, 1.025, "holds"),  # the margin is 0.05, and 1.045 the end of the interval
        ("equals", 1.0, 1.045, "undecided"),
        ("equals", 1.0, 1.095, "does not hold"),
        ("above", 1.0, 1.025, "holds"),
        ("above", 1.0, 0.99, "undecided"),
        ("above", 1.0, 1.01, "undecided"),
        ("above", 1.0, 0.95, "does not hold"),
        ("below", 1.0, 0.975, "holds"),
        ("below", 1.0, 1.01, "undecided"),
        ("below", 1.0, 1.05, "does not hold"),
    ],
)
def test_numbers_with_a_standard_error_of_a_hundredth(kind, value, mean, expected):
    found = answer([at(around(mean))], measure="kappa", **{kind: value})
    assert found.answer == expected
    assert f"{mean:.3f} [" in found.sentence
    assert "at N = 10, alpha = 1" in found.sentence
    assert "1 point, 100 runs" in found.sentence


def test_few_repeats_need_more_than_four_standard_errors():
    """Six of them are as likely with three repeats as two of a Gaussian."""
    three, many = around(1000.0, 3, np.sqrt(3)), around(1000.0, 400, np.sqrt(400))
    assert answer([at(three)], measure="kappa", equals=994.0, within=1.0).answer == "contradicted at 95 %"
    assert answer([at(many)], measure="kappa", equals=994.0, within=1.0).answer == "does not hold"
    assert answer([at(many)], measure="kappa", equals=994.0, within=9.0).answer == "holds"


@pytest.mark.parametrize("off", [0.0, 1.0, 1.9, 1.98, 1.99, 2.1, 3.0, 4.0])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_claim_that_its_interval_excludes_is_contradicted(off, side):
    """The interval as printed decides, for one bound and for the nearer end of a margin."""
    values = around(1.0 + side * off * 0.01)
    low, high = estimate_mean(values).confidence_interval()
    bound = {"below": 1.0} if side > 0 else {"above": 1.0}
    excluded = "undecided" if low <= 1.0 <= high else "contradicted at 95 %" if off < 4 else "does not hold"
    assert answer([at(values)], measure="kappa", **bound).answer == excluded
    found = answer([at(values)], measure="kappa", equals=1.0 - side * 0.02, within=0.02)
    assert found.answer == excluded
    assert ("An interval excludes the claim (p = " in found.sentence) == (excluded[0] == "c")


def test_error_bars_too_large_to_tell():
    assert answer([at(around(0.0, spread=30.0))], measure="kappa", equals=1.0).answer == "undecided"
    assert answer([at([1.0])], measure="kappa", equals=1.0).answer == "undecided"
    assert answer([at([1.0, 1.0], "separable")], equals=1.0).answer == "undecided"


def test_all_means_all():
    everything = [at(np.ones(5000), "separable", alpha=alpha) for alpha in ALPHAS]
    assert answer(everything, every_run={"equals": 1.0}).answer == "holds"
    everything[2].values["separable"][4] = 0.0
    assert answer(everything, equals=1.0).answer == "holds"  # one in 5000 is within the margin of a mean
    found = answer(everything, every_run={"equals": 1.0})
    assert found.answer == "does not hold"
    assert "1 of 30000 runs violate it, e.g. separable = 0 at N = 10, alpha = 1.5" in found.sentence


def test_a_fraction_of_one_does_not_prove_a_bound_near_one():
    ones = [at(np.ones(50), "separable")]
    assert answer(ones, above=0.9).answer == "holds"
    assert answer(ones, above=0.99).answer == "undecided"
    assert answer(ones, below=0.5).answer == "does not hold"


def test_a_number_without_scatter_is_decided_at_its_bound():
    assert answer([at([1.0, 1.0, 2.0, 2.0]), at([2.0, 2.0], N=20)], measure="kappa", above=2.0).answer == (
        "does not hold"
    )
