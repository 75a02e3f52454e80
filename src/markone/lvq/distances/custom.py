"""User-defined distance: a function and its gradient, which are compared before training."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array

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
