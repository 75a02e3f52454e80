import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad

from markone.numerics.gaussian import G
from markone.perceptron.theory import hebb, max_stability, rule
from markone.perceptron.theory import squared_hinge as squared

ALPHA = np.geomspace(1e-3, 1e3, 25)


def test_small_gamma_is_hebb():
    for noise in (0.0, 0.2):
        error = squared.generalization_error(ALPHA, noise, gamma=1e-10)
        np.testing.assert_allclose(error, hebb.generalization_error(ALPHA, noise), rtol=1e-6)


def test_large_gamma_is_optimal_stability():
    for noise, alpha in ((0.0, ALPHA[ALPHA < 50]), (0.2, ALPHA[ALPHA < 2.3])):
        best = max_stability.generalization_error(alpha, noise)
        np.testing.assert_allclose(squared.generalization_error(alpha, noise, gamma=1e9), best, rtol=1e-5)
        np.testing.assert_array_equal(squared.generalization_error(alpha, noise, gamma=np.inf), best)
        np.testing.assert_allclose(
            squared.support_vectors(alpha, noise, gamma=np.inf), max_stability.support_vectors(alpha, noise)
        )
        assert (squared.training_error(alpha, noise, gamma=np.inf) == 0).all()


def test_the_three_equations_to_twenty_five_digits():
    alpha, noise, gamma = 3, mp.mpf(1) / 8, 2
    student = squared.solve(*(np.array([float(v)]) for v in (alpha, noise, gamma)))
    cot, kappa, V = (mp.mpf(float(v[0])) for v in student)
    rho = V / (1 + V)
    with mp.workdps(25):
        s = 1 / mp.sqrt(1 + cot**2)

        def p(t):
            return 2 * mp.npdf(t) * (noise + (1 - 2 * noise) * mp.ncdf(t * cot))

        edges = [-14, -5, -2, 0, kappa]
        raised = mp.quad(lambda z: mp.npdf(z) * (kappa - z * s), [-14, -3, kappa / s])
        first = alpha * mp.sqrt(2 / mp.pi) * (1 - 2 * noise) * rho * raised / (cot * s)
        second = alpha * rho**2 * mp.quad(lambda t: p(t) * (kappa - t) ** 2, edges) / s**2
        x = 1 - alpha * rho * mp.quad(p, edges)
    np.testing.assert_allclose([float(first), float(second)], 1, rtol=2e-12)
    assert float(rho) == pytest.approx(float(gamma * x / (1 + gamma * x)), rel=2e-12)


def test_every_point_of_a_wide_range_is_solved():
    """The three equations with integrals over the field before learning."""
    rng = np.random.default_rng(1)
    alpha, gamma = 10 ** rng.uniform(-5, 5, 2000), 10 ** rng.uniform(-6, 8, 2000)
    noise = rng.choice([0, 1e-6, 1e-3, 0.05, 0.2, 0.45, 0.499], 2000)
    alpha[:3], noise[:3], gamma[:3] = [2.5, 4.0, 30.0], 0.2, np.inf
    cot, kappa, V = squared.solve(alpha, noise, gamma)
    rho, u = V / (1 + V), kappa * np.hypot(1, cot)
    mass, second = rule.field_moments(np.full(2000, -np.inf), kappa, cot, noise)
    np.testing.assert_allclose(alpha * rule.label_correlation(noise) * rho * G(u), cot, rtol=1e-9)
    np.testing.assert_allclose(alpha * rho**2 * second * (1 + cot**2), 1, rtol=1e-9)
    np.testing.assert_allclose(V / gamma, 1 - alpha * rho * mass, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("noise", [1e-3, 0.1, 0.4])
def test_error_is_continuous_at_the_threshold(noise):
    alpha_c = max_stability.alpha_c(noise)
    above = squared.generalization_error(alpha_c * (1 + np.array([1e-9, 1e-7])), noise, gamma=np.inf)
    edge = np.arctan(max_stability.threshold_tangent(np.array([noise]))[0]) / np.pi
    assert (above < edge).all()
    assert edge == pytest.approx(above[0], rel=1e-4)
    finite = squared.generalization_error(alpha_c * np.array([1 - 1e-6, 1, 1 + 1e-6]), noise, gamma=1e5)
    np.testing.assert_allclose(finite, finite[1], rtol=1e-4)
    assert (np.diff(finite) < 0).all()


def test_training_error_is_the_weight_of_negative_potentials():
    alpha, noise, gamma = 3.0, 0.1, 1.0
    student = squared.solve(*(np.array([v]) for v in (alpha, noise, gamma)))
    kappa, theta = student.kappa[0], np.arctan2(1, student.cot[0])
    # E = a + V (1 - a)_+/(1 + V) is negative for a < -V, a = t/kappa.
    weight = quad(rule.field_density, -12, -kappa * student.V[0], (theta, noise), epsabs=1e-13)[0]
    assert squared.training_error(alpha, noise) == pytest.approx(weight, abs=1e-11)


def test_nothing_learned_from_nothing():
    assert squared.generalization_error(0.0) == 0.5
    assert squared.norm(0.0) == squared.training_error(0.0) == squared.support_vectors(0.0) == 0


@pytest.mark.parametrize("noise", [0.05, 0.2])
def test_many_examples(noise):
    alpha = np.array([1e5, 1e6])
    for gamma in (1.0, np.inf):
        scaled = squared.generalization_error(alpha, noise, gamma=gamma) * np.sqrt(alpha)
        length = squared.norm(alpha, noise, gamma=gamma)
        # What is missing falls like 1/alpha.
        for at_1e5, at_1e6 in (
            scaled / squared.asymptotic_constant(noise),
            length * squared.asymptotic_stability(noise),
        ):
            assert at_1e6 == pytest.approx(1, rel=1e-4)
            assert (at_1e5 - 1) / (at_1e6 - 1) == pytest.approx(10, rel=0.02)
    assert squared.asymptotic_constant(0.0) == squared.asymptotic_stability(0.0) == 0
