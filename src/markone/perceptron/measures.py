"""Measures of a student: potentials, stabilities, bounds on the optimal one, errors, overlaps.

In the notation of the notes: `xi` (P, N) dense or sparse, `S` = +-1, weights `w`,
embedding strengths `x`. A clamped input, if any, is a column of `xi`.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from markone.numerics.arrays import Array
from markone.perceptron.separable.bounds import stability_bounds
from markone.perceptron.separable.rows import build_rows

# Squares of larger numbers may not be finite.
FAR = 1e150


def local_potentials(w: Array, xi: Any, S: Array) -> Array:
    """E^mu = S^mu w . xi^mu   (3.8)."""
    return np.asarray(S * (xi @ w), dtype=np.float64)


def stabilities(w: Array, xi: Any, S: Array) -> Array:
    """kappa^mu = E^mu / |w|   (3.39).

    For w = 0, which has no direction, -|xi^mu|, the smallest possible value: bounds built on it hold.
    """
    length = np.linalg.norm(w)
    return local_potentials(w, xi, S) / length if length > 0 else 0.0 - np.sqrt(squared_input_lengths(xi))


def squared_input_lengths(xi: Any) -> Array:
    """|xi^mu|^2 of every example."""
    if hasattr(xi, "multiply"):
        return np.asarray(xi.multiply(xi).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", xi, xi, dtype=np.float64)


def stability(w: Array, xi: Any, S: Array) -> float:
    """kappa(w) = min_mu kappa^mu   (3.40)."""
    return float(stabilities(w, xi, S).min())


def stability_bound(x: Array, xi: Any, S: Array) -> float:
    """|sum_mu x^mu S^mu xi^mu| / sum_mu x^mu: an upper bound on the stability of any student, for any x >= 0.

    For a unit vector w, kappa(w) sum x <= sum x^mu w . xi^mu S^mu <= |sum x^mu S^mu xi^mu|. Negative
    strengths are set to zero.
    """
    x = np.maximum(np.asarray(x, dtype=np.float64), 0.0)
    if not x.any():
        return np.inf
    top = float(x.max(initial=0.0))
    if top == np.inf:
        return np.inf
    if top > FAR:
        x = x / top  # the bound does not depend on the scale of x, but its squares must be finite
    return float(np.linalg.norm(xi.T @ (x * S)) / x.sum())


def certify_student(w: Array, x: Array | None, xi: Any, S: Array) -> tuple[float, float]:
    """Certificate kappa(w) <= kappa_max <= the smaller of the bounds of x and of x = 1.

    Both are rounded outwards, so that they hold exactly for the given numbers (`separable.bounds`).
    """
    rows, ones = build_rows(xi, S), np.ones(len(S))
    better = ones if x is None or stability_bound(ones, xi, S) < stability_bound(x, xi, S) else x
    return stability_bounds(rows, np.asarray(w, dtype=np.float64), better)[:2]


def returned_stability(w: Array, scaling: float, xi: Any, S: Array) -> float:
    """Proven lower bound on the stability of coef = w[:-1], intercept = w[-1] scaling, as floats.

    The last input is `scaling`; the weight of the returned student for it is intercept / scaling, exactly.
    """
    inputs, ones = xi[:, :-1], np.ones((len(S), 1))
    rows = sparse.hstack([inputs, ones], format="csr") if sparse.issparse(xi) else np.hstack([inputs, ones])
    student = np.append(w[:-1], w[-1] * scaling)
    return stability_bounds(build_rows(rows, S), student, None, scaling=scaling).lower


def training_errors(w: Array, xi: Any, S: Array) -> int:
    """Number of examples with sign(w . xi) != S, with sign(0) = +1   (1.5)."""
    return int(np.sum(np.where(np.asarray(xi @ w) >= 0, 1, -1) != S))


def overlap(w: Array, w_star: Array) -> float:
    """R = w . w* / (|w| |w*|)."""
    lengths = np.linalg.norm(w) * np.linalg.norm(w_star)
    return float(np.clip(w @ w_star / lengths, -1.0, 1.0)) if lengths > 0 else 0.0


def generalization_error(R: ArrayLike) -> Any:
    """eps_g = arccos(R) / pi   (3.34), for isotropic inputs and the noise-free teacher."""
    return np.arccos(R) / np.pi


def support_vectors(x: Array, gamma: ArrayLike = np.inf, rtol: float = 1e-9) -> tuple[Array, Array]:
    """Indices of the free (0 < x < gamma) and of the clipped (x = gamma) support vectors."""
    x = np.asarray(x)
    if gamma is np.inf:
        return (x > 0).nonzero()[0], np.empty(0, np.intp)
    gamma = np.asarray(gamma, dtype=np.float64)
    support = np.flatnonzero(x > 0)
    clipped = x[support] >= np.broadcast_to(gamma, x.shape)[support] * (1 - rtol)
    return support[~clipped], support[clipped]


def kuhn_tucker_residuals(x: Array, E: Array, gamma: ArrayLike = np.inf) -> Array:
    """Violation of (3.71-3.73) by each example: the gradient 1 - E, projected on 0 <= x <= gamma."""
    gradient = 1.0 - np.asarray(E)
    gamma = np.asarray(gamma, dtype=np.float64)
    residual = np.where((x <= 0) & (gradient < 0), 0.0, gradient)
    return np.where((x >= gamma) & (gradient > 0), 0.0, residual)


def convergence_bound(xi: Any, S: Array, w_star: Array, c: float = 0.0, eta: float = 1.0) -> float:
    """M* (3.29), the maximum number of updates of Rosenblatt from w = 0, given one solution w*.

    With kappa the stability of w* and Gamma = max |xi|^2 / N, M* = N (2 c/eta + Gamma) / kappa^2;
    c = 0 is the limit (3.30). Infinite if w* is not a solution.
    """
    kappa = stability(w_star, xi, S)
    if kappa <= 0:
        return np.inf
    N = xi.shape[1]
    return float(N * (2 * c / eta + squared_input_lengths(xi).max() / N) / kappa**2)
