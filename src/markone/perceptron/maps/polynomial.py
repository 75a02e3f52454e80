"""Explicit feature map of the polynomial kernel   (4.28-4.30)."""

from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from markone.base.input_validation import validate_data
from markone.base.parameters import Count, NotNegative, Parameters, Positive
from markone.base.sklearn_compat import BaseEstimator, fit_context
from markone.numerics.arrays import Array

MAX_MONOMIALS = 200_000


class PolynomialMap(Parameters, TransformerMixin, BaseEstimator):
    """Psi with Psi(xi) . Psi(xi') = (coef0 + gamma xi . xi')^degree: all weighted monomials.

    `AdaTron` after `PolynomialMap` and `KernelAdaTron(kernel="poly")` are the same student.
    degree = 1 is (4.29), degree = 2 is (4.30).

    Parameters
    ----------
    degree : int
        Highest order of the monomials.
    coef0 : float
        Constant of the kernel; 0 keeps only monomials of order `degree`.
    gamma : float
        Factor of the scalar product.

    Attributes
    ----------
    powers_ : array (M, n_features_in_)
        Exponents of each monomial.
    weights_ : array (M,)
        sqrt of the multinomial coefficient times coef0^(degree - order) gamma^order.

    Examples
    --------
    >>> from markone import PolynomialMap
    >>> images = PolynomialMap(degree=2).fit_transform([[1.0, 2.0], [3.0, 4.0]])
    >>> float((images[0] @ images[1]).round(9)), (1 + 1 * 3 + 2 * 4) ** 2
    (144.0, 144)
    """

    degree: Count = 2
    coef0: NotNegative = 1.0
    gamma: Positive = 1.0

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> "PolynomialMap":
        """Compute the exponents and weights of the monomials for inputs like X."""
        X = validate_data(self, X, dtype=[np.float64, np.float32])
        N = X.shape[1]
        size = comb(N + self.degree, self.degree)
        if size > MAX_MONOMIALS:
            raise ValueError(
                f"{N} inputs have {size} monomials up to degree {self.degree}, too many to compute: use "
                f"KernelAdaTron(kernel='poly', degree={self.degree}), which needs none of them."
            )
        lowest = self.degree if self.coef0 == 0 else 0
        chosen = [
            combination
            for order in range(lowest, self.degree + 1)
            for combination in combinations_with_replacement(range(N), order)
        ]
        self.powers_ = np.array([np.bincount(c, minlength=N) if c else np.zeros(N, int) for c in chosen])
        self.weights_ = np.sqrt([self._squared_weight(powers) for powers in self.powers_])
        if not np.isfinite(self.weights_).all():
            raise ValueError(
                f"The weights of the monomials are not finite with degree = {self.degree}, gamma = "
                f"{self.gamma:g} and coef0 = {self.coef0:g}: choose values nearer to one."
            )
        return self

    def _squared_weight(self, powers: Array) -> float:
        order = int(powers.sum())
        ways = factorial(self.degree) // factorial(self.degree - order)
        for power in powers:
            ways //= factorial(int(power))
        # numpy's powers overflow to infinity where Python's raise an error.
        with np.errstate(over="ignore"):
            constant = np.float64(self.coef0) ** (self.degree - order)
            return float(float(ways) * constant * np.float64(self.gamma) ** order)

    def transform(self, X: Any) -> Array:
        """Return Psi of each row: (n_samples, M)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        result = np.empty((len(X), len(self.powers_)), dtype=X.dtype)
        for k, (powers, weight) in enumerate(zip(self.powers_, self.weights_, strict=True)):
            used = np.flatnonzero(powers)
            with np.errstate(over="ignore", invalid="ignore"):
                result[:, k] = weight * np.prod(X[:, used] ** powers[used], axis=1)
        if not np.isfinite(result).all():
            raise ValueError(f"Powers of X up to degree {self.degree} are not finite: scale X to about one.")
        return result

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names 1, x0, x0^2, x0 x1, ..."""
        check_is_fitted(self)
        names = [f"x{j}" for j in range(self.n_features_in_)] if input_features is None else input_features
        words = [
            " ".join(f"{names[j]}^{p}" if p > 1 else str(names[j]) for j, p in enumerate(powers) if p) or "1"
            for powers in self.powers_
        ]
        return np.array(words, dtype=object)
