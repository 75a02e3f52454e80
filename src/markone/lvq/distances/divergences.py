"""Divergences between histograms: rows and prototypes are non-negative with sum one.

Gamma is Cauchy-Schwarz at g = 1 and tends to Kullback-Leibler for g -> 0, Renyi tends to it for a -> 1.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import xlogy

from markone.base.parameters import documented
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array

# Empty bins of a prototype start with this fraction of the mean bin: a divergence needs w > 0.
SMALL = 1e-3


def _check_histograms(X: Array) -> None:
    """Raise ValueError unless entries are non-negative and rows have sum one."""
    if X.min(initial=0.0) < 0:
        row, column = np.unravel_index(int(X.argmin()), X.shape)
        raise ValueError(
            f"A divergence compares histograms, but X[{row}, {column}] = {X.min():.4g} is negative. "
            "Use another distance, or convert X to counts."
        )
    sums = X.sum(axis=1, dtype=np.float64)
    wrong = int(np.abs(sums - 1).argmax())
    if abs(sums[wrong] - 1) > 1e-4:
        raise ValueError(
            f"A divergence compares histograms, but row {wrong} of X has the sum {sums[wrong]:.4g}. Divide "
            "each row by its sum."
        )


class Divergence(Distance):
    """Divergence with the parametrisation w = softmax(v): positive with sum one."""

    masks: ClassVar[bool] = False
    moved: ClassVar[bool] = False

    def check_rows(self, X: Array) -> None:
        _check_histograms(X)

    def encode(self, W: Array) -> Array:
        W = W / W.sum(axis=1, keepdims=True)
        return np.log(W + SMALL / W.shape[1])

    def decode(self, V: Array) -> Array:
        W = np.exp(V - V.max(axis=1, keepdims=True))
        # Bounded from below against a division by zero.
        return np.maximum(W / W.sum(axis=1, keepdims=True), 1e-30)

    def pull_back(self, W: Array, dW: Array) -> Array:
        return W * (dW - (W * dW).sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class KullbackLeibler(Divergence):
    """d = sum_j x_j ln(x_j / w_j) - x_j + w_j, dd/dw = 1 - x/w."""

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        X = rows.X
        D = (xlogy(X, X) - X).sum(axis=1)[:, None] - X @ np.log(W).T + W.sum(axis=1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return R.sum(axis=0)[:, None] - (R.T @ X) / W, None

        return np.maximum(D, 0), pull


@dataclass(frozen=True)
class CauchySchwarz(Divergence):
    """d = ln(|x| |w| / x.w), dd/dw = w/|w|^2 - x/x.w: symmetric, the gamma divergence of gamma = 1."""

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        S, ww = rows.X @ W.T, (W * W).sum(axis=1)
        D = 0.5 * np.log(rows.squared_norms)[:, None] + 0.5 * np.log(ww) - np.log(S)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return (R.sum(axis=0) / ww)[:, None] * W - (R / S).T @ rows.X, None

        return np.maximum(D, 0), pull


@documented
@dataclass(frozen=True)
class Gamma(Divergence):
    """d = ln[ (sum x^(g+1))^(1/(g(g+1))) (sum w^(g+1))^(1/(g+1)) / (sum x w^g)^(1/g) ].

    dd/dw = w^g / sum w^(g+1) - x w^(g-1) / sum x w^g.
    """

    g: Annotated[float, "The exponent gamma, positive."] = 0.5

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if not self.g > 0:
            raise ValueError(
                f"The gamma divergence needs g > 0; g is {self.g}. Its limit is kullback_leibler."
            )
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        g, Wg = self.g, W**self.g
        S, ww = rows.X @ Wg.T, (Wg * W).sum(axis=1)
        xx = (rows.X ** (g + 1)).sum(axis=1)
        D = np.log(xx)[:, None] / (g * (g + 1)) + np.log(ww) / (g + 1) - np.log(S) / g

        def pull(R: Array) -> tuple[Array, Array | None]:
            return (R.sum(axis=0) / ww)[:, None] * Wg - ((R / S).T @ rows.X) * (Wg / W), None

        return np.maximum(D, 0), pull


@documented
@dataclass(frozen=True)
class Renyi(Divergence):
    """d = ln(sum_j x_j^a w_j^(1-a)) / (a - 1), dd/dw = -x^a w^-a / sum x^a w^(1-a)."""

    a: Annotated[float, "The order, positive and not one."] = 0.5

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if not self.a > 0 or self.a == 1:
            raise ValueError(
                f"The Renyi divergence needs an order a > 0 other than 1; a is {self.a}. Its limit for "
                "a -> 1 is kullback_leibler."
            )
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        Xa = rows.X**self.a
        S = Xa @ (W ** (1 - self.a)).T
        D = np.log(S) / (self.a - 1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return -((R / S).T @ Xa) * W**-self.a, None

        return np.maximum(D, 0), pull
