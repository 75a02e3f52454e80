"""Adaptive quadratic distance (5.13) with one matrix: d = |Omega (x - w)|^2."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


def projected_distances(rows: Rows, P: Array, PP: Array, W: Array, Omega: Array) -> tuple[Array, Pull]:
    """Distances from P = X Omega' and Q = W Omega'; PP = |P|^2 row by row.

    dd/dw = 2 Lambda (w - x), dd/dOmega = 2 Omega (w - x)(w - x)': the signs and factors missing in (5.15).
    """
    Q = W @ Omega.T
    D = P @ (-2 * Q.T)
    D += PP[:, None]
    D += (Q * Q).sum(axis=1)
    np.maximum(D, 0, out=D)

    def pull(R: Array) -> tuple[Array, Array | None]:
        # A cost of winners has two non-zeros per row: for local matrices most rows are zero.
        touched = np.flatnonzero(R.any(axis=1))
        X, p = rows.X, P
        if 2 * len(touched) < len(R):
            X, p, R = X[touched], P[touched], R[touched]
        dQ = 2 * (R.sum(axis=0)[:, None] * Q - R.T @ p)
        dP = p * R.sum(axis=1)[:, None]
        dP -= R @ Q
        return dQ @ Omega, 2 * (dP.T @ X) + dQ.T @ W

    return D, pull


def masked_distances(rows: Rows, W: Array, Omega: Array) -> tuple[Array, Pull]:
    """d = |Omega (m (w - x))|^2 over the observed features, one prototype after the other."""
    seen = rows.seen
    assert seen is not None
    D = np.empty((len(rows), len(W)), dtype=rows.X.dtype)
    for j, w in enumerate(W):
        Z = (seen * w - rows.X) @ Omega.T
        D[:, j] = np.einsum("ij,ij->i", Z, Z)

    def pull(R: Array) -> tuple[Array, Array | None]:
        dW, dOmega = np.zeros_like(W), np.zeros_like(Omega)
        for j in np.flatnonzero(R.any(axis=0)):
            difference = seen * W[j] - rows.X
            G = (2 * R[:, j])[:, None] * (difference @ Omega.T)
            dOmega += G.T @ difference
            dW[j] = ((G @ Omega) * seen).sum(axis=0)
        return dW, dOmega

    return D, pull


def quadratic_distances(rows: Rows, W: Array, Omega: Array) -> tuple[Array, Pull]:
    """Quadratic distances of any Omega (r, N) and their gradient."""
    if rows.seen is not None:
        return masked_distances(rows, W, Omega)

    def project() -> tuple[Array, Array]:
        P = rows.X @ Omega.T
        return P, np.einsum("ij,ij->i", P, P)

    P, PP = rows.get_cached(Omega, project)
    return projected_distances(rows, P, PP, W, Omega)


@dataclass(frozen=True)
class Quadratic(Distance):
    """d = |Omega (x - w)|^2, Omega (r, N) adapted in training."""

    adapts: ClassVar[str] = "matrix"

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert Omega is not None
        return quadratic_distances(rows, W, Omega)
