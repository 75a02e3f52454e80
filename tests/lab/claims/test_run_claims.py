"""Claims about single runs, two measures of one run, ratios, the largest, and the scatter."""

import numpy as np
import pytest
from generated_points import Declaration, claim

from markone.lab.claims.judge import judge_claims, pseudo_values
from markone.lab.scenario import Point, Theory

RNG = np.random.default_rng(3)


def point(N=10, alpha=1.0, **values):
    values = {name: np.asarray(v, dtype=float) for name, v in values.items()}
    n = len(next(iter(values.values())))
    return Point({"N": N, "alpha": alpha}, values, n, 1.0, [], np.arange(n))


def answer(points, measure="kappa", of="mean", where=None, theories=None, **expect):
    declaration = Declaration(theories=theories or {})
    asked = claim(measure=measure, where=where, **expect)
    asked.of = of
    declaration.claims = [asked]
    (found,) = judge_claims(declaration, points)
    return found


def test_every_run_is_asked_and_not_the_mean():
    bound = {"bound": Theory("bound", "kappa", lambda p: p["alpha"])}
    fine = [point(alpha=a, kappa=a * RNG.random(100)) for a in (1.0, 2.0)]
    assert answer(fine, theories=bound, every_run={"at_most": "bound"}).answer == "holds"
    fine[1].values["kappa"][7] = 2.5
    found = answer(fine, theories=bound, every_run={"at_most": "bound"})
    assert found.answer == "does not hold"
    assert (
        "1 of 200 runs violate it, e.g. kappa = 2.5 at N = 10, alpha = 2, to be at most 2" in found.sentence
    )
    assert answer([point(kappa=np.ones(20))], every_run={"at_least": 0.5}).answer == "undecided"


def test_largest_at():
    points = [point(N=N, kappa=20 + 0 * RNG.random(50) == N) for N in (10, 20, 40)]
    points = [point(N=N, kappa=(N == 20) + 0.1 * RNG.standard_normal(50)) for N in (10, 20, 40)]
    assert answer(points, largest_at={"N": 20}).answer == "holds"
    assert answer(points, largest_at={"N": 40}).answer == "does not hold"
    assert answer(points[:1], largest_at={"N": 20}).answer == "undecided"


def test_below_another_measure_of_the_same_run():
    common = RNG.standard_normal(50)
    points = [point(kappa=common - 0.1 + 0.01 * RNG.standard_normal(50), separable=common)]
    assert answer(points, below_measure="separable").answer == "holds"
    points[0].values["separable"] = common - 0.2
    assert answer(points, below_measure="separable").answer == "does not hold"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"above": 2.5, "below": 3.5}, "holds"),
        ({"above": 3.2}, "does not hold"),
        ({"below": 3.0}, "undecided"),
    ],
)
def test_ratios(asked, expected):
    base = 5 + 0.1 * RNG.standard_normal(60)
    points = [point(N=10, kappa=base), point(N=20, kappa=3 * base + 0.1 * RNG.standard_normal(60))]
    line = answer(points, where={"N": 20}, ratio=asked | {"line": {"N": 10}})
    assert line.answer == expected
    assert "the ratio is 3" in line.sentence
    both = [point(kappa=3 * base + 0.1 * RNG.standard_normal(60), other=base)]
    assert answer(both, ratio=asked | {"measure": "other"}).answer == expected


def test_spread_is_judged_like_a_mean():
    values = RNG.standard_normal(40)
    assert pseudo_values(values).mean() == pytest.approx(values.std(ddof=1), rel=0.02)
    points = [point(N=N, kappa=N * RNG.standard_normal(200)) for N in (10, 20, 40)]
    assert answer(points, of="spread", rises_with="N").answer == "holds"
    assert answer(points, of="spread", grows_with={"N": [0.7, 1.3]}).answer == "holds"
    assert answer(points, of="spread", falls_with="N").answer == "does not hold"
