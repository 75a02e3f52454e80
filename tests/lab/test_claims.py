import numpy as np
import pytest
from stand_ins import ALPHAS, Declaration, Point, claim, made_up

from markone.lab.claims.judge import judge
from markone.lab.schema import matches


def answer(points, declaration=None, **asked):
    declaration = declaration or Declaration()
    declaration.claims = [claim(**asked)]
    (found,) = judge(declaration, points)
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
        ("equals", 1.0, 1.035, "holds"),  # 3.5 standard errors
        ("equals", 1.0, 1.045, "does not hold"),
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
    assert answer([at(three)], measure="kappa", equals=994.0).answer == "holds"
    assert answer([at(many)], measure="kappa", equals=994.0).answer == "does not hold"


def test_error_bars_too_large_to_tell():
    assert answer([at(around(0.0, spread=30.0))], measure="kappa", equals=1.0).answer == "undecided"
    assert answer([at([1.0])], measure="kappa", equals=1.0).answer == "undecided"
    assert answer([at([1.0, 1.0], "separable")], equals=1.0).answer == "undecided"


def test_all_means_all():
    everything = [at(np.ones(5000), "separable", alpha=alpha) for alpha in ALPHAS]
    assert answer(everything, equals=1.0).answer == "holds"
    everything[2].values["separable"][4] = 0.0
    found = answer(everything, equals=1.0)
    assert found.answer == "does not hold"
    assert "1 of them" in found.sentence
    assert "alpha = 1.5" in found.sentence


def test_a_fraction_of_one_does_not_prove_a_bound_near_one():
    ones = [at(np.ones(50), "separable")]
    assert answer(ones, above=0.9).answer == "holds"
    assert answer(ones, above=0.99).answer == "undecided"
    assert answer(ones, below=0.5).answer == "does not hold"


def test_a_number_without_scatter_is_decided_at_its_bound():
    assert answer([at([1.0, 1.0, 2.0, 2.0]), at([2.0, 2.0], N=20)], measure="kappa", above=2.0).answer == (
        "does not hold"
    )


def test_two_expectations_must_both_hold():
    points = [at(around(1.0))]
    assert answer(points, measure="kappa", above=0.9, below=1.1).answer == "holds"
    assert answer(points, measure="kappa", above=0.9, below=0.8).answer == "does not hold"


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
    many[3] = at(around(1.045), alpha=3.0)
    assert answer(many[:9], measure="kappa", equals=1.0).answer == "does not hold"
    assert answer(many, measure="kappa", equals=1.0).answer == "holds"
    many[3] = at(around(1.07), alpha=3.0)
    assert answer(many, measure="kappa", equals=1.0).answer == "does not hold"


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


def test_equality_with_theory():
    declaration = Declaration()
    assert answer(made_up(declaration), equals_theory="cover").answer == "holds"
    assert answer(made_up(declaration), measure="kappa", equals_theory="kappa").answer == "holds"
    shifted = answer(made_up(declaration, b=-0.5), measure="kappa", equals_theory="kappa")
    assert shifted.answer == "holds"
    assert "A term b/N explains all of it" in shifted.sentence
    wrong = answer(made_up(declaration, offset=0.2), measure="kappa", equals_theory="kappa")
    assert wrong.answer == "does not hold"
    assert "does not explain it" in wrong.sentence
    silent = answer(made_up(declaration), measure="kappa", equals_theory="silent")
    assert (silent.answer, "says nothing" in silent.sentence) == ("undecided", True)


def test_with_one_N_a_difference_stays_a_difference():
    declaration = Declaration(grid={"N": [20], "alpha": ALPHAS})
    found = answer(made_up(declaration, b=-2.0), declaration, measure="kappa", equals_theory="kappa")
    assert found.answer == "does not hold"
    assert "Only one N" in found.sentence


def test_one_run_per_point_decides_nothing_about_theory():
    declaration = Declaration(repeats=1)
    found = answer(made_up(declaration), declaration, measure="kappa", equals_theory="kappa")
    assert found.answer == "undecided"


def two_lines(first, second, numbers=None):
    """Two sizes at one alpha; with numbers the runs are paired."""
    points = [at(first, N=10), at(second, N=20)]
    for point in points if numbers is not None else ():
        point.numbers = np.asarray(numbers)
    return points


def compared(points, measure="kappa", **expect):
    return answer(points, measure=measure, where={"N": 10}, **expect)


@pytest.mark.parametrize(
    ("gap", "below", "above"),
    [(-0.06, "holds", "does not hold"), (0.0, "undecided", "undecided"), (0.06, "does not hold", "holds")],
)
def test_lines_are_compared_with_the_error_of_their_difference(gap, below, above):
    other = around(1.0)[::-1] + 0.0
    points = two_lines(around(1.0 + gap), other)
    assert compared(points, below_line={"N": 20}).answer == below
    found = compared(points, above_line={"N": 20})
    assert found.answer == above
    assert "kappa minus that of N = 20 is" in found.sentence
    # Two standard errors of 0.01 each: three of them are no contradiction, five are.
    close = two_lines(around(1.0 + 0.5 * gap), other)
    assert compared(close, below_line={"N": 20}).answer == ("holds" if gap < 0 else "undecided")


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


def test_nothing_measured_is_undecided():
    found = answer([], where={"alpha_max": 1.0}, equals=1.0)
    assert (found.answer, found.sentence) == (
        "undecided",
        "No values of separable have been measured with alpha_max = 1.",
    )


def test_where():
    parameters = {"N": 20, "alpha": 1.0, "n_max": 250, "student": "hebb"}
    assert matches(parameters, {})
    assert matches(parameters, {"alpha_max": 1.0, "alpha_min": 1.0, "student": "hebb"})
    assert matches(parameters, {"n_max": 250, "n_max_min": 250, "N": [10, 20]})
    assert not matches(parameters, {"n_max": 100})
    assert not matches(parameters, {"alpha_min": 1.5})
    with pytest.raises(ValueError, match="`where` names 'beta_max', but the points have N, alpha"):
        matches(parameters, {"beta_max": 1})


def test_an_unknown_expectation_is_refused():
    with pytest.raises(ValueError, match=r"cannot expect 'resembles'\. Choose one of equals, above"):
        answer([at(around(1.0))], measure="kappa", resembles=1.0)
