"""The examples of a proof: the given rows and the power of two that scales them."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from markone.numerics._rows import Sparse

Floats = NDArray[np.float64]

# The largest input is scaled to about 2^300: its square is finite, and 2^-1000 of it does not underflow.
TOP = 300


@dataclass(frozen=True)
class Rows:
    """xi (array or `Sparse`) with labels S = +-1; a clamped input, if any, is a column of xi."""

    xi: Any
    S: Floats
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        N = self.xi.N if isinstance(self.xi, Sparse) else self.xi.shape[1]
        return len(self.S), int(N)

    @property
    def input_values(self) -> Any:
        return self.xi.data if isinstance(self.xi, Sparse) else self.xi

    def signed_inputs(self) -> Floats:
        """S xi as a dense float64 array, exact."""
        if not isinstance(self.xi, Sparse):
            return np.ascontiguousarray(self.xi * self.S[:, None], dtype=np.float64)
        table = sparse.csr_array((self.xi.data, self.xi.indices, self.xi.indptr), self.shape).toarray()
        return np.ascontiguousarray(table * self.S[:, None], dtype=np.float64)

    def select_rows(self, chosen: NDArray[Any]) -> "Rows":
        """Subset of the examples."""
        if not isinstance(self.xi, Sparse):
            return Rows(self.xi[chosen], self.S[chosen], self.scale)
        table = sparse.csr_array((self.xi.data, self.xi.indices, self.xi.indptr), self.shape)[chosen]
        return build_rows(table, self.S[chosen])


def build_rows(X: Any, S: Any, top: float | None = None) -> Rows:
    """Build `Rows` from an array, a scipy matrix or `Sparse`; float32 is kept, other types become float64.

    top: an upper bound on |xi|, not far above the largest, if known.
    """
    if type(X) is np.ndarray and X.flags.c_contiguous and X.dtype.char in "df":
        pass
    elif sparse.issparse(X):
        X = sparse.csr_array(X)
        X = Sparse(X.data, X.indices.astype(np.int32, copy=False), X.indptr, X.shape[1])
    elif not isinstance(X, Sparse):
        X = np.ascontiguousarray(X, dtype=None if getattr(X, "dtype", None) == np.float32 else np.float64)
    values = X.data if isinstance(X, Sparse) else X
    if top is None:
        top = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    return Rows(X, np.ascontiguousarray(S, dtype=np.float64), lifting_power(top))


def lifting_power(top: float) -> float:
    """Power of two >= 1 that scales a number to about 2^300."""
    return math.ldexp(1.0, min(max(TOP - math.frexp(top)[1], 0), 1000)) if top > 0.0 else 1.0
