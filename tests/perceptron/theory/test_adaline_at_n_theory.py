"""Adaline at finite N: against students trained on drawn examples, and the limit of large N."""

import numpy as np
import pytest

from markone.perceptron.theory import adaline, adaline_at_n


def trained(P, N, noise, sets, rng):
    found = []
    for _ in range(sets):
        X = rng.standard_normal((P, N))
        y = np.where(X[:, 0] >= 0, 1.0, -1.0) * np.where(rng.random(P) < noise, -1.0, 1.0)
        w = np.linalg.lstsq(X, y, rcond=None)[0]
        found.append(w[0] / np.linalg.norm(w))
    return np.arccos(found) / np.pi


@pytest.mark.parametrize(
    ("P", "N", "noise"),
    [(2, 10, 0.0), (9, 10, 0.1), (10, 10, 0.0), (11, 10, 0.0), (25, 10, 0.2), (80, 20, 0.0), (50, 60, 0.1)],
)
def test_it_is_the_law_of_trained_students(P, N, noise):
    found = trained(P, N, noise, 800, np.random.default_rng(P))
    R = adaline_at_n.draw_overlaps(P, N, noise, 4000, np.random.default_rng(0))
    law = np.arccos(R) / np.pi
    error = np.hypot(found.std() / np.sqrt(800), law.std() / np.sqrt(4000))
    assert abs(found.mean() - law.mean()) < 4 * error
    assert law.std() == pytest.approx(found.std(), rel=0.15)


@pytest.mark.parametrize("alpha", [0.3, 0.8, 1.5, 4.0])
def test_the_limit_of_large_N(alpha):
    """What is left falls as 1/N."""
    limit = adaline.generalization_error(alpha, 0.1)
    off = [float(adaline_at_n.generalization_error(alpha, 0.1, N=N)) - limit for N in (50, 2000)]
    assert abs(off[1]) < 1e-3
    assert abs(off[1]) < max(abs(off[0]), 1e-3)


def test_the_peak_is_rounded():
    at_peak = float(adaline_at_n.generalization_error(1.0, N=200))
    assert at_peak == pytest.approx(0.477, abs=0.002)
    assert float(adaline_at_n.overlap(1.0, N=200)) > 0


def test_one_example_and_bad_input():
    assert 0.3 < float(adaline_at_n.generalization_error(0.1, N=10)) < 0.5
    with pytest.raises(ValueError, match="N = 1 must be 2"):
        adaline_at_n.generalization_error(1.0, N=1)
    with pytest.raises(ValueError, match="alpha is 0"):
        adaline_at_n.overlap([0.0, 1.0], N=5)
