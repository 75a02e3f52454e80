"""Base class of distances: values and their gradients in the prototypes and the metric."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from markone.lvq.distances.row_statistics import is_sparse, squared_lengths
from markone.numerics.arrays import Array

# R = dE/dD (n, M)  ->  dE/dW (M, N) and dE/dOmega (None where the metric is fixed).
Pull = Callable[[Array], tuple[Array, Array | None]]

# Projections X Omega' are cached up to this size: the waypoint solver often evaluates the same Omega.
REMEMBERED_BYTES = 2**28
REMEMBERED = 3


@dataclass
class Rows:
    """Examples with missing values 0 in `X` and 0 in the mask `seen`.

    Rows are sparse only for distances with `sparse`.
    """

    X: Array
    seen: Array | None = None
    _memory: dict[tuple[tuple[int, ...], bytes], Any] = field(default_factory=dict, repr=False)

    @classmethod
    def from_array(cls, X: Array) -> "Rows":
        # One missing value makes the sum NaN: cheaper than a mask.
        if np.isfinite(X.sum()):
            return cls(X)
        missing = np.isnan(X)
        if not missing.any():
            return cls(X)
        return cls(np.where(missing, X.dtype.type(0), X), (~missing).astype(X.dtype))

    def __len__(self) -> int:
        return self.X.shape[0]

    def select_rows(self, chosen: Any) -> "Rows":
        return Rows(self.X[chosen], None if self.seen is None else self.seen[chosen])

    @cached_property
    def squared_values(self) -> Array:
        return self.X * self.X

    @cached_property
    def squared_norms(self) -> Array:
        """|x|^2 over the observed features."""
        return squared_lengths(self.X) if is_sparse(self.X) else np.einsum("ij,ij->i", self.X, self.X)

    def weight_sums(self, R: Array) -> Array:
        """R' seen: weight of each feature of each prototype; one column if nothing is missing."""
        return R.sum(axis=0)[:, None] if self.seen is None else R.T @ self.seen

    def get_cached(self, key: Array, make: Callable[[], Any]) -> Any:
        """make(), cached by the value of `key`."""
        # Bytes are compared faster than arrays.
        name = key.shape, key.tobytes()
        if name in self._memory:
            return self._memory[name]
        value = make()
        if len(self) * key.size // max(key.shape[-1], 1) * self.X.itemsize <= REMEMBERED_BYTES:
            while len(self._memory) >= REMEMBERED:
                del self._memory[next(iter(self._memory))]
            self._memory[name] = value
        return value


class Distance:
    """Base class of the distances: dataclasses of their constants, registered in `distances.HOMES`."""

    # True if missing values can be left out.
    masks: ClassVar[bool] = True
    # True if rows may be sparse (CSR).
    sparse: ClassVar[bool] = False
    # True if d depends on x - w only, so that the data may be centred first (for less rounding).
    moved: ClassVar[bool] = True
    # Kind of Omega that is trained: "", "matrix", "diagonal", "local".
    adapts: ClassVar[str] = ""
    # Index of the matrix of each prototype, if there are several.
    of: Array | None = None

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> "Distance":
        """The distance with its constants taken from the training rows.

        y and c are class indices of rows and prototypes; rows have NaN where missing and are not shifted.
        """
        return self

    def with_prototypes(self, c: Array) -> "Distance":
        """The distance for prototypes of the classes c, after a stream has added some."""
        return self

    def check_rows(self, X: Array) -> None:
        """Raise ValueError if the distance is not defined for these rows, in training and prediction."""

    def scale(self, spread: float) -> float:
        """Natural unit of the parameters V, given the root mean variance of the features."""
        return spread

    def encode(self, W: Array) -> Array:
        """Prototypes as free parameters V."""
        return W

    def decode(self, V: Array) -> Array:
        """Prototypes from parameters V."""
        return V

    def pull_back(self, W: Array, dW: Array) -> Array:
        """dE/dV from dE/dW."""
        return dW

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        """Distances (n, M), and the function that maps dE/dD to the gradients."""
        raise NotImplementedError
