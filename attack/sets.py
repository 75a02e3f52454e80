"""Small sets that are hard for floats: those of the tests and some more."""

from collections.abc import Iterator

import numpy as np
from tests.perceptron.separable.nasty_sets import KINDS

from markone.numerics.arrays import Floats

Case = tuple[Floats, Floats, np.random.Generator]


def lognormal(rng: np.random.Generator, P: int, N: int) -> Floats:
    """Columns over many orders of magnitude."""
    return np.asarray(np.exp(3.0 * rng.standard_normal((P, N))))


def cross_polytope(rng: np.random.Generator, P: int, N: int) -> Floats:
    """+-e_j turned by a Hadamard matrix, the first column multiplied by 2^-k: thin and degenerate."""
    H = np.array([[1.0]])
    while len(H) < N:
        H = np.block([[H, H], [H, -H]])
    X = np.vstack([H, -H])[rng.integers(0, 2 * len(H), P)][:, :N]
    X[:, 0] *= 2.0 ** -int(rng.integers(0, 60))
    return X


FAMILIES = [*KINDS, lognormal, cross_polytope]


def draw_sets(seed: int, number: int, most: int = 8) -> Iterator[Case]:
    """(X, S, generator of further choices), cycling through the families; both labels occur."""
    for k in range(number):
        rng = np.random.default_rng([seed, k])
        P, N = int(rng.integers(2, most + 1)), int(rng.integers(1, 5))
        S = rng.permutation(np.where(np.arange(P) % 2, 1.0, -1.0))
        yield FAMILIES[k % len(FAMILIES)](rng, P, N), S, rng
