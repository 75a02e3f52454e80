import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from stand_ins import ALPHAS, SIZES, Declaration, Point, cover, figure, made_up

from markone.lab.agreement import compare
from markone.lab.chi_square import ChiSquare
from markone.lab.formatting import names, show
from markone.lab.scenario import Theory
from markone.lab.statistics import estimate, estimates_of, is_fraction, lines
from markone.numerics.statistics import wilson
from markone.numerics.text import number


def test_mean_error_and_student_interval_equal_scipys():
    values = np.random.default_rng(0).normal(3, 2, 7)
    found = estimate(values)
    low, high = stats.t.interval(0.95, 6, values.mean(), stats.sem(values))
    assert (found.n, found.missing) == (7, 0)
    assert [found.mean, found.error] == pytest.approx([values.mean(), stats.sem(values)], rel=1e-14)
    assert [found.low, found.high] == pytest.approx([low, high], rel=1e-12)


@given(st.integers(1, 400), st.data())
def test_wilson_interval_equals_scipys(n, data):
    k = data.draw(st.integers(0, n))
    found = estimate(np.arange(n) < k, fraction=True)
    peer = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert [found.low, found.high] == pytest.approx([peer.low, peer.high], abs=1e-12)
    assert found.low <= found.mean <= found.high


def test_wilson_interval_does_not_vanish_where_the_standard_error_does():
    found = estimate(np.ones(50), fraction=True)
    assert (found.mean, found.error, found.high) == (1.0, 0.0, 1.0)
    assert found.low == pytest.approx(50 / (50 + stats.norm.isf(0.025) ** 2))
    assert wilson(0.0, 50, 1.96)[0] == 0.0


def test_student_intervals_cover_in_95_percent():
    rng = np.random.default_rng(1)
    hits = [(e := estimate(rng.normal(size=4))).low < 0 < e.high for _ in range(2000)]
    assert np.mean(hits) == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 2000))


def test_what_is_not_finite_is_left_out_and_counted():
    found = estimate([1.0, np.nan, 3.0, np.inf])
    assert (found.n, found.missing, found.mean) == (2, 2, 2.0)
    nothing = estimate([np.nan])
    assert (nothing.n, nothing.missing) == (0, 1)
    assert np.isnan([nothing.mean, nothing.low, nothing.high]).all()
    assert np.isnan(estimate([2.0]).interval()).all()


def test_equal_values_have_their_own_mean_without_rounding():
    assert estimate(np.full(7, 0.1)).interval() == (0.1, 0.1)


def test_squares_do_not_overflow():
    values = np.array([1.0, 2.0, 4.0])
    small, large = estimate(values), estimate(values * 2.0**900)
    assert (large.mean, large.error) == (small.mean * 2.0**900, small.error * 2.0**900)
    assert np.isfinite(estimate([1e308, 1.7e308, 1.7e308]).error)


def test_a_fraction_is_zero_or_one_everywhere():
    points = [Point({}, {"a": [0.0, 1.0, np.nan], "b": [0.0]}), Point({}, {"a": [1.0], "b": [0.5]})]
    assert is_fraction(points, "a")
    assert not is_fraction(points, "b")
    assert not is_fraction(points, "absent")
    assert [e.n for e in estimates_of(points, "absent")] == [0, 0]


def test_lines_are_sorted_along_x_and_told_apart_by_every_grid_key():
    declaration = Declaration(repeats=3)
    points = made_up(declaration)[::-1]
    found = lines(declaration, points, figure(lines=[]), "kappa")
    assert [line.keys for line in found] == [{"N": N} for N in SIZES[::-1]]
    assert all(line.x == ALPHAS for line in found)
    assert found[0].parameters[0] == {"sweeps": 100, "N": 40, "alpha": 0.5}
    point = next(p for p in points if p.parameters == {"N": 10, "alpha": 2.0})
    assert found[-1].estimates[3] == estimate(point.values["kappa"])


def test_a_figure_may_show_some_of_the_points():
    declaration = Declaration(repeats=3)
    some = figure(where={"N_min": 20, "alpha_max": 1.0})
    assert [(line.keys, line.x) for line in lines(declaration, made_up(declaration), some, "kappa")] == [
        ({"N": 20}, [0.5, 1.0]),
        ({"N": 40}, [0.5, 1.0]),
    ]
    one = figure(lines=[], where={"N": 20})
    (line,) = lines(declaration, made_up(declaration), one, "kappa")
    assert (line.keys, line.x) == ({}, ALPHAS)


def chi_squares(declaration, seeds, **more):
    return [compare(declaration, made_up(declaration, seed=seed, **more))[0] for seed in range(seeds)]


@pytest.mark.parametrize("repeats", [5, 40])
def test_p_values_are_uniform_when_the_theory_is_right(repeats):
    declaration = Declaration(repeats=repeats, figures=[figure(measures=["kappa"], theory=["kappa"])])
    found = chi_squares(declaration, 200)
    assert {(a.plain.freedom, a.corrected.freedom) for a in found} == {(18, 12)}
    assert stats.kstest([a.plain.p for a in found], "uniform").pvalue > 0.001
    assert stats.kstest([a.corrected.p for a in found], "uniform").pvalue > 0.001


