import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit

from markone import theory
from markone.perceptron.theory import hebb, logistic, max_stability, rule
from markone.perceptron.theory.engine import roots
from markone.perceptron.theory.engine import solve as engine

ALPHA = np.geomspace(1e-3, 1e3, 25)


def line(*values):
    return [np.array([float(v)]) for v in values]


def proximal(a, rho):
    """E with E - a = rho/(1 + exp(E))."""
    return brentq(lambda E: E - a - rho * expit(-E), a, a + rho, xtol=1e-14, rtol=1e-14)


@pytest.mark.parametrize(("alpha", "noise", "gamma"), [(2.0, 0.1, 1.0), (0.5, 0.0, 20.0), (4.0, 0.2, np.inf)])
def test_the_three_equations_integrated_over_t(alpha, noise, gamma):
    """The definition, with the prox by brentq: independent of the integration over E."""
    student = logistic.solve(*line(alpha, noise, gamma))
    cot, kappa, rho = student.cot[0], student.kappa[0], student.V[0]
    s, theta = 1 / np.hypot(1, cot), np.arctan2(1, cot)

    def delta(t):
        return kappa * (proximal(t / kappa, rho) - t / kappa)

    def response(t):
        E = proximal(t / kappa, rho)
        return 1 - 1 / (1 + rho * expit(E) * expit(-E))

    def mean(f):
        return quad(lambda t: rule.field_density(t, theta, noise) * f(t), -9, 9, epsabs=1e-12, limit=400)[0]

    def normal(z):
        return np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

    raised = quad(lambda z: normal(z) * delta(z * s), -9, 9, epsabs=1e-12, limit=400)[0]
    assert alpha * rule.label_correlation(noise) * raised == pytest.approx(cot * s, rel=1e-10)
    assert alpha * mean(lambda t: delta(t) ** 2) == pytest.approx(s**2, rel=1e-10)
    assert rho / gamma + alpha * mean(response) == pytest.approx(1, rel=1e-10)


@pytest.mark.parametrize("gamma", [1e-3, 1.0, 1e3, 1e6, np.inf])
def test_quadrature_is_converged(monkeypatch, gamma):
    alpha = np.geomspace(1e-4, 1e4, 17)
    before = [logistic.generalization_error(alpha, noise, gamma=gamma) for noise in (0.0, 1e-6, 0.1)]
    monkeypatch.setattr(roots, "NODES", 48)
    after = [logistic.generalization_error(alpha, noise, gamma=gamma) for noise in (0.0, 1e-6, 0.1)]
    np.testing.assert_allclose(after, before, rtol=1e-9)


def test_small_gamma_is_hebb():
    for noise in (0.0, 0.2):
        error = logistic.generalization_error(ALPHA, noise, gamma=1e-9)
        np.testing.assert_allclose(error, hebb.generalization_error(ALPHA, noise), rtol=1e-6)
    hebb_norm = np.sqrt(ALPHA + rule.label_correlation(0.0) ** 2 * ALPHA**2)
    np.testing.assert_allclose(logistic.norm(ALPHA, gamma=1e-9), 0.5e-9 * hebb_norm, rtol=1e-6)


def test_maximum_likelihood_where_the_data_are_separable():
    alpha = np.array([0.1, 1.0, 2.3])
    best = max_stability.generalization_error(alpha, 0.2)
    np.testing.assert_array_equal(logistic.generalization_error(alpha, 0.2, gamma=np.inf), best)
    assert (logistic.norm(alpha, 0.2, gamma=np.inf) == np.inf).all()
    assert (logistic.training_error(alpha, 0.2, gamma=np.inf) == 0).all()
    # |w| grows like ln(gamma), and the direction comes closer.
    gap = [np.abs(logistic.generalization_error(1.0, gamma=g) - max_stability.generalization_error(1.0))
           for g in (1e2, 1e4, 1e6)]  # fmt: skip
    assert gap[0] > gap[1] > gap[2]


