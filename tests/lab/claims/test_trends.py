"""Claims that a measure rises or falls."""

import numpy as np
import pytest
from generated_points import ALPHAS, Declaration, Point, claim

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


def rows(*means):
    return [at(around(mean), alpha=alpha) for mean, alpha in zip(means, ALPHAS, strict=False)]


@pytest.mark.parametrize(
    ("means", "falls", "rises"),
    [
        ((3.0, 2.0, 1.0), "holds", "does not hold"),
        ((3.0, 2.0, 2.02, 1.0), "holds", "does not hold"),  # a step back within the errors
        ((3.0, 2.0, 2.2, 1.0), "does not hold", "does not hold"),
        ((1.0, 1.0, 1.01), "undecided", "undecided"),
        ((1.0,), "undecided", "undecided"),
    ],
)
def test_trends(means, falls, rises):
    assert answer(rows(*means), measure="kappa", falls_with="alpha").answer == falls
    assert answer(rows(*means)[::-1], measure="kappa", rises_with="alpha").answer == rises


def test_among_many_points_more_than_four_standard_errors_are_chance():
    many = [at(around(1.0), alpha=float(k)) for k in range(1000)]
    many[3] = at(around(1.055), alpha=3.0)  # 4.5 standard errors beyond the margin
    assert answer(many[:9], measure="kappa", equals=1.0, within=0.01).answer == "does not hold"
    assert answer(many, measure="kappa", equals=1.0, within=0.01).answer == "contradicted at 95 %"
    many[3] = at(around(1.085), alpha=3.0)
    assert answer(many, measure="kappa", equals=1.0, within=0.01).answer == "does not hold"


def test_a_power_of_the_parameter():
    points = [at(around(0.5 * N**2, spread=0.01 * N**2), N=N) for N in (10, 20, 40)]
    found = answer(points, measure="kappa", grows_with={"N": [1.9, 2.1]})
    assert found.answer == "holds"
    assert "grows as N^2.00" in found.sentence
    assert answer(points, measure="kappa", grows_with={"N": [0.5, 1.5]}).answer == "does not hold"
    assert answer(points, measure="kappa", grows_with={"N": [1.9, 2.0001]}).answer == "undecided"
    assert answer(points[:1], measure="kappa", grows_with={"N": [1.0, 3.0]}).answer == "undecided"


def test_trends_are_judged_line_by_line():
    other = [Point(p.parameters | {"N": 20}, {"kappa": p.values["kappa"][::-1] + 9}) for p in rows(3.0, 2.0)]
    assert answer(rows(3.0, 2.0) + other, measure="kappa", falls_with="alpha").sentence.count("2 of 2 lines")
    other[1].values["kappa"] += 5
    found = answer(rows(3.0, 2.0) + other, measure="kappa", falls_with="alpha")
    assert found.answer == "does not hold"
    assert "1 of 2 lines" in found.sentence


def test_what_does_not_change_does_not_fall():
    points = [at([2.0, 2.0], alpha=alpha) for alpha in ALPHAS]
    assert answer(points, measure="kappa", falls_with="alpha").answer == "does not hold"


def test_saturated_fractions_fall_where_they_can():
    points = [
        at(np.arange(50) < k, "separable", alpha=a)
        for a, k in zip(ALPHAS, [50, 50, 40, 9, 0, 0], strict=True)
    ]
    assert answer(points, falls_with="alpha").answer == "holds"
    assert answer(points[:2], falls_with="alpha").answer == "undecided"
