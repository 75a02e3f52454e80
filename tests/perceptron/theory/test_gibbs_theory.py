import mpmath as mp
import numpy as np
import pytest
from scipy.stats import norm

from markone.perceptron.theory import bayes, gibbs


def condition(q, noise):
    """q/alpha = 2 (1-2 noise)^2 int Dt phi(g t)^2/H_noise(-g t), g^2 = q/(1-q)."""
    g = mp.sqrt(q / (1 - q))

    def f(t):
        return mp.npdf(t) * mp.npdf(g * t) ** 2 / (noise + (1 - 2 * noise) * mp.ncdf(g * t))

    return 2 * (1 - 2 * noise) ** 2 * mp.quad(f, [-12, -4, 0, 4, 12])


@pytest.mark.parametrize(("alpha", "noise"), [(2.0, 0.0), (3.0, 0.2)])
def test_overlap_to_twenty_five_digits(alpha, noise):
    with mp.workdps(25):
        start = mp.mpf(gibbs.overlap(alpha, noise))
        exact = mp.findroot(lambda q: alpha * condition(q, mp.mpf(noise)) - q, (start, start * (1 - 1e-4)))
    assert gibbs.overlap(alpha, noise) == pytest.approx(float(exact), rel=1e-13)


def test_equivalent_form_without_noise():
    """q/sqrt(1-q) = (alpha/pi) int Du exp(-q u^2/2)/H(sqrt(q) u)."""
    alpha = 1.7
    q = gibbs.overlap(alpha)
    with mp.workdps(20):

        def f(u):
            return mp.npdf(u) * mp.exp(-q * u * u / 2) / mp.ncdf(-mp.sqrt(q) * u)

        right = alpha / mp.pi * mp.quad(f, [-12, 0, 12])
    assert q / np.sqrt(1 - q) == pytest.approx(float(right), rel=1e-13)


def test_bayes_overlap_squared_is_gibbs():
    alpha = np.geomspace(1e-8, 1e8, 60)
    for noise in (0.0, 1e-9, 0.1, 0.49):
        np.testing.assert_allclose(
            bayes.overlap(alpha, noise) ** 2, gibbs.overlap(alpha, noise), rtol=1e-13, atol=1e-300
        )


def test_iteration_of_the_fixed_point_leads_to_the_root():
    alpha, noise, q = 1.2, 0.05, 0.5
    t = np.linspace(-10, 10, 2001)
    for _ in range(80):
        u = np.sqrt(q / (1 - q)) * t
        f = norm.pdf(t) * norm.pdf(u) ** 2 / (noise + (1 - 2 * noise) * norm.cdf(u))
        q = (q + 2 * alpha * (1 - 2 * noise) ** 2 * np.trapezoid(f, t)) / 2
    assert gibbs.overlap(alpha, noise) == pytest.approx(q, rel=1e-12)


def test_few_examples():
    for noise in (0.0, 0.3):
        c2 = 2 / np.pi * (1 - 2 * noise) ** 2
        assert gibbs.overlap(1e-9, noise) == pytest.approx(1e-9 * c2, rel=1e-6)
    assert gibbs.overlap(0.0) == 0


@pytest.mark.parametrize("noise", [0.0, 1e-6, 0.1, 0.4])
def test_many_examples(noise):
    for student in (gibbs, bayes):
        # The correction is of relative order 1/alpha^2, times what the noise adds to the error.
        scaled = student.generalization_error(1e7, noise) * 1e7
        assert scaled == pytest.approx(student.asymptotic_constant(noise), rel=1e-8)


def test_known_constants():
    assert bayes.asymptotic_constant() == pytest.approx(0.44170004, abs=5e-9)
    assert gibbs.asymptotic_constant() == pytest.approx(0.62465819, abs=5e-9)
    with mp.workdps(25):
        integral = mp.quad(
            lambda u: mp.npdf(u) ** 2 / (mp.mpf("0.2") + mp.mpf("0.6") * mp.ncdf(u)), [-15, 0, 15]
        )
        exact = 1 / (mp.sqrt(2 * mp.pi) * mp.mpf("0.36") * integral)
    assert bayes.asymptotic_constant(0.2) == pytest.approx(float(exact), rel=1e-13)


def test_quadrature_is_converged(monkeypatch):
    alpha = np.geomspace(1e-3, 1e5, 30)
    before = [gibbs.generalization_error(alpha, noise) for noise in (0.0, 1e-12, 1e-4, 0.2)]
    monkeypatch.setattr(gibbs, "NODES", 400)
    after = [gibbs.generalization_error(alpha, noise) for noise in (0.0, 1e-12, 1e-4, 0.2)]
    np.testing.assert_allclose(after, before, rtol=1e-12)
