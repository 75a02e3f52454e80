"""Chi-square of simulation against theory, with and without a term in 1/N."""

import numpy as np
import pytest
from generated_points import ALPHAS, SIZES, Declaration, Point, figure, made_up
from scipy import stats

from markone.lab.claims.agreement import compare_with_theory
from markone.lab.claims.theory_tests import ChiSquare
from markone.lab.scenario import Theory


def chi_squares(declaration, seeds, **more):
    return [
        compare_with_theory(declaration, made_up(declaration, seed=seed, **more))[0] for seed in range(seeds)
    ]


@pytest.mark.parametrize("repeats", [5, 40])
def test_p_values_are_uniform_when_the_theory_is_right(repeats):
    declaration = Declaration(repeats=repeats, figures=[figure(measures=["kappa"], theory=["kappa"])])
    found = chi_squares(declaration, 200)
    assert {(a.uncorrected_chi_square.freedom, a.corrected.freedom) for a in found} == {(18, 12)}
    assert stats.kstest([a.uncorrected_chi_square.p for a in found], "uniform").pvalue > 0.001
    assert stats.kstest([a.corrected.p for a in found], "uniform").pvalue > 0.001


def test_p_values_of_fractions_are_not_too_small():
    found = chi_squares(Declaration(repeats=60, figures=[figure()]), 200)
    p = np.array([a.uncorrected_chi_square.p for a in found])
    for level in (0.01, 0.05, 0.2):
        assert np.mean(p < level) < level + 3 * np.sqrt(level / 200)
    assert 0.3 < p.mean() < 0.75


def test_a_term_in_1_over_N_is_found_and_taken_away():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["kappa"])])
    (found,) = compare_with_theory(declaration, made_up(declaration, b=-0.5))
    assert found.uncorrected_chi_square.p < 1e-20
    assert found.corrected.p > 0.01
    assert [shift.x for shift in found.shifts] == ALPHAS
    assert all(abs(shift.b + 0.5) < 4 * shift.error for shift in found.shifts)
    assert found.uncorrected_chi_square == sum((chi for _, chi in found.per_line), ChiSquare())


def test_the_fit_equals_numpys_least_squares():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["kappa"])], repeats=4000)
    points = made_up(declaration, b=2.0)
    (found,) = compare_with_theory(declaration, points)
    chosen = [p for p in points if p.parameters["alpha"] == 1.5]
    mean = np.array([p.values["kappa"].mean() for p in chosen])
    error = np.array([stats.sem(p.values["kappa"]) for p in chosen])
    rows = (1 / np.array(SIZES) / error)[:, None]
    b, *_ = np.linalg.lstsq(rows, (mean - 1 / 1.5) / error)
    assert found.shifts[2].b == pytest.approx(b[0], rel=1e-10)
    assert found.shifts[2].error == pytest.approx(1 / np.linalg.norm(rows), rel=1e-10)


def test_a_true_difference_is_no_1_over_N_term():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["kappa"])])
    (found,) = compare_with_theory(declaration, made_up(declaration, offset=0.1))
    assert found.corrected.p < 1e-6


def test_with_one_N_the_term_cannot_be_separated_and_the_report_says_so():
    declaration = Declaration(
        grid={"N": [20], "alpha": ALPHAS}, figures=[figure(measures=["kappa"], theory=["kappa"])]
    )
    (found,) = compare_with_theory(declaration, made_up(declaration, b=-0.5))
    assert found.shifts == []
    assert found.corrected.freedom == 5
    assert "cannot be separated" in found.notes[0]
    assert "N = 20" in found.notes[0]


def test_theory_without_exceptions_falls_with_one():
    declaration = Declaration(grid={"N": [10, 20], "alpha": [0.5, 1.0]}, figures=[figure()])
    points = made_up(declaration)
    (fine,) = compare_with_theory(declaration, points)
    assert fine.uncorrected_chi_square == ChiSquare(0.0, 0)
    assert np.isnan(fine.uncorrected_chi_square.p)
    points[0].values["separable"][7] = 0.0
    (broken,) = compare_with_theory(declaration, points)
    assert broken.uncorrected_chi_square.p == 0.0


def test_hardly_possible_exceptions_are_judged_by_their_number():
    """With Gaussian errors one exception, expected 0.01 times, would be ten standard errors."""
    rare = Theory("rare", "separable", lambda parameters: 1e-5)
    declaration = Declaration(grid={"N": [10], "alpha": [1.0]}, figures=[figure(theory=["rare"])])
    declaration.theories["rare"] = rare
    values = np.zeros(1000)
    values[0] = 1.0
    (found,) = compare_with_theory(declaration, [Point({"N": 10, "alpha": 1.0}, {"separable": values})])
    assert found.uncorrected_chi_square.p == pytest.approx(2 * stats.poisson.sf(0, 0.01))


