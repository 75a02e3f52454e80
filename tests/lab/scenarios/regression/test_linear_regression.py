"""Hubble's line: pseudo-inverse, ridge = MAP, and the exact laws of the estimate."""

import numpy as np
import pytest
from scenario_twins import in_pieces, same
from scipy.optimize import minimize
from sklearn.linear_model import Ridge

from markone.data.galaxies import hubble
from markone.lab.scenarios.regression import linear_regression as lr


def test_the_published_fits():
    """With a constant 454 km/s/Mpc, through the origin 424: the textbook values for Hubble's table."""
    data = hubble()
    assert len(data.names) == 24
    with_constant = lr.ridge_weights(lr.design_matrix(data.distance, True), data.velocity, 0.0)
    assert with_constant == pytest.approx([454.158, 40.784], abs=1e-3)  # theta = -constant term
    assert lr.ridge_weights(lr.design_matrix(data.distance, False), data.velocity, 0.0) == pytest.approx(
        [423.937], abs=1e-3
    )


def test_ridge_is_the_maximum_of_the_posterior_and_scikit_learns():
    data = hubble()
    X = lr.design_matrix(data.distance, True)
    ours = lr.ridge_weights(X, data.velocity, 3.0)

    def minus_log(w):  # (2.10)
        return 0.5 * np.sum((X @ w - data.velocity) ** 2) + 1.5 * w @ w

    np.testing.assert_allclose(ours, minimize(minus_log, np.zeros(2), tol=1e-12).x, rtol=1e-4)
    np.testing.assert_allclose(ours, Ridge(3.0, fit_intercept=False).fit(X, data.velocity).coef_)


def test_the_predictive_band_by_sampling_the_posterior():
    data = hubble()
    X = lr.design_matrix(data.distance, True)
    found = lr.weight_posterior(X, data.velocity, 1.0, 230.0)
    mean, spread = found.predict(lr.design_matrix(1.5, True))
    rng = np.random.default_rng(0)
    w = rng.multivariate_normal(found.mean, found.covariance, 200_000)
    y = w @ lr.design_matrix(1.5, True) + 230.0 * rng.standard_normal(200_000)
    assert abs(y.mean() - mean) < 4 * spread / np.sqrt(200_000)
    assert y.std() == pytest.approx(spread, rel=0.01)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("gamma", [0.0, 3.0])
def test_simulation_meets_the_exact_laws(constant, gamma):
    point = {"constant": constant, "gamma": gamma}
    values = lr.SCENARIO.run(point, 3, 0, 4000)
    for name, theory in lr.SCENARIO.theories.items():
        v = values[theory.measure]
        assert abs(v.mean() - theory.function(point)) < 4 * v.std(ddof=1) / np.sqrt(len(v)), name
    if gamma == 0:
        assert lr.SCENARIO.theories["inside"].function(point) == pytest.approx(0.95)


def test_blocks_may_be_cut_anywhere():
    whole = lr.SCENARIO.run({"gamma": 1.0}, 7, 0, 9)
    same(whole, in_pieces(lr.SCENARIO, {"gamma": 1.0}, 7, [0, 2, 9]))
    assert set(whole) == set(lr.SCENARIO.measures)