def test_p_values_of_fractions_are_not_too_small():
    found = chi_squares(Declaration(repeats=60, figures=[figure()]), 200)
    p = np.array([a.plain.p for a in found])
    for level in (0.01, 0.05, 0.2):
        assert np.mean(p < level) < level + 3 * np.sqrt(level / 200)
    assert 0.3 < p.mean() < 0.75


def test_a_term_in_1_over_N_is_found_and_taken_away():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["kappa"])])
    (found,) = compare(declaration, made_up(declaration, b=-0.5))
    assert found.plain.p < 1e-20
    assert found.corrected.p > 0.01
    assert [shift.x for shift in found.shifts] == ALPHAS
    assert all(abs(shift.b + 0.5) < 4 * shift.error for shift in found.shifts)
    assert found.plain == sum((chi for _, chi in found.per_line), ChiSquare())


def test_the_fit_equals_numpys_least_squares():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["kappa"])], repeats=4000)
    points = made_up(declaration, b=2.0)
    (found,) = compare(declaration, points)
    chosen = [p for p in points if p.parameters["alpha"] == 1.5]
    mean = np.array([p.values["kappa"].mean() for p in chosen])
    error = np.array([stats.sem(p.values["kappa"]) for p in chosen])
    rows = (1 / np.array(SIZES) / error)[:, None]
    b, *_ = np.linalg.lstsq(rows, (mean - 1 / 1.5) / error)
    assert found.shifts[2].b == pytest.approx(b[0], rel=1e-10)
    assert found.shifts[2].error == pytest.approx(1 / np.linalg.norm(rows), rel=1e-10)


def test_a_true_difference_is_no_1_over_N_term():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["kappa"])])
    (found,) = compare(declaration, made_up(declaration, offset=0.1))
    assert found.corrected.p < 1e-6


def test_with_one_N_the_term_cannot_be_separated_and_the_report_says_so():
    declaration = Declaration(
        grid={"N": [20], "alpha": ALPHAS}, figures=[figure(measures=["kappa"], theory=["kappa"])]
    )
    (found,) = compare(declaration, made_up(declaration, b=-0.5))
    assert found.shifts == []
    assert found.corrected.freedom == 5
    assert "cannot be separated" in found.notes[0]
    assert "N = 20" in found.notes[0]


def test_theory_without_exceptions_falls_with_one():
    declaration = Declaration(grid={"N": [10, 20], "alpha": [0.5, 1.0]}, figures=[figure()])
    points = made_up(declaration)
    (fine,) = compare(declaration, points)
    assert fine.plain == ChiSquare(0.0, 0)
    assert np.isnan(fine.plain.p)
    points[0].values["separable"][7] = 0.0
    (broken,) = compare(declaration, points)
    assert broken.plain.p == 0.0


def test_hardly_possible_exceptions_are_judged_by_their_number():
    """Gaussian errors would call one exception, expected 0.01 times, ten standard errors."""
    rare = Theory("rare", "separable", lambda parameters: 1e-5)
    declaration = Declaration(grid={"N": [10], "alpha": [1.0]}, figures=[figure(theory=["rare"])])
    declaration.theories["rare"] = rare
    values = np.zeros(1000)
    values[0] = 1.0
    (found,) = compare(declaration, [Point({"N": 10, "alpha": 1.0}, {"separable": values})])
    assert found.plain.p == pytest.approx(2 * stats.poisson.sf(0, 0.01))


def test_no_theory_no_comparison():
    declaration = Declaration(figures=[figure(measures=["kappa"], theory=["silent"])])
    assert compare(declaration, made_up(declaration)) == []
    assert compare(declaration, []) == []


def test_shared_data_and_missing_error_bars_are_named():
    grid = {"N": [10, 20], "alpha": [1.0], "sweeps": [1, 2]}
    declaration = Declaration(
        grid=grid, fixed={}, repeats=1, figures=[figure(x="sweeps", measures=["kappa"], theory=["kappa"])]
    )
    (found,) = compare(declaration, made_up(declaration))
    assert found.plain.freedom == 0
    assert "4 of 4 points have no error bar" in found.notes[0]
    assert "share their data" in found.notes[1]


def test_the_same_data_count_once():
    """At N = 5 neighbouring alphas mean the same P, and the streams give the same examples."""
    declaration = Declaration(figures=[figure(), figure(measures=["kappa"], theory=["kappa"])])
    points = [p for p in made_up(declaration) if p.parameters["alpha"] > 1]
    copies = [Point(p.parameters | {"alpha": p.parameters["alpha"] + 0.001}, dict(p.values)) for p in points]
    once, twice = compare(declaration, points), compare(declaration, points + copies)
    for alone, doubled in zip(once, twice, strict=True):
        assert alone.plain == doubled.plain
        assert alone.corrected == doubled.corrected
        assert "12 of 24 points repeat the data of another" in doubled.notes[-1]
        assert alone.notes == []


def test_words():
    assert show(estimate(np.arange(100) < 73, fraction=True)) == "0.730 [0.636, 0.807]"
    assert show(estimate([])) == "–"
    assert show(estimate([0.25])) == "0.25 (one run)"
    assert show(estimate([2.0, 2.0])) == "2 [2, 2]"
    assert names({"student": "hebb", "N": 20, "alpha": 1.5}) == "hebb, N = 20, alpha = 1.5"
    assert number(True) == "True"
    assert cover({"alpha": 2.0, "N": 20}) == pytest.approx(0.5)
