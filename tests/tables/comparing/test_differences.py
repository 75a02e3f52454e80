"""Paired differences: the formula, Holm's correction, and groups without significant differences."""

import numpy as np
import pytest
from scipy.stats import t as student_t
from scipy.stats import ttest_rel

from markone.numerics.statistics import holm_adjusted
from markone.tables.comparing.differences import indistinguishable_runs, model_differences

SIZES = np.full(10, 90), np.full(10, 10)


def test_the_corrected_t_is_written_out():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 10))
    (found,) = model_differences({"a": a, "b": b}, *SIZES)
    d = a - b
    t = d.mean() / (d.std(ddof=1) * np.sqrt(1 / 10 + 10 / 90))
    assert found.p == pytest.approx(2 * student_t.sf(abs(t), 9))
    assert found.mean == pytest.approx(d.mean())
    assert found.p > ttest_rel(a, b).pvalue


def test_holm_by_hand():
    assert holm_adjusted([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm_adjusted([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm_adjusted([]) == []


def test_equal_folds_are_no_difference_and_a_constant_one_is_sure():
    same = np.arange(10.0)
    found = model_differences({"a": same, "b": same.copy(), "c": same + 1}, *SIZES)
    assert [pair.p for pair in found] == [1.0, 0.0, 0.0]
    assert [pair.is_significant for pair in found] == [False, True, True]


def test_noise_is_rarely_called_a_difference():
    """Ten models that are all the same but for luck: hardly ever a real pair among 45."""
    rng = np.random.default_rng(1)
    false = 0
    for _ in range(40):
        scores = {str(k): rng.normal(size=10) for k in range(10)}
        false += any(pair.is_significant for pair in model_differences(scores, *SIZES))
    assert false <= 4


def test_runs_of_models_that_cannot_be_told_apart():
    x = np.linspace(0, 1, 10)
    scores = {"a": 3.00 + x, "b": 2.95 + x[::-1], "c": 1.0 + x, "d": -5.0 + x}
    pairs = model_differences(scores, *SIZES)
    assert indistinguishable_runs(["a", "b", "c", "d"], pairs) == [(0, 1)]
    assert indistinguishable_runs(["d"], pairs) == []
