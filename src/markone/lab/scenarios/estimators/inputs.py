"""Distributions of inputs: each has mean 0 (or symmetric clusters) and components of variance 1."""

from collections.abc import Callable
from typing import Any

import numpy as np

from markone.numerics.arrays import Floats

Generator = np.random.Generator


def _gaussian_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Independent Gaussian components."""
    return rng.standard_normal((P, p.N))


def _binary_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Components +-1."""
    return rng.choice([-1.0, 1.0], (P, p.N))


def _sparse_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """A fraction `activity` of the components is +-1/sqrt(activity), the others are 0."""
    signs = rng.choice([-1.0, 1.0], (P, p.N))
    active: Floats = signs * (rng.random((P, p.N)) < p.activity) / np.sqrt(p.activity)
    return active


def _correlated_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Components at distance d have the correlation c^d: xi_j = c xi_(j-1) + sqrt(1 - c^2) z_j."""
    z = rng.standard_normal((P, p.N))
    xi = np.empty_like(z)
    xi[:, 0] = z[:, 0]
    for j in range(1, p.N):
        xi[:, j] = p.correlation * xi[:, j - 1] + np.sqrt(1 - p.correlation**2) * z[:, j]
    return xi


def _clustered_inputs(rng: Generator, p: Any, P: int) -> Floats:
    """Two Gaussian clusters at +-separation/2 along (1, -1, 1, ..)/sqrt(N), independent of the teacher."""
    axis = np.where(np.arange(p.N) % 2 == 0, 1.0, -1.0) / np.sqrt(p.N)
    side = rng.choice([-0.5, 0.5], P)
    xi: Floats = rng.standard_normal((P, p.N)) + p.separation * side[:, None] * axis
    return xi


INPUTS: dict[str, Callable[[Generator, Any, int], Floats]] = {
    "gaussian": _gaussian_inputs,
    "binary": _binary_inputs,
    "sparse": _sparse_inputs,
    "correlated": _correlated_inputs,
    "clustered": _clustered_inputs,
}
