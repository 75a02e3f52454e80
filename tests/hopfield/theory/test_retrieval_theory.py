"""Retrieval at T = 0: the known constants, the saddle point equations, the limits."""

import mpmath as mp
import numpy as np
import pytest

from markone.hopfield.theory import dynamics, retrieval


def test_constants_of_the_literature():
    assert retrieval.capacity() == pytest.approx(0.137905566, abs=5e-10)
    assert retrieval.critical_overlap() == pytest.approx(0.967417, abs=5e-7)
    assert retrieval.ground_state_capacity() == pytest.approx(0.051854, abs=5e-7)


def test_the_capacity_at_25_digits():
    with mp.workdps(25):

        def load(y):
            return (mp.erf(y) / y - 2 / mp.sqrt(mp.pi) * mp.exp(-y * y)) ** 2 / 2

        y = mp.findroot(lambda y: mp.diff(load, y), 1.5)
        assert retrieval.capacity() == pytest.approx(float(load(y)), rel=1e-13)
        assert retrieval.critical_overlap() == pytest.approx(float(mp.erf(y)), rel=1e-12)


def test_the_three_saddle_point_equations():
    """m = erf(m/sqrt(2 alpha r)), C = sqrt(2/(pi alpha r)) exp(-m^2/(2 alpha r)), r = 1/(1-C)^2."""
    alpha = np.array([1e-3, 0.02, 0.1, 0.137])
    m = retrieval.overlap(alpha)
    r = (0.5 * alpha - 0.5 * m**2 - retrieval.energy(alpha)) * 2 / alpha  # from E/N = -m^2/2 + alpha (1-r)/2
    C = np.sqrt(2 / (np.pi * alpha * r)) * np.exp(-(m**2) / (2 * alpha * r))
    assert r == pytest.approx(1 / (1 - C) ** 2, rel=1e-9)
    with mp.workdps(25):
        assert m == pytest.approx(
            [float(mp.erf(a / mp.sqrt(2 * b))) for a, b in zip(m, alpha * r, strict=True)], rel=1e-12
        )


def test_overlap_falls_and_ends():
    alpha = np.linspace(0, 0.15, 400)
    m = retrieval.overlap(alpha)
    inside = alpha <= retrieval.capacity()
    assert m[0] == 1
    assert np.all(np.diff(m[inside]) <= 0)
    assert np.all(np.isnan(m[~inside]))
    assert retrieval.overlap(retrieval.capacity()) == pytest.approx(retrieval.critical_overlap(), abs=1e-7)
    assert np.isnan(retrieval.overlap(0.14))
    assert np.isnan(retrieval.overlap(np.nan))


def test_few_patterns_err_like_single_bits():
    alpha = np.array([0.02, 0.04])
    assert retrieval.error_fraction(alpha) == pytest.approx(dynamics.bit_error(alpha), rel=1e-3)
    assert retrieval.error_fraction(0.1) == pytest.approx((1 - retrieval.overlap(0.1)) / 2, rel=1e-10)


def test_energies():
    assert retrieval.energy(0.0) == -0.5
    assert retrieval.spin_glass_energy(0.0) == pytest.approx(-1 / np.pi)
    border = retrieval.ground_state_capacity()
    assert retrieval.energy(border - 1e-4) < retrieval.spin_glass_energy(border - 1e-4)
    assert retrieval.energy(border + 1e-4) > retrieval.spin_glass_energy(border + 1e-4)
    with pytest.raises(ValueError, match=r"alpha must be at least 0, but -0\.1 was given"):
        retrieval.energy([0.1, -0.1])


@pytest.mark.slow
def test_a_network_started_at_a_pattern_stays_near_it():
    """The end of the zero-temperature dynamics is a local minimum near the replica-symmetric state."""
    rng = np.random.default_rng(3)
    N, alpha = 1500, 0.1
    wrong = []
    for _ in range(3):
        xi = rng.choice([-1.0, 1.0], (round(alpha * N), N))
        w = xi.T @ xi / N
        np.fill_diagonal(w, 0)
        for mu in range(3):
            s = xi[mu].copy()
            field = w @ s
            for _ in range(40):
                unstable = np.flatnonzero(s * field < 0)
                for i in unstable:
                    if s[i] * field[i] < 0:
                        s[i] *= -1
                        field += 2 * s[i] * w[i]
                if unstable.size == 0:
                    break
            assert unstable.size == 0
            wrong.append(np.mean(s != xi[mu]))
    assert np.mean(wrong) == pytest.approx(retrieval.error_fraction(alpha), abs=4 * np.std(wrong) / 3)
