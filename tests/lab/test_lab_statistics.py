"""lab/statistics.py: means with intervals, and the lines of a figure."""

from types import SimpleNamespace

import numpy as np
import pytest
from generated_points import ALPHAS, SIZES, Declaration, Point, figure, made_up
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from markone.lab.scenario import SHARE
from markone.lab.statistics import estimate_mean, estimate_points, is_fraction_measure, measured_lines
from markone.numerics.intervals import wilson_interval


def test_mean_error_and_student_interval_equal_scipys():
    values = np.random.default_rng(0).normal(3, 2, 7)
    found = estimate_mean(values)
    low, high = stats.t.interval(0.95, 6, values.mean(), stats.sem(values))
    assert (found.n, found.missing) == (7, 0)
    assert [found.mean, found.error] == pytest.approx([values.mean(), stats.sem(values)], rel=1e-14)
    assert [found.low, found.high] == pytest.approx([low, high], rel=1e-12)


@given(st.integers(1, 400), st.data())
def test_intervals_of_fractions_equal_scipys(n, data):
    k = data.draw(st.integers(0, n))
    found = estimate_mean(np.arange(n) < k, fraction=True)
    peer = stats.binomtest(k, n).proportion_ci(method="wilson" if 0 < k < n else "exact")
    assert [found.low, found.high] == pytest.approx([peer.low, peer.high], abs=1e-12)
    assert found.low <= found.mean <= found.high


def test_the_interval_of_a_fraction_does_not_vanish_where_the_standard_error_does():
    found = estimate_mean(np.ones(50), fraction=True)
    assert (found.mean, found.error, found.high) == (1.0, 0.0, 1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 50))
    # Four standard errors out, where claims are decided, Wilson's would be 0.76.
    assert found.confidence_interval(stats.norm.sf(4))[0] == pytest.approx(stats.norm.sf(4) ** (1 / 50))
    assert wilson_interval(0.0, 50)[0] == 0.0


def test_student_intervals_cover_in_95_percent():
    rng = np.random.default_rng(1)
    hits = [(e := estimate_mean(rng.normal(size=4))).low < 0 < e.high for _ in range(2000)]
    assert np.mean(hits) == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 2000))


def test_what_is_not_finite_is_left_out_and_counted():
    found = estimate_mean([1.0, np.nan, 3.0, np.inf])
    assert (found.n, found.missing, found.mean) == (2, 2, 2.0)
    nothing = estimate_mean([np.nan])
    assert (nothing.n, nothing.missing) == (0, 1)
    assert np.isnan([nothing.mean, nothing.low, nothing.high]).all()
    assert np.isnan(estimate_mean([2.0]).confidence_interval()).all()


def test_equal_values_have_their_own_mean_without_rounding():
    assert estimate_mean(np.full(7, 0.1)).confidence_interval() == (0.1, 0.1)


def test_what_is_shown_stays_within_what_can_be_and_what_decides_does_not():
    few = estimate_mean([0.9, 1.0, 1.0, 0.7], within=SHARE)
    low, high = few.confidence_interval()
    assert high > 1
    assert few.clipped_interval() == (few.low, few.high) == (low, 1.0)
    assert str(few).endswith("1.00]")
    assert np.isnan(estimate_mean([0.5], within=SHARE).clipped_interval()).all()


def test_a_scenario_says_what_its_measures_can_be():
    scenario = SimpleNamespace(ranges={"error": SHARE}, steps={})
    points = [Point({}, {"error": [0.0, 0.0, 0.3]})]
    assert [e.low for e in estimate_points(points, "error", scenario)] == [0.0]
    assert estimate_points(points, "error")[0].low < 0


def test_squares_do_not_overflow():
    values = np.array([1.0, 2.0, 4.0])
    small, large = estimate_mean(values), estimate_mean(values * 2.0**900)
    assert (large.mean, large.error) == (small.mean * 2.0**900, small.error * 2.0**900)
    assert np.isfinite(estimate_mean([1e308, 1.7e308, 1.7e308]).error)


def test_a_fraction_is_zero_or_one_everywhere():
    points = [Point({}, {"a": [0.0, 1.0, np.nan], "b": [0.0]}), Point({}, {"a": [1.0], "b": [0.5]})]
    assert is_fraction_measure(points, "a")
    assert not is_fraction_measure(points, "b")
    assert not is_fraction_measure(points, "absent")
    assert [e.n for e in estimate_points(points, "absent")] == [0, 0]


def test_lines_are_sorted_along_x_and_told_apart_by_every_grid_key():
    declaration = Declaration(repeats=3)
    points = made_up(declaration)[::-1]
    found = measured_lines(declaration, points, figure(lines=[]), "kappa")
    assert [line.keys for line in found] == [{"N": N} for N in SIZES[::-1]]
    assert all(line.x == ALPHAS for line in found)
    assert found[0].parameters[0] == {"sweeps": 100, "N": 40, "alpha": 0.5}
    point = next(p for p in points if p.parameters == {"N": 10, "alpha": 2.0})
    assert found[-1].estimates[3] == estimate_mean(point.values["kappa"])


def test_a_figure_may_show_some_of_the_points():
    declaration = Declaration(repeats=3)
    some = figure(where={"N_min": 20, "alpha_max": 1.0})
    assert [
        (line.keys, line.x) for line in measured_lines(declaration, made_up(declaration), some, "kappa")
    ] == [
        ({"N": 20}, [0.5, 1.0]),
        ({"N": 40}, [0.5, 1.0]),
    ]
    one = figure(lines=[], where={"N": 20})
    (line,) = measured_lines(declaration, made_up(declaration), one, "kappa")
    assert (line.keys, line.x) == ({}, ALPHAS)
