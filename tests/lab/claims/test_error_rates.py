"""How often a verdict is wrong, by simulation: each case failed before verdicts had margins and families."""

import numpy as np
import pytest
from generated_points import Declaration, Point, claim, figure

from markone.lab.claims.judge import decide_all_tests, judge_claims
from markone.lab.claims.verdicts import Measured, joint_probability, judge_equals
from markone.lab.scenario import Theory
from markone.lab.statistics import estimate_mean
from markone.numerics.statistics import holm_adjusted

RNG = np.random.default_rng(20)


def answers(draw, points, times=200, declaration=None, **expect):
    """Verdict on a claim about `points` points, each with the values of draw(parameters)."""
    declaration = declaration or Declaration(grid={"N": [20], "alpha": [float(k) for k in range(points)]})
    declaration.claims = [claim(measure="kappa", **expect)]
    found = []
    for _ in range(times):
        runs = [Point(p, {"kappa": draw(p)}) for p in declaration.points()]
        found.append(judge_claims(declaration, runs)[0].answer)
    return {word: found.count(word) / times for word in ("holds", "does not hold", "undecided")}


@pytest.mark.parametrize("n", [2, 3])
def test_two_runs_prove_no_theory(n):
    """Theory 0.2, truth 0.3: it held in 100 % with two runs and in 99 % with three."""
    rates = answers(lambda p: (RNG.random(n) < 0.3).astype(float), 1, equals=0.2)
    assert rates["holds"] == 0


def test_a_wrong_theory_does_not_hold_beside_a_tiny_chi_square():
    """150 runs at each of 20 points, theory 0.2, truth 0.3: a single point hardly contradicts it."""
    rates = answers(lambda p: (RNG.random(150) < 0.3).astype(float), 20, equals=0.2, within=0.02)
    assert rates["holds"] == 0
    assert rates["does not hold"] > 0.95


def test_more_runs_never_turn_a_small_difference_into_a_disagreement():
    for n in (100, 10_000):
        rates = answers(lambda p, n=n: 1.01 + 0.1 * RNG.standard_normal(n), 5, 40, equals=1.0, within=0.05)
        assert rates["does not hold"] == 0
    assert rates["holds"] == 1


def test_counts_have_an_error_also_where_nothing_was_counted():
    """Overlaps of 500 neurons at the flip rate 1e-5: the true claim failed in 99.9 %."""
    flip, N = 1e-5, 500
    declaration = Declaration(grid={"N": [N], "alpha": [1.0]})
    scenario = declaration.scenario_object
    scenario.steps = {"kappa": lambda p: 2 / p["N"]}
    declaration.__class__ = type("Counting", (Declaration,), {"scenario_object": scenario})
    rates = answers(
        lambda p: 1 - 2 * RNG.binomial(N, flip, 50) / N, 1, 300, declaration, equals=1 - 2 * flip, within=1e-9
    )
    assert rates["does not hold"] == 0


def test_skewed_values_are_rejected_as_often_as_they_should():
    """Exponential values, ten runs: rejected in far more than 5 % by Student's t."""
    found = [estimate_mean(RNG.exponential(size=10)) for _ in range(4000)]
    outside = np.mean([not low <= 1 <= high for low, high in (e.confidence_interval() for e in found)])
    assert outside < 0.07
    chances = np.array([2 * min(e.tail_probability(1.0, +1), e.tail_probability(1.0, -1)) for e in found])
    assert np.mean(chances < 0.05) == pytest.approx(outside, abs=0.002)


def test_students_that_share_their_data_are_not_added_up():
    """Eight lines with correlation 0.5 at one alpha: as if independent, chi-square rejects in 17 % at 5 %."""
    rejected = 0
    for _ in range(400):
        common = RNG.standard_normal(30)
        rows = [np.sqrt(0.5) * common + np.sqrt(0.5) * RNG.standard_normal(30) for _ in range(8)]
        samples = [
            Measured({"N": 9, "alpha": 1.0, "student": k}, estimate_mean(row)) for k, row in enumerate(rows)
        ]
        chances = [
            min(s.estimate.tail_probability(0.0, +1), s.estimate.tail_probability(0.0, -1)) for s in samples
        ]
        rejected += joint_probability(samples, chances, sides=2) < 0.05
    assert rejected / 400 < 0.07


def test_a_whole_report_is_one_decision():
    """Forty true claims on the edge of their margins: in a hundred reports hardly one contradicts any."""
    declaration = Declaration(grid={"N": [20], "alpha": [1.0]})
    declaration.claims = [claim(measure="kappa", below=0.0) for _ in range(40)]
    fell = 0
    for _ in range(100):
        runs = [Point({"N": 20, "alpha": 1.0}, {"kappa": RNG.standard_normal(20)})]
        results, _ = decide_all_tests(declaration, runs)
        fell += any(result.answer == "does not hold" for result in results)
    assert fell <= 2


def test_a_theory_and_the_claims_are_judged_together():
    declaration = Declaration(
        grid={"N": [20], "alpha": [1.0]}, theories={"kappa": Theory("t", "kappa", lambda p: 1.0)}
    )
    declaration.claims = [claim(measure="kappa", above=0.0)] * 9
    declaration.figures = [figure(measures=["kappa"], theory=["kappa"])]
    runs = [Point({"N": 20, "alpha": 1.0}, {"kappa": 1.05 + 0.1 * RNG.standard_normal(20)})]
    _, (agreement,) = decide_all_tests(declaration, runs)
    assert agreement.adjusted == pytest.approx(min(1.0, 10 * agreement.p))


def test_holm():
    assert holm_adjusted([0.01, 0.04, np.nan, 0.03]) == pytest.approx([0.03, 0.06, np.nan, 0.06], nan_ok=True)
    assert holm_adjusted([]) == []


def test_the_size_is_always_told():
    samples = [Measured({"alpha": 1.0}, estimate_mean(1.2 + 0.01 * RNG.standard_normal(50)))]
    assert "would count as equal" in judge_equals(samples, 1.0, "kappa", ["alpha"], 0.05).sentence
