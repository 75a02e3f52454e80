"""Coordinates in the span of landmarks: pivoted Cholesky decomposition of a kernel matrix.

The next landmark is the example farthest from the span of those chosen (in feature space). When all
examples are in the span, the coordinates give all kernels between examples exactly; with fewer landmarks
they are those of Nystroem's approximation with greedily chosen landmarks.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from markone.numerics.arrays import Array
from markone.perceptron.margin.kernel.mercer import Kernel

# Squared distances from the span below this, relative to the largest K(x, x), count as zero.
OUTSIDE = 1e-10


@dataclass
class FeatureMap:
    """z(x) = L^-1 (K(x, landmarks)); z(x).z(x') = K(x, x') for x, x' in their span."""

    landmarks: Array
    L: Array

    def __call__(self, K: Array) -> Array:
        """Coordinates (n, m) from the kernels (n, m) between rows and landmarks."""
        return solve_triangular(self.L, K.T, lower=True).T

    def coefficients(self, W: Array) -> Array:
        """gamma (M, m) with w_j = sum_m gamma_jm phi(x_m), from coordinates W (M, m)."""
        return solve_triangular(self.L, W.T, lower=True, trans=1).T


def choose_landmarks(kernel: Kernel, most: int) -> tuple[FeatureMap, Array]:
    """Feature map of at most `most` landmarks, and the coordinates (P, m) of all training examples."""
    diagonal = np.array(kernel.kernel_diagonal(), dtype=np.float64)
    limit = OUTSIDE * float(diagonal.max())
    most = min(most, kernel.P)
    Z, outside = np.zeros((kernel.P, most), order="F"), diagonal.copy()
    chosen: list[int] = []
    while len(chosen) < most and outside.max() > limit:
        m, p = len(chosen), int(outside.argmax())
        column = kernel.rows(np.array([p]))[0] - Z[:, :m] @ Z[p, :m]
        Z[:, m] = column / np.sqrt(outside[p])
        outside -= Z[:, m] ** 2
        # Rounding must not select a landmark twice.
        outside[[*chosen, p]] = 0.0
        chosen.append(p)
    if not chosen:
        raise ValueError("The kernel is zero on all examples: there is no feature space to learn in.")
    landmarks, Z = np.array(chosen), np.ascontiguousarray(Z[:, : len(chosen)])
    return FeatureMap(landmarks, np.tril(Z[landmarks])), Z
