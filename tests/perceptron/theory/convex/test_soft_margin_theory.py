import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf

from markone.numerics.gaussian import G
from markone.perceptron.theory import adaline, hebb, max_stability, rule, soft_margin

ALPHA = np.geomspace(1e-3, 1e3, 25)


def line(*values):
    return [np.array([float(v)]) for v in values]


def test_small_gamma_is_hebb():
    for noise in (0.0, 0.2):
        error = soft_margin.generalization_error(ALPHA, noise, gamma=1e-5)
        np.testing.assert_allclose(error, hebb.generalization_error(ALPHA, noise), rtol=1e-12)
    # Every example is clipped: w = gamma times Hebb's vector.
    np.testing.assert_allclose(soft_margin.clipped_support_vectors(ALPHA, gamma=1e-5), ALPHA, rtol=1e-12)
    c = rule.label_correlation(0.0)
    hebb_norm = np.sqrt(ALPHA + c**2 * ALPHA**2)
    np.testing.assert_allclose(soft_margin.norm(ALPHA, gamma=1e-5), 1e-5 * hebb_norm, rtol=1e-11)


def test_large_gamma_is_optimal_stability():
    for noise, alpha in ((0.0, ALPHA[ALPHA < 50]), (0.2, ALPHA[ALPHA < 2.3])):
        for gamma in (1e7, np.inf):
            np.testing.assert_allclose(
                soft_margin.generalization_error(alpha, noise, gamma=gamma),
                max_stability.generalization_error(alpha, noise),
                rtol=1e-10,
            )
            np.testing.assert_allclose(
                soft_margin.stability(alpha, noise, gamma=gamma),
                max_stability.stability(alpha, noise),
                rtol=1e-10,
            )
        np.testing.assert_allclose(
            soft_margin.free_support_vectors(alpha, noise, gamma=np.inf),
            max_stability.support_vectors(alpha, noise),
            rtol=1e-12,
        )
        assert (soft_margin.training_error(alpha, noise, gamma=np.inf) == 0).all()
        assert (soft_margin.clipped_support_vectors(alpha, noise, gamma=np.inf) == 0).all()


def test_no_weight_decay_beyond_the_threshold():
    """gamma = infinity is reached continuously from large gamma."""
    alpha = np.array([2.4, 3.0, 10.0, 100.0])
    limit = soft_margin.solve(alpha, np.full(4, 0.2), np.full(4, np.inf))
    close = soft_margin.solve(alpha, np.full(4, 0.2), np.full(4, 1e9))
    np.testing.assert_allclose(close.cot, limit.cot, rtol=1e-5)
    assert np.isfinite(limit.V).all()
    np.testing.assert_allclose(soft_margin.free_support_vectors(alpha, 0.2, gamma=np.inf), 1, rtol=1e-12)


@pytest.mark.parametrize("noise", [1e-3, 0.1, 0.4])
def test_error_is_continuous_at_the_threshold(noise):
    alpha_c = max_stability.alpha_c(noise)
    above = soft_margin.generalization_error(alpha_c * (1 + 1e-5), noise, gamma=np.inf)
    below = soft_margin.generalization_error(alpha_c * (1 - 1e-5), noise, gamma=np.inf)
    assert 0 < below / above - 1 < 1e-3
    finite = soft_margin.generalization_error(alpha_c * np.array([1 - 1e-6, 1, 1 + 1e-6]), noise, gamma=1e5)
    np.testing.assert_allclose(finite, finite[1], rtol=1e-4)


@pytest.mark.parametrize(("alpha", "noise", "gamma"), [(2, 0.1, 1.0), (0.7, 0.0, 3.0), (6, 0.2, np.inf)])
def test_the_three_equations_to_twenty_five_digits(alpha, noise, gamma):
    student = soft_margin.solve(*line(alpha, noise, gamma))
    cot, kappa, V = (mp.mpf(float(v[0])) for v in student)
    b, x = kappa * V, V / gamma if np.isfinite(gamma) else 0
    with mp.workdps(25):
        s = 1 / mp.sqrt(1 + cot**2)

        def p(t):
            return 2 * mp.npdf(t) * (noise + (1 - 2 * mp.mpf(noise)) * mp.ncdf(t * cot))

        strip, tail = [kappa - b, kappa - b / 2, kappa], [-14, -6, -3, kappa - b]
        raised = mp.quad(lambda z: mp.npdf(z) * (kappa - z * s), [(kappa - b) / s, kappa / s])
        raised += b * mp.ncdf((kappa - b) / s)
        first = alpha * mp.sqrt(2 / mp.pi) * (1 - 2 * mp.mpf(noise)) * raised / (cot * s)
        second = alpha * (mp.quad(lambda t: p(t) * (kappa - t) ** 2, strip) + b**2 * mp.quad(p, tail)) / s**2
        third = x + alpha * mp.quad(p, strip)
    np.testing.assert_allclose([float(v) for v in (first, second, third)], 1, rtol=2e-12)


