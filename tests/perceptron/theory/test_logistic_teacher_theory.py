"""Separability of a logistic teacher's labels: limits, an independent evaluation, simulation."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.special import expit, ndtr

from markone import separability
from markone.perceptron.theory.logistic_teacher import alpha_c
from markone.perceptron.theory.max_stability import alpha_c as alpha_c_of_flips


def plain(density, edges):
    """1/min_t E[(z - t u)_+^2] by scipy alone."""

    def square(u, t):
        a = t * u
        rest = (1 + a * a) * ndtr(-a) - a * np.exp(-a * a / 2) / np.sqrt(2 * np.pi)
        return 2 * np.exp(-u * u / 2) / np.sqrt(2 * np.pi) * density(u) * rest

    def cost(log_t):
        return sum(quad(square, a, b, (np.exp(log_t),), epsabs=1e-12)[0] for a, b in pairwise(edges))

    return 1 / minimize_scalar(cost, bounds=(-6, 8), method="bounded", options={"xatol": 1e-9}).fun


@pytest.mark.parametrize("strength", [0.5, 2.0, 10.0])
def test_it_is_what_scipy_finds(strength):
    found = plain(lambda u: expit(strength * u), [-9.0, -1.0, 0.0, 1.0, 9.0])
    assert alpha_c(strength) == pytest.approx(found, rel=1e-8)


def test_the_same_formula_gives_the_threshold_of_flipped_labels():
    """Which has a closed form: the formula itself is right."""
    found = plain(lambda u: 0.8 if u > 0 else 0.2, [-9.0, 0.0, 9.0])
    assert found == pytest.approx(alpha_c_of_flips(0.2), rel=1e-8)


def test_limits():
    assert alpha_c(0.0) == 2
    assert alpha_c(1e-6) == pytest.approx(2, abs=1e-9)
    assert alpha_c(np.inf) == np.inf
    assert np.isnan(alpha_c(np.nan))
    assert np.isnan(alpha_c(1e9))
    strengths = np.geomspace(1e-3, 1e8, 23)
    assert (np.diff(alpha_c(strengths)) > 0).all()
    # Only labels within 1/strength of the plane are uncertain: the threshold grows in proportion.
    assert alpha_c(1e7) / alpha_c(1e6) == pytest.approx(10, rel=1e-3)
    with pytest.raises(ValueError, match="strength must be at least 0, not -1"):
        alpha_c(-1.0)


@pytest.mark.parametrize("strength", [1.0, 5.0])
def test_random_sets_are_separable_below_and_not_above(strength):
    rng, N = np.random.default_rng(0), 100
    for part, answer in ((0.75, True), (1.35, False)):
        P = round(part * alpha_c(strength) * N)
        for _ in range(5):
            X = rng.standard_normal((P, N))
            S = np.where(rng.random(P) < expit(strength * X[:, 0]), 1, -1)
            assert separability(X, S).separable == answer
