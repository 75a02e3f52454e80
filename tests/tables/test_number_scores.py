"""Errors, intervals and coverage of prediction intervals."""

import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from markone.tables import scoring as scores


def test_measures_are_those_of_scikit_learn_but_for_the_mean_of_r2():
    """R2 is against the mean of the training rows, the answer one could have given."""
    rng = np.random.default_rng(1)
    y, predicted = rng.normal(size=(2, 50))
    found = scores.error_measures(y, predicted, float(y.mean()))
    assert found["rmse"] == pytest.approx(root_mean_squared_error(y, predicted))
    assert found["mae"] == pytest.approx(mean_absolute_error(y, predicted))
    assert found["r2"] == pytest.approx(r2_score(y, predicted))
    assert scores.error_measures(y, predicted, 3.0)["r2"] > found["r2"]


def test_the_corrected_interval_is_written_out():
    folds = [{"rmse": v, "r2": v} for v in (0.4, 0.5, 0.9, 0.7)]
    found = scores.resampled_intervals(folds, [10] * 4, 40)
    values = np.array([0.4, 0.5, 0.9, 0.7])
    error = values.std(ddof=1) * np.sqrt(1 / 4 + 10 / 30)
    assert found["rmse"].error == pytest.approx(error)
    assert found["rmse"].low == max(0.0, found["rmse"].low)
    assert found["r2"].high <= 1.0


def test_an_error_is_never_below_zero():
    found = scores.resampled_intervals([{"rmse": 0.01}, {"rmse": 1.0}], [5, 5], 10)
    assert found["rmse"].low == 0.0


def test_conformal_widths_are_order_statistics():
    sizes = np.arange(1.0, 20.0)
    np.testing.assert_array_equal(scores.conformal_widths(sizes, np.array([0.5, 0.95])), [10.0, 19.0])
    assert scores.conformal_widths(sizes, np.array([0.99]))[0] == np.inf


@pytest.mark.parametrize("draw", ["normal", "standard_cauchy", "exponential"])
def test_the_band_of_the_residuals_holds_whatever_their_distribution(draw):
    """Exchangeable residuals: the share inside is the promised one within its error."""
    rng = np.random.default_rng(2)
    parts = [[getattr(rng, draw)(size=200) for _ in range(5)] for _ in range(4)]
    found = scores.residual_coverage(parts)
    assert np.abs(found.shares - found.levels).max() < 4 * np.sqrt(0.25 / 1000)


def test_the_gaussian_band_is_right_for_gaussian_noise_and_wrong_if_it_is_too_narrow():
    rng = np.random.default_rng(3)
    residuals = rng.normal(size=4000)
    right = scores.model_coverage(residuals, np.ones(4000))
    assert np.abs(right.shares - right.levels).max() < 0.03
    assert scores.model_coverage(residuals, np.full(4000, 0.5)).coverage_at(0.95) < 0.75


def test_leave_one_out_pools_all_rows():
    rng = np.random.default_rng(4)
    y = rng.normal(size=60)
    predicted = 0.8 * y
    middles = np.array([(y.sum() - v) / 59 for v in y])
    found = scores.pooled_error_intervals(y, predicted, middles, 0)
    assert found["rmse"].mean == pytest.approx(np.sqrt(np.mean((0.2 * y) ** 2)))
    assert found["rmse"].low < found["rmse"].mean < found["rmse"].high
    assert found["gain"].low > 0