def test_every_point_of_a_wide_range_is_solved():
    """The three equations with integrals over the field before learning."""
    rng = np.random.default_rng(1)
    alpha, gamma = 10 ** rng.uniform(-5, 5, 500), 10 ** rng.uniform(-6, 8, 500)
    noise = rng.choice([0, 1e-6, 1e-3, 0.05, 0.2, 0.45, 0.499], 500)
    cot, kappa, V = soft_margin.solve(alpha, noise, gamma)
    u, low = kappa * np.hypot(1, cot), kappa * (1 - V)
    v = u * (1 - V)
    # G(u) - G(v) without the difference of large numbers.
    raised = np.where(v > 0, u * V + G(-u) - G(-v), G(u) - G(v))
    free, second = rule.field_moments(low, kappa, cot, noise)
    second += (V * kappa) ** 2 * rule.probability_below(low, cot, noise)
    np.testing.assert_allclose(alpha * rule.label_correlation(noise) * raised, cot, rtol=1e-8)
    np.testing.assert_allclose(alpha * second * (1 + cot**2), 1, rtol=1e-9)
    np.testing.assert_allclose(V / gamma, 1 - alpha * free, rtol=1e-7, atol=1e-9)


def test_training_error_is_the_weight_of_negative_potentials():
    alpha, noise, gamma = 3.0, 0.1, 1.0
    student = soft_margin.solve(*line(alpha, noise, gamma))
    theta = np.arctan2(1, student.cot[0])
    b, kappa = student.kappa[0] * student.V[0], student.kappa[0]

    def weight(low, high):
        return quad(rule.field_density, low, high, (theta, noise), epsabs=1e-13)[0]

    assert soft_margin.training_error(alpha, noise, gamma=gamma) == pytest.approx(weight(-12, -b), abs=1e-11)
    clipped, free = weight(-12, kappa - b), weight(kappa - b, kappa)
    assert soft_margin.clipped_support_vectors(alpha, noise) == pytest.approx(alpha * clipped, abs=1e-11)
    assert soft_margin.free_support_vectors(alpha, noise) == pytest.approx(alpha * free, abs=1e-11)
    assert soft_margin.training_error(alpha, noise) < soft_margin.generalization_error(alpha, noise) + noise


def test_counts_are_possible():
    for noise in (0.0, 0.3):
        free = soft_margin.free_support_vectors(ALPHA, noise, gamma=2.0)
        clipped = soft_margin.clipped_support_vectors(ALPHA, noise, gamma=2.0)
        assert ((free >= 0) & (free <= 1)).all()
        assert ((clipped >= 0) & (free + clipped <= ALPHA * (1 + 1e-12))).all()


def test_nothing_learned_from_nothing():
    assert soft_margin.generalization_error(0.0) == 0.5
    assert soft_margin.stability(0.0) == np.inf
    assert soft_margin.norm(0.0) == 0
    assert soft_margin.training_error(0.0) == 0
    assert soft_margin.free_support_vectors(0.0) == soft_margin.clipped_support_vectors(0.0) == 0


@pytest.mark.parametrize("noise", [0.02, 0.1, 0.3])
def test_many_examples(noise):
    kappa = soft_margin.asymptotic_stability(noise)
    # Stationarity of the mean hinge: <t Theta(kappa - t)> = 0, t = +-|normal|.
    assert (1 - noise) * np.exp(-(kappa**2) / 2) == pytest.approx(1 - 2 * noise, rel=1e-12)
    below = noise + (1 - noise) * erf(kappa / np.sqrt(2))
    alpha = np.array([1e5, 1e6])
    for gamma in (1.0, np.inf):
        claims = [
            soft_margin.generalization_error(alpha, noise, gamma=gamma)
            * np.sqrt(alpha)
            / soft_margin.asymptotic_constant(noise),
            soft_margin.stability(alpha, noise, gamma=gamma) / kappa,
            soft_margin.clipped_support_vectors(alpha, noise, gamma=gamma) / (alpha * below),
        ]
        # What is missing falls like 1/alpha.
        for at_1e5, at_1e6 in claims:
            assert at_1e6 == pytest.approx(1, rel=3e-4)
            assert (at_1e5 - 1) / (at_1e6 - 1) == pytest.approx(10, rel=0.02)


def test_many_examples_without_noise():
    assert soft_margin.asymptotic_constant(0.0) == 0
    alpha = np.array([1e5, 1e6])
    error, length = soft_margin.generalization_error(alpha), soft_margin.norm(alpha)
    assert np.log10(error[0] / error[1]) == pytest.approx(2 / 3, abs=0.01)
    assert np.log10(length[1] / length[0]) == pytest.approx(1 / 3, abs=0.01)


def test_gamma_helps_against_noise():
    """With label noise some finite gamma beats optimal stability; without, Adaline's peak is absent."""
    assert soft_margin.generalization_error(2.0, 0.2) < max_stability.generalization_error(2.0, 0.2)
    assert soft_margin.generalization_error(1.0) < adaline.generalization_error(1.0)
