"""Parallel steps of a Hebbian network: limits, and the network itself."""

import mpmath as mp
import numpy as np
import pytest
from scipy.special import erf

from markone.hopfield.theory import dynamics


def test_bit_error():
    with mp.workdps(25):
        for alpha in (0.01, 0.138, 1.0):
            exact = mp.erfc(1 / mp.sqrt(2 * mp.mpf(str(alpha)))) / 2
            assert dynamics.bit_error(alpha) == pytest.approx(float(exact), rel=1e-12)
    assert dynamics.bit_error(0.0) == 0
    assert dynamics.bit_error(1e12) == pytest.approx(0.5, abs=1e-6)


def test_one_step_from_the_pattern_makes_the_bit_errors():
    alpha = np.array([0.05, 0.138, 0.7])
    assert 1 - dynamics.one_step(1.0, alpha) == pytest.approx(2 * dynamics.bit_error(alpha), rel=1e-9)


@pytest.mark.parametrize("steps", [dynamics.one_step, dynamics.two_steps])
def test_steps_are_odd_bounded_and_complete_without_load(steps):
    m, alpha = np.linspace(-1, 1, 41)[:, None], np.array([1e-3, 0.1, 0.5, 3.0])
    new = steps(m, alpha)
    assert new.shape == (41, 4)
    assert new == pytest.approx(-new[::-1], abs=1e-15)
    assert np.all(np.abs(new) <= 1)
    assert list(steps([-0.3, 0.0, 0.3], 0.0)) == [-1, 0, 1]
    assert isinstance(steps(0.3, 0.1), float)
    with pytest.raises(ValueError, match=r"m0 must lie between -1 and 1, but 1\.2 was given"):
        steps(1.2, 0.1)
    with pytest.raises(ValueError, match="alpha must be at least 0"):
        steps(0.2, -1.0)


def test_two_steps_against_the_formula_at_25_digits():
    with mp.workdps(25):
        for m0, alpha in ((0.2, 0.1), (0.9, 0.138), (0.5, 1.5)):
            m, a = mp.mpf(str(m0)), mp.mpf(str(alpha))
            m1 = mp.erf(m / mp.sqrt(2 * a))
            U = 2 * mp.npdf(m / mp.sqrt(a)) / mp.sqrt(a)
            sigma = mp.sqrt(a * (1 + U**2 + 2 * U * m * m1))
            m2 = sum((1 + s * m) / 2 * mp.erf((m1 + s * a * U) / (mp.sqrt(2) * sigma)) for s in (1, -1))
            assert dynamics.two_steps(m0, alpha) == pytest.approx(float(m2), rel=1e-12)


def test_patterns_without_errors():
    assert dynamics.patterns_without_errors(1000) == pytest.approx(1000 / (2 * np.log(1000)))
    assert dynamics.patterns_without_errors(1000, all_patterns=True) == pytest.approx(
        1000 / (4 * np.log(1000))
    )
    with pytest.raises(ValueError, match="N must be at least 2"):
        dynamics.patterns_without_errors(1)


def network(N, alpha, m0, rng):
    """m1 and m2, averaged over all P patterns of one network with w_ii = 0."""
    P = round(alpha * N)
    xi = rng.choice([-1.0, 1.0], (P, N))

    def step(s):  # one row of s per pattern
        return np.where((s @ xi.T) @ xi - P * s >= 0, 1.0, -1.0)

    # exactly (1 + m0)/2 of the bits are right, at random places
    flips = np.argsort(rng.random((P, N)), axis=1) < round(N * (1 - m0) / 2)
    s1 = step(np.where(flips, -xi, xi))
    return np.mean(s1 * xi), np.mean(step(s1) * xi)


@pytest.mark.slow
@pytest.mark.parametrize(("m0", "alpha"), [(0.4, 0.1), (0.2, 0.2), (1.0, 0.3)])
def test_simulated_steps(m0, alpha):
    rng = np.random.default_rng(8)
    # The P recalls in one network depend on each other, so errors come from networks; linear in 1/N.
    small = np.array([network(500, alpha, m0, rng) for _ in range(120)])
    large = np.array([network(1000, alpha, m0, rng) for _ in range(40)])
    mean = 2 * large.mean(axis=0) - small.mean(axis=0)
    error = np.sqrt(4 * large.var(axis=0, ddof=1) / 40 + small.var(axis=0, ddof=1) / 120)
    theory = np.array([dynamics.one_step(m0, alpha), dynamics.two_steps(m0, alpha)])
    assert np.all(np.abs(mean - theory) < 4 * error)
    assert np.all(error < 2.5e-3)
    if m0 == 0.2:
        # The test can tell: without the reaction term the second step is refuted.
        U = 2 * np.exp(-(m0**2) / (2 * alpha)) / np.sqrt(2 * np.pi * alpha)
        sigma = np.sqrt(alpha * (1 + U * U + 2 * U * m0 * theory[0]))
        assert abs(mean[1] - erf(theory[0] / (np.sqrt(2) * sigma))) > 5 * error[1]
