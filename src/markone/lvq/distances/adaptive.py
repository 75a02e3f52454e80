"""Adaptive quadratic distances (5.13): weights of features, one matrix, or one per class or prototype."""

from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np

from markone.base.parameters import documented
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Diagonal(Distance):
    """d = sum_i lambda_i (x_i - w_i)^2 with lambda = omega^2; Omega is one row (1, N) of omega."""

    adapts: ClassVar[str] = "diagonal"

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert Omega is not None
        relevance = (Omega * Omega)[0]
        WL = W * relevance
        D = rows.X @ (-2 * WL.T)
        D += (rows.squared_values @ relevance)[:, None]
        D += (W * WL).sum(axis=1) if rows.seen is None else rows.seen @ (W * WL).T
        np.maximum(D, 0, out=D)

        def pull(R: Array) -> tuple[Array, Array | None]:
            RX, counts = R.T @ rows.X, rows.weight_sums(R)
            dW = 2 * relevance * (counts * W - RX)
            d_relevance = R.sum(axis=1) @ rows.squared_values + (W * (counts * W - 2 * RX)).sum(axis=0)
            return dW, 2 * Omega * d_relevance

        return D, pull


def _projected_distances(rows: Rows, P: Array, PP: Array, W: Array, Omega: Array) -> tuple[Array, Pull]:
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


def _masked_distances(rows: Rows, W: Array, Omega: Array) -> tuple[Array, Pull]:
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
        return _masked_distances(rows, W, Omega)

    def project_rows() -> tuple[Array, Array]:
        P = rows.X @ Omega.T
        return P, np.einsum("ij,ij->i", P, P)

    P, PP = rows.get_cached(Omega, project_rows)
    return _projected_distances(rows, P, PP, W, Omega)


@dataclass(frozen=True)
class Quadratic(Distance):
    """d = |Omega (x - w)|^2, Omega (r, N) adapted in training."""

    adapts: ClassVar[str] = "matrix"

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert Omega is not None
        return quadratic_distances(rows, W, Omega)


def local_distances(rows: Rows, W: Array, Omega: Array, of: Array) -> tuple[Array, Pull]:
    """Distances |Omega[of[j]] (x - w_j)|^2 and their gradient; Omega (G, r, N)."""
    groups = [np.flatnonzero(of == g) for g in range(len(Omega))]
    D = np.empty((len(rows), len(W)), dtype=rows.X.dtype)
    pulls = []
    if rows.seen is None:

        def project_rows() -> tuple[Array, Array]:
            P = rows.X @ Omega.reshape(-1, Omega.shape[-1]).T
            P = P.reshape(len(rows), *Omega.shape[:2])
            return P, np.einsum("igr,igr->ig", P, P)

        P, PP = rows.get_cached(Omega, project_rows)
    for g, mine in enumerate(groups):
        if rows.seen is None:
            D[:, mine], pull = _projected_distances(rows, P[:, g], PP[:, g], W[mine], Omega[g])
        else:
            D[:, mine], pull = _masked_distances(rows, W[mine], Omega[g])
        pulls.append(pull)

    def pull_all(R: Array) -> tuple[Array, Array | None]:
        dW, dOmega = np.zeros_like(W), np.zeros_like(Omega)
        for g, mine in enumerate(groups):
            dW[mine], dOmega[g] = pulls[g](R[:, mine])
        return dW, dOmega

    return D, pull_all


@documented
@dataclass(frozen=True)
class Local(Distance):
    """d_j = |Omega_j (x - w_j)|^2: class borders are quadrics, not planes."""

    per: Annotated[
        str, '{"class", "prototype"}: Whether each class or each prototype has its own matrix.'
    ] = "class"
    of: Array | None = field(default=None, repr=False, compare=False)

    adapts: ClassVar[str] = "local"

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        return self.with_prototypes(c)

    def with_prototypes(self, c: Array) -> Distance:
        return replace(self, of=np.array(c) if self.per == "class" else np.arange(len(c)))

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert Omega is not None
        assert self.of is not None
        return local_distances(rows, W, Omega, self.of)
