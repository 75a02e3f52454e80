"""Distances of two vectors: Euclidean (5.11), Minkowski (5.10), Gaussian kernel (5.12), angle, own."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from markone.base.parameters import documented
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Euclidean(Distance):
    """d = |x - w|^2, dd/dw = 2 (w - x), over the observed features."""

    sparse: ClassVar[bool] = True

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        D = rows.X @ (-2 * W.T)
        D += rows.squared_norms[:, None]
        D += (W * W).sum(axis=1) if rows.seen is None else rows.seen @ (W * W).T
        np.maximum(D, 0, out=D)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return 2 * (rows.weight_sums(R) * W - R.T @ rows.X), None

        return D, pull


@documented
@dataclass(frozen=True)
class Gaussian(Distance):
    """d = 2 - 2 exp(-|x - w|^2 / (2 s^2)), dd/dw = (2/s^2) (w - x) exp(.)."""

    s: Annotated[
        float | None,
        "float or None: Width of the kernel; None: the root of the summed variances of the features.",
    ] = None

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if self.s is None:
            spread = float(np.sqrt(np.nanvar(X, axis=0, dtype=np.float64).sum()))
            return replace(self, s=spread if spread > 0 else 1.0)
        if self.s <= 0:
            raise ValueError(f"The width s of the Gaussian kernel must be positive; it is {self.s}.")
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert self.s is not None
        squares, pull = Euclidean().evaluate(rows, W)
        exponent = squares * (-0.5 / self.s**2)
        # expm1: 2 - 2 exp would cancel near a prototype.
        return -2 * np.expm1(exponent), lambda R: pull(R * np.exp(exponent) / self.s**2)


def _minkowski_norm(A: Array, p: float) -> Array:
    """(sum_j A_j^p)^(1/p) of deviations A >= 0, scaled by the largest against overflow."""
    top = A.max(axis=1)
    if np.isinf(p):
        return top
    scaled = A / np.where(top > 0, top, 1)[:, None]
    return top * (scaled**p).sum(axis=1) ** (1 / p)


def _minkowski_slopes(difference: Array, d: Array, p: float) -> Array:
    """dd/dw_j = sign(w_j - x_j) (|w_j - x_j| / d)^(p-1); for p = infinity the largest deviation alone."""
    A = np.abs(difference)
    if np.isinf(p):
        first = np.zeros_like(A)
        first[np.arange(len(A)), A.argmax(axis=1)] = 1
        return np.sign(difference) * first
    share = A / np.where(d > 0, d, 1)[:, None]
    return np.sign(difference) * (share ** (p - 1) if p > 1 else 1)


@documented
@dataclass(frozen=True)
class Minkowski(Distance):
    """d = (sum_j |x_j - w_j|^p)^(1/p) over the observed features."""

    p: Annotated[float, "1 or more; `numpy.inf` for the largest deviation."] = 2.0

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if not self.p >= 1:
            raise ValueError(f"The Minkowski distance needs p >= 1; p is {self.p}.")
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        def deviation_from(j: int) -> Array:
            return W[j] - rows.X if rows.seen is None else rows.seen * W[j] - rows.X

        # One prototype after the other: no temporary is larger than X.
        D = np.stack([_minkowski_norm(np.abs(deviation_from(j)), self.p) for j in range(len(W))], axis=1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            dW = np.zeros_like(W)
            for j in map(int, np.flatnonzero(R.any(axis=0))):
                dW[j] = R[:, j] @ _minkowski_slopes(deviation_from(j), D[:, j], self.p)
            return dW, None

        return D, pull


@documented
@dataclass(frozen=True)
class Angle(Distance):
    """d = (exp(-beta (b - 1)) - 1) / (exp(2 beta) - 1), b = x.w / |x||w|.

    0 for equal directions, 1 for opposite ones.
    """

    beta: Annotated[float, "Steepness towards opposite directions; 0: (1 - b) / 2."] = 1.0

    moved: ClassVar[bool] = False

    def check_rows(self, X: Array) -> None:
        empty = np.flatnonzero(~(np.nan_to_num(X) != 0).any(axis=1))
        if len(empty):
            raise ValueError(
                f"The angle distance needs rows with a direction, but row {empty[0]} of X is all zero."
            )

    def _distance_of_cosine(self, b: Array) -> tuple[Array, Array]:
        """d and dd/db."""
        if self.beta == 0:
            return (1 - b) / 2, np.full_like(b, -0.5)
        d = np.expm1(-self.beta * (b - 1)) / math.expm1(2 * self.beta)
        return d, -self.beta * (d + 1 / math.expm1(2 * self.beta))

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        x = np.sqrt(rows.squared_norms)[:, None]
        # |w|^2 over the observed features of the row.
        ww = (W * W).sum(axis=1)[None] if rows.seen is None else rows.seen @ (W * W).T
        ww = np.maximum(ww, np.finfo(W.dtype).tiny)
        size = x * np.sqrt(ww)
        b = rows.X @ W.T / size
        d, slope = self._distance_of_cosine(b)

        def pull(R: Array) -> tuple[Array, Array | None]:
            # db/dw = x / |x||w| - b w / |w|^2
            G = R * slope
            return (G / size).T @ rows.X - rows.weight_sums(G * b / ww) * W, None

        return np.maximum(d, 0), pull


STEP, TOLERANCE, SAMPLES = 1e-6, 1e-4, 5


@dataclass(frozen=True)
class Own(Distance):
    """d_ij = function(X, w_j)_i with gradient(X, w_j) (n, N) in w; non-negative, and finite on the data."""

    function: Callable[[Array, Array], Array]
    gradient: Callable[[Array, Array], Array]

    masks: ClassVar[bool] = False
    moved: ClassVar[bool] = False

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        """Compare the gradient with central differences at some rows and points of the data."""
        rng = np.random.default_rng(0)
        rows = X[rng.choice(len(X), min(SAMPLES, len(X)), replace=False)].astype(np.float64)
        spread = np.nanstd(X, axis=0, dtype=np.float64)
        for x in X[rng.choice(len(X), min(SAMPLES, len(X)), replace=False)]:
            w = x + 0.1 * np.where(spread > 0, spread, 1.0) * rng.random(X.shape[1])
            self._check_gradient(rows, w.astype(np.float64))
        return self

    def _check_gradient(self, rows: Array, w: Array) -> None:
        d, gradient = np.asarray(self.function(rows, w)), np.asarray(self.gradient(rows, w))
        if d.shape != (len(rows),) or gradient.shape != rows.shape:
            raise ValueError(
                f"For X of shape {rows.shape} and one prototype the own distance must give values of shape "
                f"{(len(rows),)} and a gradient of shape {rows.shape}; "
                f"they are {d.shape} and {gradient.shape}."
            )
        if not np.isfinite(d).all() or (d < 0).any():
            raise ValueError(f"The own distance must be finite and not negative; it gives {d.min():g}.")
        for j in range(len(w)):
            step = np.zeros_like(w)
            step[j] = STEP * max(1.0, abs(w[j]))
            change = np.asarray(self.function(rows, w + step)) - self.function(rows, w - step)
            numeric = change / (2 * step[j])
            error = float(np.abs(numeric - gradient[:, j]).max())
            if error > TOLERANCE * max(1.0, float(np.abs(gradient).max())):
                raise ValueError(
                    f"The gradient of the own distance does not fit its function: in feature {j} it differs "
                    f"from central differences by {error:.3g}. Correct one of the two."
                )

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        D = np.stack([self.function(rows.X, w) for w in W], axis=1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return np.stack([R[:, j] @ self.gradient(rows.X, w) for j, w in enumerate(W)]), None

        return D, pull
