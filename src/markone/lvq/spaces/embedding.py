"""Embedding of a dissimilarity matrix in a (pseudo-)Euclidean space."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from markone.lvq.distances import Distance, Rows
from markone.lvq.distances.base import Pull
from markone.numerics.arrays import Array

# Eigenvalues below this, relative to the largest, are rounding errors.
SMALL = {np.dtype(np.float64): 1e-10, np.dtype(np.float32): 1e-5}


@dataclass(frozen=True)
class PseudoEuclidean(Distance):
    """d = sum_k s_k (x_k - w_k)^2 with signs s_k = +-1; negative values are set to zero."""

    signs: Array = field(default_factory=lambda: np.empty(0))

    masks: ClassVar[bool] = False
    moved: ClassVar[bool] = True

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        signed = W * self.signs
        D = (rows.squared_values @ self.signs)[:, None] - 2 * rows.X @ signed.T + (W * signed).sum(axis=1)
        positive = D > 0

        def pull(R: Array) -> tuple[Array, Array | None]:
            R = np.where(positive, R, 0)
            return 2 * (R.sum(axis=0)[:, None] * signed - (R.T @ rows.X) * self.signs), None

        return np.where(positive, D, 0), pull


@dataclass
class Embedding:
    """Vectors z = U |l|^(1/2) whose (pseudo-Euclidean) squared distances are D.

    -1/2 J D J = U diag(s |l|) U^T. With `clip` only the dimensions with positive sign.
    """

    Z: Array
    signs: Array
    U: Array
    sizes: Array

    @classmethod
    def of(cls, D: Array, small: float, clip: bool) -> "Embedding":
        mean = D.mean(axis=0)
        G = -0.5 * (D - mean - mean[:, None] + mean.mean())
        values, U = np.linalg.eigh(G)
        if not np.abs(values).max(initial=0.0) > 0:
            raise ValueError("All dissimilarities are zero: the examples cannot be distinguished.")
        kept = (values if clip else np.abs(values)) > small * np.abs(values).max()
        values, U = values[kept], U[:, kept]
        return cls(U * np.sqrt(np.abs(values)), np.sign(values), U, np.abs(values))

    def coefficients(self, W: Array) -> Array:
        """alpha (M, P) of sum one with w_j = sum_i alpha_ji z_i: U has no part along (1, .., 1)."""
        return (W / np.sqrt(self.sizes)) @ self.U.T + 1.0 / len(self.U)


def check_square(D: Array) -> None:
    if D.shape[0] != D.shape[1]:
        raise ValueError(f"A dissimilarity matrix must be square; this one is {D.shape[0]} x {D.shape[1]}.")


def check_dissimilarities(D: Array) -> None:
    """Raise ValueError unless D is symmetric, zero on the diagonal and non-negative."""
    size = float(np.abs(D).max(initial=0.0))
    if D.min(initial=0.0) < 0:
        raise ValueError(f"Dissimilarities must not be negative; the smallest is {D.min():.4g}.")
    if np.abs(D - D.T).max(initial=0.0) > 1e-6 * size:
        raise ValueError(
            "The dissimilarity matrix is not symmetric: entries differ by up to "
            f"{np.abs(D - D.T).max():.4g}. Use the mean (D + D.T)/2."
        )
    if np.abs(np.diag(D)).max(initial=0.0) > 1e-6 * size:
        raise ValueError(
            f"The diagonal of D must be zero, but the diagonal holds {np.abs(np.diag(D)).max():.4g}. "
            "Are these similarities? Use KernelGLVQ(kernel='precomputed')."
        )
