"""Generalization error of a tree machine from its overlaps with a teacher of the same kind."""

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Floats


def majority_weights(K: int) -> Floats:
    """Squared Fourier coefficients of the majority of K signs, for products of s = 0 .. K of them."""
    half = (K - 1) // 2
    first = comb(K - 1, half) / 2 ** (K - 1)
    sizes = range(K + 1)
    return np.array(
        [(first * comb(half, (s - 1) // 2) / comb(K - 1, s - 1)) ** 2 if s % 2 else 0.0 for s in sizes]
    )


def tree_error(R: ArrayLike, machine: str) -> Floats:
    """epsilon_g for Gaussian inputs, exact at any size, from overlaps R (..., K) in [-1, 1] of w^k and w*^k.

    The signs of unit k have the correlation C_k = 1 - (2/pi) arccos R_k, those of different branches none. So
    the outputs have the correlation prod C_k (parity), or the sum over sets of branches of the squared
    Fourier coefficient times the product of the C_k in it (committee; for K = 3: (sum C + C1 C2 C3)/4).
    """
    C = 1 - 2 / np.pi * np.arccos(np.clip(np.asarray(R, dtype=float), -1, 1))
    if machine == "parity":
        return np.asarray(0.5 * (1 - C.prod(axis=-1)))
    K = C.shape[-1]
    # Sums over all sets of s branches, one branch after the other.
    sums = np.zeros((*C.shape[:-1], K + 1))
    sums[..., 0] = 1.0
    for k in range(K):
        sums[..., 1:] += sums[..., :-1] * C[..., k : k + 1]
    return np.asarray(0.5 * (1 - sums @ majority_weights(K)))
