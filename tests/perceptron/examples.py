"""Small sets of examples that the tests of the students share."""

import numpy as np


def teacher(P, N, seed=0, noise=0.0):
    """Gaussian inputs with the labels of the teacher w* = (1, .., 1), flipped with probability noise."""
    rng = np.random.default_rng(seed)
    xi = rng.standard_normal((P, N))
    S = np.where(xi.sum(axis=1) >= 0, 1.0, -1.0)
    return xi, np.where(rng.random(P) < noise, -S, S)


def random_labels(P, N, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((P, N)), rng.choice([-1.0, 1.0], P)


def three_clusters(P=60, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(P) % 3
    centres = np.array([[4.0, 0.0], [-2.0, 3.5], [-2.0, -3.5]])
    return centres[y] + rng.standard_normal((P, 2)), np.array(["a", "b", "c"])[y]
