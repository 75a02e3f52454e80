"""Bias and variance by simulation against the closed form."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from markone.evaluation import simulate_bias_variance
from markone.evaluation.bias_variance.decomposition import bias_variance, polynomial_fit
from markone.evaluation.bias_variance.polynomials import cubic_target

POINTS, X = np.linspace(-1, 1, 11), np.linspace(-1.1, 1.1, 12)


@pytest.mark.parametrize("degree", [1, 3, 7])
def test_the_simulated_decomposition_is_the_closed_form(degree):
    found = simulate_bias_variance(
        polynomial_fit(degree), cubic_target, POINTS, X, 0.2, sets=20_000, seed=degree
    )
    exact = bias_variance(cubic_target, POINTS, X, degree, 0.2)
    assert (np.abs(found.mean - exact.mean) < 4.5 * found.mean_error).all()
    assert (np.abs(found.bias2 - exact.bias2) < 4.5 * found.bias2_error).all()
    assert (np.abs(found.variance - exact.variance) < 4.5 * found.variance_error).all()
    # (6.7) holds for the simulated averages themselves.
    sets = 20_000
    np.testing.assert_allclose(
        found.error, found.bias2 + found.variance / sets + found.variance * (sets - 1) / sets, rtol=1e-9
    )


def test_any_regressor_is_decomposed():
    cubic = make_pipeline(PolynomialFeatures(3), LinearRegression())

    def fit(points, targets, x):
        return np.array([cubic.fit(points[:, None], row).predict(x[:, None]) for row in targets])

    a = simulate_bias_variance(fit, cubic_target, POINTS, X, 0.2, sets=20, seed=0)
    b = simulate_bias_variance(polynomial_fit(3), cubic_target, POINTS, X, 0.2, sets=20, seed=0)
    np.testing.assert_allclose(a.mean, b.mean, atol=1e-10)
    np.testing.assert_allclose(a.variance, b.variance, atol=1e-10)
    with pytest.raises(ValueError, match="sets = 1"):
        simulate_bias_variance(polynomial_fit(3), cubic_target, POINTS, X, 0.2, sets=1)
    with pytest.raises(ValueError, match="rho is -1"):
        simulate_bias_variance(polynomial_fit(3), cubic_target, POINTS, X, -1)
