"""Adaptive quadratic distances with one matrix per class or prototype."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from markone.lvq.distances.adaptive.quadratic import masked_distances, projected_distances
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


def local_distances(rows: Rows, W: Array, Omega: Array, of: Array) -> tuple[Array, Pull]:
    """Distances |Omega[of[j]] (x - w_j)|^2 and their gradient; Omega (G, r, N)."""
    groups = [np.flatnonzero(of == g) for g in range(len(Omega))]
    D = np.empty((len(rows), len(W)), dtype=rows.X.dtype)
    pulls = []
    if rows.seen is None:

        def project() -> tuple[Array, Array]:
            P = rows.X @ Omega.reshape(-1, Omega.shape[-1]).T
            P = P.reshape(len(rows), *Omega.shape[:2])
            return P, np.einsum("igr,igr->ig", P, P)

        P, PP = rows.get_cached(Omega, project)
    for g, mine in enumerate(groups):
        if rows.seen is None:
            D[:, mine], pull = projected_distances(rows, P[:, g], PP[:, g], W[mine], Omega[g])
        else:
            D[:, mine], pull = masked_distances(rows, W[mine], Omega[g])
        pulls.append(pull)

    def pull_all(R: Array) -> tuple[Array, Array | None]:
        dW, dOmega = np.zeros_like(W), np.zeros_like(Omega)
        for g, mine in enumerate(groups):
            dW[mine], dOmega[g] = pulls[g](R[:, mine])
        return dW, dOmega

    return D, pull_all


@dataclass(frozen=True)
class Local(Distance):
    """d_j = |Omega_j (x - w_j)|^2: class borders are quadrics, not planes.

    Parameters
    ----------
    per : {"class", "prototype"}, default="class"
        Whether each class or each prototype has its own matrix.
    """

    per: str = "class"
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
