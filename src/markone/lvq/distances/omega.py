"""The matrix Omega: initial value, norm, null space, penalty and canonical form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.lvq.distances.base import Rows
from markone.numerics.arrays import Array
from markone.numerics.text import to_python_scalar


@dataclass
class Norm:
    """trace(Lambda) = 1, the relevances of some features fixed by the user.

    Relevance i is the squared norm of column i of Omega: fixed columns have given lengths, the others are
    scaled to the rest. Omega is (r, N) or a stack of them.
    """

    fixed: Mapping[int, float] = field(default_factory=dict)

    def _column_groups(self, N: int) -> list[tuple[Any, float]]:
        """Groups of columns and their norms."""
        if not self.fixed:
            return [(slice(None), 1.0)]
        free = np.setdiff1d(np.arange(N), list(self.fixed))
        rest = max(0.0, 1.0 - sum(self.fixed.values()))
        own: list[tuple[Any, float]] = [([i], float(np.sqrt(value))) for i, value in self.fixed.items()]
        return [*own, (free, float(np.sqrt(rest)))]

    def normalise_omega(self, Omega: Array) -> Array:
        out = Omega.copy()
        for columns, length in self._column_groups(Omega.shape[-1]):
            u = Omega[..., columns]
            out[..., columns] = u * (length / _positive_norm(u))
        return out

    def pull_back(self, Omega: Array, gradient: Array) -> Array:
        """dE/dOmega before `normalise_omega` from dE/dOmega after it."""
        out = np.empty_like(gradient)
        for columns, length in self._column_groups(Omega.shape[-1]):
            size = _positive_norm(Omega[..., columns])
            u, g = Omega[..., columns] / size, gradient[..., columns]
            out[..., columns] = (length / size) * (g - u * (u * g).sum(axis=(-2, -1), keepdims=True))
        return out


def _positive_norm(Omega: Array) -> Array:
    """Frobenius norm, at least the smallest positive number of the precision."""
    return np.maximum(np.sqrt((Omega * Omega).sum(axis=(-2, -1), keepdims=True)), np.finfo(Omega.dtype).tiny)


def fixed_features(fixed: Mapping[Any, float] | None, N: int, names: Array | None) -> dict[int, float]:
    """Validated {feature index: relevance} from indices or names."""
    known = {} if names is None else {str(name): k for k, name in enumerate(names)}
    found: dict[int, float] = {}
    for feature, value in (fixed or {}).items():
        index = known.get(feature) if isinstance(feature, str) else int(feature)
        if index is None or not 0 <= index < N:
            raise ValueError(
                f"fixed_relevance names the feature {to_python_scalar(feature)!r}, which X does not have."
            )
        found[index] = float(value)
    total = sum(found.values())
    if any(value < 0 for value in found.values()) or total > 1 or (len(found) == N and total < 1):
        raise ValueError(
            "fixed_relevance must give values from 0 to 1 with a sum of at most one (relevances sum to "
            f"one); the sum is {total:g}."
        )
    return found


def row_space(rows: Rows, W: Array, largest: float = 0.0) -> Array | None:
    """Orthonormal rows that span the differences of examples and prototypes; None if that is the full space.

    `largest` is the largest value before the rows were shifted: singular values below its rounding error do
    not count as directions.

    Directions in which no two examples differ are irrelevant and are removed from Omega once. Updates are
    sums of Omega (x-w)(x-w)', which do not reintroduce them.
    """
    if rows.seen is not None:
        # Masked differences leave the row space: no direction is irrelevant.
        return None
    P, N = rows.X.shape
    mean = rows.X.mean(axis=0, dtype=np.float64)
    outside = W - mean
    if P <= N:
        _, s, V = np.linalg.svd(np.vstack([rows.X - mean, outside]), full_matrices=False)
        noise = max(s[0] * max(P, N), 2 * largest * (np.sqrt(P) + np.sqrt(N))) * np.finfo(rows.X.dtype).eps
        kept = V[s > noise]
    else:
        G = np.asarray(rows.X.T @ rows.X, dtype=np.float64) - P * np.outer(mean, mean) + outside.T @ outside
        s, V = np.linalg.eigh(G)
        kept = V.T[s > s[-1] * N * np.finfo(rows.X.dtype).eps]
    if not len(kept):
        raise ValueError("All rows of X are equal: there is no metric to learn.")
    return None if len(kept) == N else kept.astype(rows.X.dtype)


def _leading_directions(rows: Rows, W: Array, rank: int) -> Array:
    """`rank` orthonormal rows: differences of the prototypes, then directions of the largest variance.

    With rank >= C - 1, nearest class means are the same as in the full space.
    """
    between = W - W.mean(axis=0)
    _, s, V = np.linalg.svd(between, full_matrices=False)
    found = V[s > 1e-8 * max(float(s[0]), np.finfo(float).tiny)][:rank]
    if len(found) < rank:
        Z = rows.X - rows.X.mean(axis=0)
        Z = Z - (Z @ found.T) @ found
        axes = np.linalg.eigh(Z.T @ Z)[1].T[::-1]
        # Beyond the directions of the data any orthonormal ones are used.
        basis = np.linalg.qr(np.vstack([found, axes]).T)[0].T
        found = basis[:rank]
    return found


def first_omega(kind: str, rows: Rows, W: Array, rank: int | None, groups: int, how: Any, rng: Any) -> Array:
    """Omega before training: (1, N) diagonal, (r, N), or (groups, r, N) local."""
    N = W.shape[1]
    r = 1 if kind == "diagonal" else int(rank or N)
    if isinstance(how, str):
        Omega = _named_omega(kind, rows, W, r, how, rng)
    else:
        Omega = np.array(how, dtype=np.float64)
        r = r if rank or Omega.ndim < 2 else Omega.shape[-2]
    shape = (groups, r, N) if kind == "local" else (r, N)
    if Omega.shape not in (shape, shape[-2:]) or not np.isfinite(Omega).all():
        raise ValueError(f"initial_omega must be finite with the shape {shape}; it has {Omega.shape}.")
    Omega = np.array(np.broadcast_to(Omega, shape), dtype=rows.X.dtype)
    if not 0 < np.vdot(Omega, Omega) < np.inf:
        raise ValueError("The squares of initial_omega vanish or overflow: give numbers of about one.")
    return Omega


def _named_omega(kind: str, rows: Rows, W: Array, r: int, how: str, rng: Any) -> Array:
    """Identity or random matrix; a rectangular identity consists of the leading directions."""
    N = W.shape[1]
    if kind == "diagonal":
        return np.ones((1, N)) if how == "identity" else rng.uniform(0.1, 1.0, (1, N))
    if how == "random":
        return rng.uniform(-0.5, 0.5, (r, N))
    return np.eye(N) if r == N else _leading_directions(rows, W, r)


def log_det(Omega: Array) -> tuple[Array, Array]:
    """ln det(Omega Omega') over the non-zero singular values, and half its gradient, pinv(Omega)'."""
    U, s, V = np.linalg.svd(Omega, full_matrices=False)
    positive = s > s.max(axis=-1, keepdims=True) * Omega.shape[-1] * np.finfo(Omega.dtype).eps
    safe = np.where(positive, s, 1.0)
    value = 2 * np.log(safe).sum(axis=-1)
    return value, (U * np.where(positive, 1 / safe, 0.0)[..., None, :]) @ V


def canonical_omega(Omega: Array, rank: int | None = None) -> tuple[Array, Array, Array]:
    """Omega as rows sqrt(eigenvalue) x eigenvector of Lambda; eigenvalues; eigenvectors.

    Lambda = Omega' Omega determines Omega up to a rotation; this form is unique (for distinct eigenvalues),
    and its first two rows give the projection of Fig. 5.2. With `rank` there are that many rows: the last
    ones have eigenvalue zero and arbitrary vectors orthogonal to the others.
    """
    _, s, V = np.linalg.svd(Omega, full_matrices=False)
    found, lacking = V.shape[-2], min(rank or 0, V.shape[-1]) - V.shape[-2]
    if lacking > 0:
        all_directions = np.linalg.qr(np.swapaxes(V, -1, -2), mode="complete")[0]
        V = np.concatenate([V, np.swapaxes(all_directions, -1, -2)[..., found : found + lacking, :]], axis=-2)
        s = np.concatenate([s, np.zeros((*s.shape[:-1], lacking), dtype=s.dtype)], axis=-1)
    # The largest component of a vector is positive.
    top = np.take_along_axis(V, np.abs(V).argmax(axis=-1)[..., None], axis=-1)
    V = V * np.where(top < 0, -1, 1)
    return s[..., None] * V, s * s, V


def drop_zero_rows(Omega: Array) -> Array:
    """Omega without the last rows that are zero in all matrices."""
    nonzero = Omega.any(axis=-1).reshape(-1, Omega.shape[-2]).any(axis=0)
    return Omega[..., : max(1, int(np.flatnonzero(nonzero).max(initial=0)) + 1), :]


def extend_omega_stack(Omega: Array, groups: int) -> Array:
    """Stack of `groups` matrices; new ones are the root of the mean Lambda of the others."""
    if len(Omega) >= groups:
        return Omega
    mean = canonical_omega(Omega.reshape(-1, Omega.shape[-1]) / np.sqrt(len(Omega)))[0][: Omega.shape[1]]
    mean = np.vstack([mean, np.zeros((Omega.shape[1] - len(mean), Omega.shape[2]))])
    return np.concatenate([Omega, np.broadcast_to(mean, (groups - len(Omega), *mean.shape))])
