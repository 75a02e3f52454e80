"""Linear regression (2.3-2.17): the book, its identities, its limits, its uncertainty."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from markone import LinearUnit


@pytest.fixture(scope="module")
def examples():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 4)) + 1.0
    return X, X @ [1.0, -2.0, 0.5, 0.0] + 3.0 + 0.3 * rng.standard_normal(30)


@pytest.mark.parametrize("ridge", [0.0, 0.7, 50.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_equals_the_book_and_scikit_learn(examples, ridge, fit_intercept):
    X, y = examples
    unit = LinearUnit(ridge=ridge, fit_intercept=fit_intercept).fit(X, y)
    if not fit_intercept:
        w = np.linalg.solve(X.T @ X + ridge * np.eye(4), X.T @ y)
        np.testing.assert_allclose(unit.coef_, w, rtol=1e-9)
    theirs = Ridge(alpha=ridge, fit_intercept=fit_intercept, solver="svd").fit(X, y)
    np.testing.assert_allclose(unit.coef_, theirs.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(unit.intercept_, theirs.intercept_, rtol=1e-9, atol=1e-12)


def test_fewer_examples_than_weights_give_the_smallest(examples):
    X, y = examples[0][:3], examples[1][:3]
    unit = LinearUnit(fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(unit.coef_, np.linalg.pinv(X) @ y, rtol=1e-9)
    assert np.isnan(unit.sigma_)


def test_map_is_the_mean_of_the_posterior(examples):
    """sigma^2 and tau^2 known: w is Gaussian with the precision X'X/sigma^2 + 1/tau^2   (2.14-2.16)."""
    X, y = examples
    sigma, tau = 0.3, 0.8
    unit = LinearUnit(ridge=sigma**2 / tau**2, sigma=sigma, fit_intercept=False).fit(X, y)
    precision = X.T @ X / sigma**2 + np.eye(4) / tau**2
    np.testing.assert_allclose(unit.covariance_, np.linalg.inv(precision), rtol=1e-9)
    np.testing.assert_allclose(unit.coef_, np.linalg.solve(precision, X.T @ y / sigma**2), rtol=1e-9)


def test_uncertainty_covers_new_targets_as_often_as_it_says():
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(400):
        w = rng.standard_normal(3)
        X, new = rng.standard_normal((12, 3)), rng.standard_normal((1, 3))
        y = X @ w + 0.5 * rng.standard_normal(12)
        mean, std = (
            LinearUnit(ridge=0.25, sigma=0.5, fit_intercept=False).fit(X, y).predict(new, return_std=True)
        )
        inside += abs(mean[0] - (new @ w)[0] - 0.5 * rng.standard_normal()) < std[0]
    # 68.3 % of 400: within three standard errors.
    assert abs(inside / 400 - 0.683) < 3 * np.sqrt(0.683 * 0.317 / 400)


def test_the_noise_is_found_and_far_away_nothing_is_known(examples):
    X, y = examples
    unit = LinearUnit().fit(X, y)
    residual = y - unit.predict(X)
    assert unit.sigma_ == pytest.approx(np.sqrt(np.sum(residual**2) / (30 - 5)))
    _, near = unit.predict(X.mean(axis=0, keepdims=True), return_std=True)
    _, far = unit.predict(X.mean(axis=0, keepdims=True) + 100, return_std=True)
    assert near[0] < 1.1 * unit.sigma_ < far[0]


def test_intervals_of_predictions_use_students_quantiles():
    """6 examples of 3 inputs and a threshold: two degrees of freedom, where Gaussian quantiles cover .82."""
    rng, inside, gaussian = np.random.default_rng(0), 0, 0
    for _ in range(1000):
        X, w = rng.standard_normal((7, 3)), rng.standard_normal(3)
        y = X @ w + 0.5 * rng.standard_normal(7)
        line = LinearUnit().fit(X[:6], y[:6])
        low, high = line.predict_interval(X[6:])
        mean, deviation = line.predict(X[6:], return_std=True)
        inside += low[0] <= y[6] <= high[0]
        gaussian += abs(mean[0] - y[6]) <= 1.96 * deviation[0]
    assert line.degrees_of_freedom_ == pytest.approx(2)
    assert 930 <= inside <= 970
    assert gaussian < 860


def test_a_given_sigma_has_gaussian_intervals():
    X, y = np.arange(6.0)[:, None], np.array([0.1, 0.9, 2.2, 2.9, 4.1, 5.0])
    line = LinearUnit(sigma=0.2).fit(X, y)
    low, high = line.predict_interval(X, level=0.9)
    deviation = line.predict(X, return_std=True)[1]
    np.testing.assert_allclose(high - low, 2 * 1.6448536269514722 * deviation)
    with pytest.raises(ValueError, match="level = 1 must lie between 0 and 1"):
        line.predict_interval(X, level=1)
