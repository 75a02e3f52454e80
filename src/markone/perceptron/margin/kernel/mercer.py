"""Mercer kernels (4.23): scalar products in a feature space that is not computed explicitly.

`gamma` is scikit-learn's: the notes' width in (4.31) is sigma = 1 / sqrt(2 gamma). The polynomial is
(gamma xi.xi' + coef0)^degree, (4.28) with gamma = coef0 = 1. 'linear' is xi.xi' alone: the 1 of (4.29)
is a threshold, which is what `clamp` adds to any kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dsyrk

from markone.perceptron.margin.kernel._kernel_matrix import (
    mirror_lower,
    take_submatrix,
    write_rbf_exponents,
)
from markone.perceptron.margin.kernel.mercer_checks import check_callable, check_precomputed

TILE_ROWS = 32  # rows of the kernel matrix that fit the cache
PIECE = 1 << 18  # kernel elements computed at a time: two megabytes


@dataclass
class Kernel:
    """K + clamp between training examples, and between new inputs and training examples, in float64."""

    name: str
    X: Any
    function: Callable[[Any, Any], Any] | None = None
    degree: float = 3
    gamma: float = 1.0
    coef0: float = 1.0
    clamp: float = 0.0
    centre: Any = 0.0
    squares: np.ndarray = field(default_factory=lambda: np.empty(0))
    # The inputs of the caller, of which X are the centred ones, if the kernel is rbf and X dense.
    inputs: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    # The full matrix K without the clamp, if stored, and the indices of the examples in it (None: all).
    matrix: np.ndarray | None = None
    indices: np.ndarray | None = None
    # K(xi, xi) + clamp, if computed.
    known_diagonal: np.ndarray | None = None
    # The value of the clamped input, of which `clamp` is the square, rounded.
    clamped_value: float | None = None
    # Whether the threshold is not part of |W|: then `clamp` is 0 and sum x S = 0.
    free: bool = False

    @property
    def P(self) -> int:
        return int(self.X.shape[0])

    def rows(self, i: np.ndarray) -> np.ndarray:
        """K between the training examples `i` and all of them, (len(i), P)."""
        return self.kernel_block(i, None)

    def kernel_block(self, i: np.ndarray, j: np.ndarray | None) -> np.ndarray:
        """K between the training examples `i` and `j` (None: all)."""
        if self.matrix is not None:
            return np.asarray(
                take_submatrix(self.matrix, self.matrix_indices(i), self.matrix_indices(j), self.clamp)
            )
        return self._kernel_between(self.X[i], self._squares_of(i), self._inputs_of(i), j)

    def block_towards(self, i: np.ndarray, others: "Kernel") -> np.ndarray:
        """K between the training examples `i` and all of `others`, a kernel made by `subset_kernel`."""
        if self.matrix is not None:
            return np.asarray(
                take_submatrix(self.matrix, self.matrix_indices(i), others.matrix_indices(), self.clamp)
            )
        return others._kernel_between(self.X[i], self._squares_of(i), self._inputs_of(i), None)

    def cross_kernel(self, X: Any, j: np.ndarray | None = None) -> np.ndarray:
        """K between new inputs X and the training examples `j` (None: all), (n, P).

        With a precomputed kernel X is that matrix itself, one column per training example.
        """
        if self.name == "precomputed":
            return np.asarray(X if j is None else X[:, j], dtype=float) + self.clamp
        dense = self.name == "rbf" and not sp.issparse(X) and len(self.inputs)
        inputs = np.ascontiguousarray(X, dtype=float) if dense else np.empty((0, 0))
        X = self._convert_input(X)
        squares = _squared_norms(X) if self.name == "rbf" else self.squares
        return self._kernel_between(X, squares, inputs, j)

    def only(self, i: np.ndarray) -> "Kernel":
        """Copy of the kernel with the training examples `i` only, for prediction."""
        X = np.empty((0, 0)) if self.name == "precomputed" else self.X[i]
        return replace(self.subset_kernel(i), X=X, matrix=None, indices=None, known_diagonal=None)

    def subset_kernel(self, i: np.ndarray) -> "Kernel":
        """Kernel between the training examples `i`; a stored matrix is shared."""
        X = np.empty((len(i), 0)) if self.name == "precomputed" else self.X[i]
        indices = None if self.matrix is None else self.matrix_indices(i)
        own = None if self.known_diagonal is None else self.known_diagonal[i]
        return replace(
            self,
            X=X,
            squares=self._squares_of(i),
            inputs=self._inputs_of(i),
            indices=indices,
            known_diagonal=own,
        )

    def with_matrix(self) -> "Kernel":
        """Copy of the kernel with the full matrix in memory."""
        if self.known_diagonal is not None:
            return self
        matrix = self._full_matrix() if self.matrix is None else self.matrix
        return replace(
            self, matrix=matrix, known_diagonal=np.diagonal(matrix)[self.matrix_indices()] + self.clamp
        )

    def _full_matrix(self) -> np.ndarray:
        """K without the clamp, of all training examples."""
        if self.function is None and not sp.issparse(self.X):
            # One triangle of scalar products: half the work. In column-major order upper and lower are
            # exchanged. With beta = 0 the output buffer is not read and need not be zeroed.
            memory = np.empty((self.P, self.P), order="F")
            products = dsyrk(1.0, self.X.T, trans=1, lower=0, beta=0.0, c=memory, overwrite_c=1).T
            if self.name == "rbf":
                self._exponentiate_lower(products)
            mirror_lower(products)
            return np.asarray(products if self.name == "rbf" else self._of_products(products))
        bare = replace(self, clamp=0.0, known_diagonal=None)
        K, few = np.empty((self.P, self.P)), max(1, PIECE // self.P)
        for k in range(0, self.P, few):
            K[k : k + few] = bare.rows(np.arange(k, min(k + few, self.P)))
        return K

    def _exponentiate_lower(self, products: np.ndarray) -> None:
        """Turn scalar products below the diagonal into the rbf kernel, some rows at a time."""
        X = self.inputs
        # Above the diagonal there is uninitialised memory.
        with np.errstate(over="ignore", invalid="ignore"):
            for k in range(0, self.P, TILE_ROWS):
                block = products[k : k + TILE_ROWS, : k + TILE_ROWS]
                write_rbf_exponents(block, self.squares[k:], self.squares, self.gamma, k, X[k:], X)
                np.exp(block, out=block)

    def matrix_indices(self, i: np.ndarray | None = None) -> np.ndarray:
        """Indices of these training examples in the stored matrix."""
        if i is None:
            return np.arange(self.P) if self.indices is None else self.indices
        return np.asarray(i, np.int64) if self.indices is None else self.indices[i]

    def _squares_of(self, i: np.ndarray) -> np.ndarray:
        return self.squares[i] if self.name == "rbf" else self.squares

    def _inputs_of(self, i: np.ndarray) -> np.ndarray:
        return self.inputs[i] if len(self.inputs) else self.inputs

    def kernel_diagonal(self) -> np.ndarray:
        """K(xi, xi) of every training example, (P,)."""
        if self.known_diagonal is not None:
            return self.known_diagonal
        if self.matrix is not None:
            return np.diagonal(self.matrix)[self.matrix_indices()] + self.clamp
        if self.name == "callable":
            i = np.arange(self.P)
            return np.concatenate(
                [np.diagonal(self.kernel_block(k, k)) for k in np.array_split(i, -(-self.P // 64))]
            )
        if self.name == "rbf":
            return np.full(self.P, 1.0 + self.clamp)
        products = _squared_norms(self.X)
        return self._of_products(products) + self.clamp

    def _convert_input(self, X: Any) -> Any:
        if self.name == "callable":
            return X
        if sp.issparse(X):
            return sp.csr_matrix(X, dtype=float)
        return np.ascontiguousarray(np.asarray(X, dtype=float) - self.centre)

    def _kernel_between(
        self, X: Any, squares: np.ndarray, inputs: np.ndarray, j: np.ndarray | None
    ) -> np.ndarray:
        Y = self.X if j is None else self.X[j]
        if self.function is not None:
            K = np.asarray(self.function(X, Y), dtype=float)
            return K + self.clamp
        products = X @ Y.T
        K = products.toarray() if sp.issparse(products) else products
        if self.name == "rbf":
            others = (self.squares, self.inputs) if j is None else (self.squares[j], self._inputs_of(j))
            write_rbf_exponents(K, squares, others[0], self.gamma, len(others[0]), inputs, others[1])
            np.exp(K, out=K)
            K += self.clamp
            return K
        K = self._of_products(K)
        return K + self.clamp if self.clamp else K

    def _of_products(self, products: np.ndarray) -> np.ndarray:
        if self.name == "linear":
            return products
        return (self.gamma * products + self.coef0) ** self.degree


def make_kernel(
    kernel: str | Callable[[Any, Any], Any],
    X: Any,
    *,
    degree: float = 3,
    gamma: float | str = "scale",
    coef0: float = 1.0,
    clamp: float = 0.0,
    weights: np.ndarray | None = None,
) -> Kernel:
    """Create a kernel from its name (or a function of two sets of inputs) on training inputs X, dense or CSR.

    `gamma`: 'scale' is 1 / (N var X), with `weights` of the examples if given, 'auto' is 1 / N. `clamp` is
    added to the kernel everywhere: 1 is a clamped input in feature space, that is a threshold that is
    part of the norm. With 'precomputed' X is the matrix K of the training examples; it must be symmetric and
    positive semi-definite.
    """
    X = X if sp.issparse(X) else np.asarray(X)
    if callable(kernel):
        check_callable(kernel, X)
        return Kernel("callable", X, function=kernel, clamp=clamp)
    if kernel == "precomputed":
        K = check_precomputed(X)
        return Kernel(kernel, K, clamp=clamp, matrix=K)
    made = Kernel(kernel, None, degree=degree, coef0=coef0, clamp=clamp)
    made.gamma = _resolve_gamma(gamma, X, weights)
    if kernel == "rbf" and not sp.issparse(X):
        # A common shift changes no distance but increases rounding errors.
        made.inputs = np.ascontiguousarray(X, dtype=float)
        made.centre = made.inputs.mean(axis=0)
    made.X = made._convert_input(X)
    if kernel == "rbf":
        made.squares = _squared_norms(made.X)
    return made


def _resolve_gamma(gamma: float | str, X: Any, weights: np.ndarray | None) -> float:
    if not isinstance(gamma, str):
        return float(gamma)
    if gamma == "auto":
        return 1.0 / X.shape[1]
    weights = np.ones(X.shape[0]) if weights is None else weights
    total = weights.sum() * X.shape[1]
    mean = float((weights @ X).sum()) / total
    if sp.issparse(X):
        variance = float((weights @ X.multiply(X)).sum()) / total - mean**2
    else:
        variance = float((weights @ (X - mean) ** 2).sum()) / total
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


def _squared_norms(X: Any) -> np.ndarray:
    if sp.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)
