import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from markone.perceptron.theory import bayes, capacity, gibbs, hebb, max_stability
from markone.perceptron.theory.rule import label_correlation


def test_table_of_known_values():
    alpha = [0.5, 1, 2, 5]
    np.testing.assert_allclose(
        max_stability.stability(alpha), [1.256380, 0.786550, 0.454578, 0.196710], atol=6e-7
    )
    np.testing.assert_allclose(
        max_stability.support_vectors(alpha), [0.411977, 0.623723, 0.817126, 0.956082], atol=6e-7
    )


@pytest.mark.parametrize(("alpha", "noise"), [(40, "0"), (1.5, "0.1")])
def test_both_equations_to_twenty_five_digits(alpha, noise):
    """R = alpha c [kappa Phi(k) + sin phi(k)], 1 - R^2 = alpha int_(t<kappa) p(t) (kappa-t)^2."""
    args = alpha, float(noise)
    with mp.workdps(25):
        noise = mp.mpf(noise)
        c = mp.sqrt(2 / mp.pi) * (1 - 2 * noise)

        def equations(theta, kappa):
            s, cot = mp.sin(theta), mp.cot(theta)
            k = kappa / s

            def p(t):
                return 2 * mp.npdf(t) * (noise + (1 - 2 * noise) * mp.ncdf(t * cot))

            edges = [-14 * s, -5 * s, -s, kappa] if not noise else [-14, -5, -2, 0, kappa]
            return [
                alpha * c * (kappa * mp.ncdf(k) + s * mp.npdf(k)) - mp.cos(theta),
                alpha * mp.quad(lambda t: p(t) * (kappa - t) ** 2, edges) - s**2,
            ]

        start = (max_stability.generalization_error(*args) * np.pi, max_stability.stability(*args))
        theta, kappa = mp.findroot(equations, start, tol=1e-30, maxsteps=6, verify=False)
    assert max_stability.generalization_error(*args) == pytest.approx(float(theta / mp.pi), rel=1e-12)
    assert max_stability.stability(*args) == pytest.approx(float(kappa), rel=1e-12)


@pytest.mark.parametrize("noise", [1e-12, 1e-4, 0.03, 0.2, 0.45, 0.499999])
def test_threshold_is_that_of_candes_and_sur(noise):
    """1/alpha_c = min_t E (Z - t V)_+^2 with Z normal and V = S y, y normal."""

    y, weight = np.polynomial.legendre.leggauss(400)
    y, weight = 5 * (y + 1), 5 * weight

    def cost(t):
        mean = (1 - noise) * _square(-t * y) + noise * _square(t * y)
        return weight @ (2 * norm.pdf(y) * mean)

    if noise >= 1e-4:
        best = minimize_scalar(cost, bounds=(0, 50), method="bounded", options={"xatol": 1e-7})
        assert max_stability.alpha_c(noise) == pytest.approx(1 / best.fun, rel=1e-8)
    else:
        assert max_stability.alpha_c(noise) == pytest.approx(np.pi / np.cbrt(3 * np.pi * noise), rel=1e-6)


def _square(m):
    """E (Z + m)_+^2."""
    return (1 + m * m) * norm.cdf(m) + m * norm.pdf(m)


def test_threshold_limits():
    assert max_stability.alpha_c() == np.inf
    assert max_stability.alpha_c(0.2) == pytest.approx(2.391, abs=5e-4)
    assert max_stability.alpha_c(0.5 - 1e-9) == pytest.approx(2, rel=1e-12)
    noise = np.geomspace(1e-10, 0.49, 60)
    assert (np.diff(max_stability.alpha_c(noise)) < 0).all()
    with pytest.raises(ValueError, match="noise is"):
        max_stability.alpha_c(0.7)


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.4])
def test_stability_vanishes_at_the_threshold(noise):
    alpha_c = max_stability.alpha_c(noise)
    gap = np.array([1e-3, 1e-5, 1e-7])
    kappa = max_stability.stability(alpha_c * (1 - gap), noise)
    assert (kappa > 0).all()
    assert kappa[2] / gap[2] == pytest.approx(kappa[1] / gap[1], rel=1e-3)
    error = max_stability.generalization_error(alpha_c * (1 - 1e-10), noise)
    t = max_stability.threshold_tangent(np.array([noise]))[0]
    assert error == pytest.approx(np.arctan(t) / np.pi, rel=1e-8)
    assert max_stability.support_vectors(alpha_c * (1 - 1e-10), noise) == pytest.approx(1, rel=1e-8)
    beyond = alpha_c * np.array([1.0, 1.0001, 100])
    for function in (max_stability.overlap, max_stability.stability, max_stability.support_vectors):
        assert np.isnan(function(beyond, noise)).all()


def test_almost_random_labels_are_random_labels():
    alpha = np.array([0.1, 0.5, 1.0, 1.9])
    np.testing.assert_allclose(
        max_stability.stability(alpha, 0.5 - 1e-9), capacity.stability(alpha), rtol=1e-8
    )


def test_few_examples():
    alpha = 1e-6
    assert max_stability.stability(alpha) * np.sqrt(alpha) == pytest.approx(1, rel=1e-5)
    assert max_stability.generalization_error(alpha) == pytest.approx(
        hebb.generalization_error(alpha), rel=1e-6
    )
    assert max_stability.stability(0.0) == np.inf
    assert max_stability.support_vectors(0.0) == 0
    assert max_stability.generalization_error(0.0) == 0.5


def test_many_examples():
    assert max_stability.asymptotic_k() == pytest.approx(0.63883322, abs=5e-9)
    assert max_stability.asymptotic_constant() == pytest.approx(0.50048893, abs=5e-9)
    assert max_stability.asymptotic_stability() == pytest.approx(1.00445813, abs=5e-9)
    alpha = 1e6
    assert max_stability.generalization_error(alpha) * alpha == pytest.approx(
        max_stability.asymptotic_constant(), rel=1e-9
    )
    assert max_stability.stability(alpha) * alpha == pytest.approx(
        max_stability.asymptotic_stability(), rel=1e-9
    )
    assert max_stability.support_vectors(alpha) == pytest.approx(1, rel=1e-5)


def test_order_of_the_students():
    alpha = np.geomspace(0.01, 100, 40)
    error = max_stability.generalization_error(alpha)
    assert (bayes.generalization_error(alpha) < error).all()
    assert (error < gibbs.generalization_error(alpha)).all()


def test_teachers_labels_are_stored_better_than_random_ones():
    alpha = np.linspace(0.05, 1.95, 30)
    assert (max_stability.stability(alpha) > capacity.stability(alpha)).all()
    assert (max_stability.support_vectors(alpha) <= np.minimum(alpha, 1)).all()
    noisy = [max_stability.stability(alpha, noise) for noise in (0.0, 0.05, 0.2, 0.45)]
    assert (np.diff(noisy, axis=0) < 0).all()


def test_closed_form_of_the_overlap():
    """(a): cot theta = alpha c G(k) is R = alpha c [kappa Phi(k) + sin phi(k)] again."""
    alpha, noise = np.array([0.3, 1.5]), 0.1
    R, kappa = max_stability.overlap(alpha, noise), max_stability.stability(alpha, noise)
    s = np.sqrt(1 - R**2)
    right = alpha * label_correlation(noise) * (kappa * norm.cdf(kappa / s) + s * norm.pdf(kappa / s))
    np.testing.assert_allclose(R, right, rtol=1e-12)