def test_no_theory_no_comparison():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["silent"])])
    assert compare_with_theory(declaration, made_up(declaration)) == []
    assert compare_with_theory(declaration, []) == []


def test_shared_data_and_missing_error_bars_are_named():
    grid = {"N": [10, 20], "alpha": [1.0], "sweeps": [1, 2]}
    declaration = Declaration(
        grid=grid, fixed={}, repeats=1, figures=[figure(x="sweeps", measures=["kappa"], theory=["kappa"])]
    )
    (found,) = compare_with_theory(declaration, made_up(declaration))
    assert found.uncorrected_chi_square.freedom == 0
    assert "4 of 4 points have no error bar" in found.notes[0]
    assert "share their data" in found.notes[1]


def test_the_same_data_count_once():
    """At N = 5 neighbouring alphas have the same P, and the streams give the same examples."""
    declaration = Declaration(figures=[figure(), figure(measures=["kappa"], theory=["kappa"])])
    points = [p for p in made_up(declaration) if p.parameters["alpha"] > 1]
    copies = [Point(p.parameters | {"alpha": p.parameters["alpha"] + 0.001}, dict(p.values)) for p in points]
    once, twice = compare_with_theory(declaration, points), compare_with_theory(declaration, points + copies)
    for alone, doubled in zip(once, twice, strict=True):
        assert alone.uncorrected_chi_square == doubled.uncorrected_chi_square
        assert alone.corrected == doubled.corrected
        assert "12 of 24 points repeat the data of another" in doubled.notes[-1]
        assert alone.notes == []


BOUNDS = {
    "lower": Theory("lowest", "kappa", lambda p: 1 / p["alpha"], "lower bound"),
    "upper": Theory("highest", "separable", lambda p: 0.5, "upper bound"),
}


@pytest.mark.parametrize("offset", [0.0, 0.02])
def test_a_right_bound_is_rarely_broken_by_chance(offset):
    """The level of the one-sided test: on the bound itself, where it is worst, and above it."""
    shown = figure(measures=["kappa"], theory=["lower"])
    declaration = Declaration(repeats=8, figures=[shown], theories=BOUNDS)
    p = np.array([a.p for a in chi_squares(declaration, 400, offset=offset)])
    for level in (0.01, 0.05):
        assert np.mean(p < level) < level + 3 * np.sqrt(level / 400)
    if offset == 0:
        assert np.mean(p < 0.2) > 0.08  # it is a test, not a formality


def test_a_broken_bound_is_found():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["lower"])], theories=BOUNDS)
    found = chi_squares(declaration, 50, offset=-0.05)
    assert all(a.p < 1e-3 for a in found)
    assert all(a.bound.worst.value < 0 for a in found)
    assert {a.bound.points for a in found} == {18}


def test_fractions_without_scatter_are_held_against_a_bound_exactly():
    declaration = Declaration(
        grid={"N": [10], "alpha": [1.0, 2.0]}, figures=[figure(theory=["upper"])], theories=BOUNDS
    )
    points = [Point({"N": 10, "alpha": alpha}, {"separable": np.ones(8)}) for alpha in (1.0, 2.0)]
    points[1].values["separable"] = np.zeros(8)
    (found,) = compare_with_theory(declaration, points)
    assert found.bound.points == 2
    assert found.p == pytest.approx(2 * 0.5**8)


def test_one_run_breaks_no_bound():
    declaration = Declaration(
        repeats=1, figures=[figure(measures=["kappa"], theory=["lower"])], theories=BOUNDS
    )
    (found,) = compare_with_theory(declaration, made_up(declaration, offset=-1.0))
    assert found.bound.points == 0
    assert np.isnan(found.p)


def test_an_asymptote_is_told_and_a_guide_is_not_judged():
    theories = {
        "end": Theory("far away", "kappa", lambda p: 0.0, "asymptote"),
        "guide": Theory("another student", "kappa", lambda p: 0.0, "guide"),
    }
    shown = figure(measures=["kappa"], theory=["end", "guide"])
    declaration = Declaration(figures=[shown], theories=theories)
    (found,) = compare_with_theory(declaration, made_up(declaration))
    assert np.isnan(found.p)
    assert found.worst.value == pytest.approx(1 / 3, abs=0.05)
    assert found.notes[0].startswith("N = 10: the distance at x = 3 is 0.3")
