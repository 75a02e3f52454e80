"""Small sets of examples that the tests of the students share."""

import numpy as np

from markone.data import random_dichotomy, teacher_examples


def teacher(P, N, seed=0, noise=0.0):
    return teacher_examples(P, N, noise, seed)[:2]


def random_labels(P, N, seed=0):
    return random_dichotomy(P, N, seed)[:2]


def three_clusters(P=60, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(P) % 3
    centres = np.array([[4.0, 0.0], [-2.0, 3.5], [-2.0, -3.5]])
    return centres[y] + rng.standard_normal((P, 2)), np.array(["a", "b", "c"])[y]
