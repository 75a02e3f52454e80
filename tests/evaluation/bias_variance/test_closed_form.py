import numpy as np
import pytest

from markone.evaluation.bias_variance.decomposition import (
    bias_variance,
    expected_errors,
    integrated_bias_variance,
    smoother_weights,
)

POINTS = np.linspace(-1, 1, 11)


def cube(x):
    return x**3


def test_fit_is_numpys_polyfit():
    rng = np.random.default_rng(0)
    y, x = rng.standard_normal(11), np.linspace(-1.2, 1.3, 7)
    for degree in (0, 1, 3, 7, 10):
        fit = np.polynomial.Polynomial.fit(POINTS, y, degree)(x)
        np.testing.assert_allclose(smoother_weights(POINTS, x, degree) @ y, fit, rtol=1e-8, atol=1e-8)


def test_polynomials_within_reach_have_no_bias():
    x = np.linspace(-1, 1, 9)
    for degree in (3, 7, 10):
        assert bias_variance(cube, POINTS, x, degree, 0.3).bias2 == pytest.approx(0, abs=1e-24)
    assert bias_variance(cube, POINTS, x, 1, 0.3).bias2.max() > 0.01


def test_straight_line_by_hand():
    """Degree 1 on symmetric points: <f_H> = x sum x f/sum x^2, variance rho^2 (1/P + x^2/sum x^2)."""
    x, rho = np.array([-0.5, 0.2, 1.0]), 0.4
    result = bias_variance(cube, POINTS, x, 1, rho)
    slope = (POINTS**4).sum() / (POINTS**2).sum()
    np.testing.assert_allclose(result.mean, slope * x, rtol=1e-13)
    np.testing.assert_allclose(result.bias2, (x**3 - slope * x) ** 2, rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(result.variance, rho**2 * (1 / 11 + x**2 / (POINTS**2).sum()), rtol=1e-13)
    np.testing.assert_allclose(result.error, result.bias2 + result.variance)


def test_variance_at_the_points_averages_to_the_share_of_parameters():
    for degree in range(11):
        variance = bias_variance(cube, POINTS, POINTS, degree, 0.7).variance
        assert variance.mean() == pytest.approx(0.49 * (degree + 1) / 11, rel=1e-12)


def test_interpolation_needs_degree_P_minus_one():
    np.testing.assert_allclose(smoother_weights(POINTS, POINTS, 10), np.eye(11), atol=1e-12)
    assert expected_errors(np.sin, POINTS, 10, 0.5).training == pytest.approx(0, abs=1e-13)
    with pytest.raises(ValueError, match="The degree is 11 but there are 11 distinct points"):
        smoother_weights(POINTS, POINTS, 11)
    with pytest.raises(ValueError, match="1 distinct points"):
        smoother_weights([0.3, 0.3], [0.1], 1)
    with pytest.raises(ValueError, match="rho is -1"):
        bias_variance(cube, POINTS, POINTS, 1, -1)


def test_one_point_and_shifted_scales():
    assert smoother_weights([2.0], [5.0, 7.0], 0).tolist() == [[1.0], [1.0]]
    far = bias_variance(lambda x: (x - 1000) ** 3, 1000 + POINTS, 1000 + POINTS, 1, 0.2)
    near = bias_variance(cube, POINTS, POINTS, 1, 0.2)
    np.testing.assert_allclose(far.bias2, near.bias2, atol=1e-9)
    np.testing.assert_allclose(far.variance, near.variance, rtol=1e-9)


def test_integrals_trade_bias_for_variance():
    pairs = np.array([integrated_bias_variance(cube, POINTS, degree, 0.3) for degree in range(11)])
    assert (np.diff(pairs[:, 0]) <= 1e-15).all()
    assert (np.diff(pairs[:, 1]) > 0).all()
    x = np.linspace(-1, 1, 200001)
    result = bias_variance(cube, POINTS, x, 1, 0.3)
    np.testing.assert_allclose(
        pairs[1], [np.trapezoid(v, x) / 2 for v in (result.bias2, result.variance)], rtol=1e-8
    )


def test_simulation_of_noisy_targets():
    rng, rho, samples = np.random.default_rng(1), 0.5, 40_000
    x = np.linspace(-0.9, 0.9, 5)
    noisy = cube(POINTS) + rho * rng.standard_normal((samples, 11))
    weights = smoother_weights(POINTS, x, 2)
    fits, result = noisy @ weights.T, bias_variance(cube, POINTS, x, 2, rho)
    error = np.sqrt(result.variance / samples)
    assert (np.abs(fits.mean(0) - result.mean) < 4 * error).all()
    np.testing.assert_allclose(fits.var(0), result.variance, rtol=4 * np.sqrt(2 / samples))
    residual = ((noisy - noisy @ smoother_weights(POINTS, POINTS, 2).T) ** 2).mean(1)
    fresh = (
        (
            cube(POINTS)
            + rho * rng.standard_normal((samples, 11))
            - noisy @ smoother_weights(POINTS, POINTS, 2).T
        )
        ** 2
    ).mean(1)
    expected = expected_errors(cube, POINTS, 2, rho)
    for measured, theory in ((residual, expected.training), (fresh, expected.fresh)):
        assert abs(measured.mean() - theory) < 4 * measured.std() / np.sqrt(samples)
