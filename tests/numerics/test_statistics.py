"""Intervals and standard errors."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, skew

from markone.numerics.intervals import wilson_interval
from markone.numerics.statistics import (
    agresti_coull_error,
    are_zero_or_one,
    hall_quantile,
    hall_score,
    sample_skewness,
    standard_error,
)


@pytest.mark.parametrize(("k", "n", "level"), [(0, 7, 0.95), (3, 10, 0.95), (10, 10, 0.9), (41, 100, 0.99)])
def test_wilson_is_scipys(k, n, level):
    theirs = binomtest(k, n).proportion_ci(level, method="wilson")
    assert wilson_interval(k / n, n, level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_the_ends_are_exact_where_all_agree():
    assert wilson_interval(0.0, 5)[0] == 0.0
    assert wilson_interval(1.0, 5)[1] == 1.0


def test_the_error_of_a_mean_needs_two_values():
    values = np.array([1.0, 2.0, 4.0])
    assert standard_error(values) == pytest.approx(values.std(ddof=1) / math.sqrt(3))
    assert standard_error(values[:1]) == math.inf


def test_ten_times_yes_is_not_certain():
    assert are_zero_or_one(np.ones(10))
    assert not are_zero_or_one(np.array([0.0, 0.5]))
    p = 12 / 14
    assert agresti_coull_error(np.ones(10)) == pytest.approx(math.sqrt(p * (1 - p) / 14))


def test_skewness_is_scipys_where_it_can_be_told():
    values = np.random.default_rng(0).exponential(size=40)
    assert sample_skewness(values) == pytest.approx(skew(values, bias=False))
    assert sample_skewness(values[:7]) == 0
    assert sample_skewness(np.r_[-values, values]) == 0
    assert sample_skewness(np.ones(20)) == 0


@pytest.mark.parametrize("q", [-3.0, -0.5, 0.7, 4.0])
@pytest.mark.parametrize("g", [-2.0, 0.0, 0.3, 6.0])
def test_halls_quantile_is_the_inverse_of_its_score_between_q_and_twice_q(q, g):
    t = hall_quantile(q, g, 20)
    assert abs(q) <= abs(t) <= 2 * abs(q)
    assert t * q > 0
    if abs(q) < abs(t) < 2 * abs(q):
        assert hall_score(t, g, 20) == pytest.approx(q)
