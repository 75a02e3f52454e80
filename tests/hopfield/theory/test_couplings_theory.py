"""Trained couplings: stabilities, the first step, and both against real couplings."""

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import nnls
from scipy.special import erf

from markone.hopfield.theory import couplings, dynamics


def test_optimal_stability():
    """Values of the reference, the equation at 25 digits, both ends."""
    assert couplings.optimal_stability([0.5, 1.0]) == pytest.approx([1.034314, 0.470655], abs=5e-7)
    with mp.workdps(25):
        for alpha in (1e-4, 0.1, 0.7, 1.3, 1.999):
            k = mp.mpf(float(couplings.optimal_stability(alpha)))
            assert float(1 / ((1 + k * k) * mp.ncdf(k) + k * mp.npdf(k))) == pytest.approx(alpha, rel=1e-12)
    assert couplings.optimal_stability(2.0) == pytest.approx(0, abs=1e-15)
    assert couplings.optimal_stability(1.999) == pytest.approx(0.313329e-3, rel=1e-3)
    assert couplings.optimal_stability(1e-8) == pytest.approx(1e4, rel=1e-3)
    assert np.isnan(couplings.optimal_stability(2.001))
    assert np.isinf(couplings.optimal_stability(0.0))


def test_pseudo_inverse_stability():
    assert couplings.pseudo_inverse_stability(0.5) == 1
    assert couplings.pseudo_inverse_stability(1.0) == 0
    assert np.isnan(couplings.pseudo_inverse_stability(1.01))
    assert couplings.pseudo_inverse_capacity() == 1
    assert couplings.optimal_capacity() == 2
    alpha = np.linspace(0.05, 0.95, 19)
    assert np.all(couplings.optimal_stability(alpha) > couplings.pseudo_inverse_stability(alpha))


def test_the_first_step_is_the_average_over_the_stabilities():
    for m0, alpha in ((0.1, 0.5), (0.6, 1.2), (-0.4, 1.9)):
        kappa = couplings.optimal_stability(alpha)
        slope = m0 / np.sqrt(2 * (1 - m0 * m0))
        weight = 0.5 * (1 + erf(kappa / np.sqrt(2)))

        def tail(k, slope=slope):
            return np.exp(-0.5 * k * k) / np.sqrt(2 * np.pi) * erf(slope * k)

        direct = weight * erf(slope * kappa) + quad(tail, kappa, 12, epsabs=1e-14, epsrel=1e-12)[0]
        assert couplings.optimal_first_step(m0, alpha) == pytest.approx(direct, rel=1e-10)


def test_hebbian_stabilities_give_the_hebbian_first_step():
    """P(k) = N(1/sqrt(alpha), 1)."""
    m0, alpha = 0.3, 0.2

    def integrand(k):
        return np.exp(-0.5 * (k - alpha**-0.5) ** 2) / np.sqrt(2 * np.pi) * couplings.first_step(m0, k)

    assert quad(integrand, -12, 16, epsabs=1e-13, points=[0])[0] == pytest.approx(
        dynamics.one_step(m0, alpha), rel=1e-10
    )


@pytest.mark.parametrize("step", [couplings.optimal_first_step, couplings.pseudo_inverse_first_step])
def test_limits_of_the_first_step(step):
    m = np.linspace(-1, 1, 21)
    new = step(m, 0.8)
    assert new == pytest.approx(-new[::-1], abs=1e-15)
    assert list(new[[0, 10, 20]]) == [-1, 0, 1]
    assert np.all(np.diff(new) > 0)
    assert list(step([-0.2, 0.0, 0.2], 0.0)) == [-1, 0, 1]
    assert np.isnan(step(0.5, 2.5))
    assert isinstance(step(0.5, 0.5), float)
    with pytest.raises(ValueError, match="m0 must lie between"):
        step(2.0, 0.5)


@pytest.mark.slow
def test_simulated_pseudo_inverse():
    rng = np.random.default_rng(4)
    alpha, m0 = 0.5, 0.3

    def network(N):
        xi = rng.choice([-1.0, 1.0], (round(alpha * N), N))
        w = xi.T @ np.linalg.solve(xi @ xi.T, xi)
        np.fill_diagonal(w, 0)
        flips = np.argsort(rng.random(xi.shape), axis=1) < round(N * (1 - m0) / 2)
        return np.mean(np.sign(np.where(flips, -xi, xi) @ w) * xi)

    values = [np.array([network(N) for _ in range(runs)]) for N, runs in ((200, 80), (400, 40))]
    mean = 2 * values[1].mean() - values[0].mean()
    error = np.sqrt(4 * values[1].var() / 40 + values[0].var() / 80)
    assert abs(mean - couplings.pseudo_inverse_first_step(m0, alpha)) < 4 * error
    assert error < 2e-3


@pytest.mark.slow
def test_simulated_optimal_stability():
    """One neuron of the network: its couplings are the exact maximiser (non-negative least squares)."""
    rng = np.random.default_rng(5)
    alpha, m0 = 1.0, 0.6

    def neuron(N):
        xi = rng.choice([-1.0, 1.0], (round(alpha * N), N))
        target = np.zeros(N + 1)
        target[-1] = 1
        x, _ = nnls(np.vstack([xi.T, np.ones(len(xi))]), target)
        w = xi.T @ x
        flips = np.argsort(rng.random((4, *xi.shape)), axis=2) < round(N * (1 - m0) / 2)
        return np.mean(np.sign(np.where(flips, -xi, xi) @ w))

    values = [np.array([neuron(N) for _ in range(runs)]) for N, runs in ((50, 3000), (100, 1500))]
    mean = 2 * values[1].mean() - values[0].mean()
    error = np.sqrt(4 * values[1].var() / 1500 + values[0].var() / 3000)
    assert abs(mean - couplings.optimal_first_step(m0, alpha)) < 4 * error
    assert error < 4e-3