def test_maximum_likelihood_beyond_the_threshold():
    alpha = np.array([2.5, 5.0, 50.0])
    limit = logistic.generalization_error(alpha, 0.2, gamma=np.inf)
    np.testing.assert_allclose(logistic.generalization_error(alpha, 0.2, gamma=1e6), limit, rtol=1e-3)
    threshold = max_stability.alpha_c(0.2)
    norms = logistic.norm(threshold * (1 + np.array([1e-1, 1e-2, 1e-3])), 0.2, gamma=np.inf)
    assert (np.diff(norms) > 0).all()
    edge = logistic.generalization_error(threshold * (1 + 1e-4), 0.2, gamma=np.inf)
    assert edge == pytest.approx(max_stability.generalization_error(threshold * (1 - 1e-6), 0.2), rel=0.01)


def test_every_point_of_a_wide_range_is_solved():
    rng = np.random.default_rng(2)
    alpha, gamma = 10 ** rng.uniform(-4, 4, 300), 10 ** rng.uniform(-6, 6, 300)
    noise = rng.choice([0, 1e-6, 1e-3, 0.05, 0.2, 0.45, 0.499], 300)
    error = logistic.generalization_error(alpha, noise, gamma=gamma)
    assert ((error > 0) & (error < 0.5)).all()


def test_continuation_finds_the_same_root():
    alpha, one = np.geomspace(0.01, 100, 6), np.ones(6)
    found = theory.solve(alpha, "logistic", {"gamma": 1e3}, noise=0.1)
    flat = (alpha, 0.1 * one, 0 * one, 1e-3 * one)
    equations = engine._set_up_equations("logistic", "sign", None, "gauss", False, (), flat)
    slow, _ = roots.continue_in_penalty(equations, np.zeros((3, 6)), flat)
    np.testing.assert_allclose(np.exp(slow.x[0]), found.m, rtol=1e-10)


def test_training_error_is_the_weight_of_negative_potentials():
    alpha, noise = 3.0, 0.1
    student = logistic.solve(*line(alpha, noise, 1.0))
    edge, theta = -student.kappa[0] * student.V[0] / 2, np.arctan2(1, student.cot[0])
    assert proximal(edge / student.kappa[0], student.V[0]) == pytest.approx(0, abs=1e-12)
    weight = quad(rule.field_density, -12, edge, (theta, noise), epsabs=1e-13)[0]
    assert logistic.training_error(alpha, noise) == pytest.approx(weight, abs=1e-11)
    assert logistic.training_error(0.0) == logistic.norm(0.0) == 0


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.4])
def test_many_examples(noise):
    alpha = np.array([1e5, 1e6])
    for gamma in (1.0, np.inf):
        scaled = logistic.generalization_error(alpha, noise, gamma=gamma) * np.sqrt(alpha)
        length = logistic.norm(alpha, noise, gamma=gamma)
        # What is missing falls like 1/alpha.
        for at_1e5, at_1e6 in (
            scaled / logistic.asymptotic_constant(noise),
            length / logistic.asymptotic_norm(noise),
        ):
            assert at_1e6 == pytest.approx(1, rel=1e-3)
            assert (at_1e5 - 1) / (at_1e6 - 1) == pytest.approx(10, rel=0.02)
    # The mean loss is stationary: <t s(t/kappa)> = 0.
    kappa = 1 / logistic.asymptotic_norm(noise)

    def slope(t):
        return t * expit(-t / kappa) * np.exp(-t * t / 2)

    right, left = (1 - noise) * quad(slope, 0, 12)[0], noise * quad(slope, -12, 0)[0]
    assert right == pytest.approx(-left, rel=1e-9)


def test_no_constant_without_noise():
    assert logistic.asymptotic_constant(0.0) == 0
    assert logistic.asymptotic_norm(0.0) == np.inf
