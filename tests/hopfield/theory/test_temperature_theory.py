"""Retrieval at T > 0: limits that are known otherwise, and an independent evaluation."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from markone.hopfield.theory import retrieval, temperature


def test_one_pattern_is_a_ferromagnet():
    for T in (0.2, 0.5, 0.9):
        m = temperature.overlap(0.0, T)
        assert m == pytest.approx(np.tanh(m / T), rel=1e-9)
    assert temperature.overlap(0.0, 1.2) == 0


def test_the_cold_limit_is_that_of_zero_temperature():
    assert temperature.overlap(0.1, 0.0) == retrieval.overlap(0.1)
    # m(T) - m(0) is of order T^2.
    cold = [retrieval.overlap(0.08) - temperature.overlap(0.08, T) for T in (0.01, 0.02)]
    assert cold[1] / cold[0] == pytest.approx(4, rel=0.1)


def test_the_equations_hold_by_another_quadrature():
    alpha, T = 0.06, 0.35
    m = temperature.overlap(alpha, T)
    _, q, r = temperature._retrieval_state(alpha, T)

    def average(f):
        return quad(lambda z: norm.pdf(z) * f(np.tanh((m + np.sqrt(alpha * r) * z) / T)), -9, 9)[0]

    assert average(lambda t: t) == pytest.approx(m, rel=1e-8)
    assert average(lambda t: t * t) == pytest.approx(q, rel=1e-8)
    assert r == pytest.approx(q / (1 - (1 - q) / T) ** 2, rel=1e-8)


def test_too_warm_or_too_full_there_is_no_retrieval():
    """Amit et al.: retrieval ends near T = 0.54 at alpha = 0.05 and near alpha = 0.138 at T = 0."""
    assert np.isfinite(temperature.overlap([0.05, 0.1], 0.2)).all()
    assert np.isnan(temperature.overlap(0.05, 0.6))
    assert np.isnan(temperature.overlap(0.15, 0.1))


@pytest.mark.parametrize(("alpha", "T"), [(-0.1, 0.5), (0.1, -0.5), (0.1, 0.001)])
def test_bad_arguments_are_refused(alpha, T):
    with pytest.raises(ValueError, match="T must be 0 or at least"):
        temperature.overlap(alpha, T)
