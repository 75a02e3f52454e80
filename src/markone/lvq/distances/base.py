"""What a distance is: how far, and how that changes with the prototypes and the metric, in one place."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from markone.lvq.distances.sparse_rows import is_sparse, squared_lengths
from markone.numerics.arrays import Array

# R = dE/dD (n, M)  ->  dE/dW (M, N) and dE/dOmega (None where the metric is fixed).
Pull = Callable[[Array], tuple[Array, Array | None]]

# Projections X Omega' are remembered up to this size: the waypoint solver asks for the same Omega often.
REMEMBERED_BYTES = 2**28
REMEMBERED = 3


@dataclass
class Rows:
    """Examples as the distances see them: missing values are 0 in `X` and 0 in the mask `seen`.

    Sparse rows come to distances that say so (`sparse`).
    """

    X: Array
    seen: Array | None = None
    _memory: dict[tuple[tuple[int, ...], bytes], Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, X: Array) -> "Rows":
        # One missing value makes the sum NaN: cheaper to see than a mask of all.
        if np.isfinite(X.sum()):
            return cls(X)
        missing = np.isnan(X)
        if not missing.any():
            return cls(X)
        return cls(np.where(missing, X.dtype.type(0), X), (~missing).astype(X.dtype))

    def __len__(self) -> int:
        return self.X.shape[0]

    def take(self, chosen: Any) -> "Rows":
        return Rows(self.X[chosen], None if self.seen is None else self.seen[chosen])

    @cached_property
    def squared(self) -> Array:
        return self.X * self.X

    @cached_property
    def lengths(self) -> Array:
        """|x|^2 over what was observed."""
        return squared_lengths(self.X) if is_sparse(self.X) else np.einsum("ij,ij->i", self.X, self.X)

    def counts(self, R: Array) -> Array:
        """R' seen: the weight on each feature of each prototype; a column if nothing is missing."""
        return R.sum(axis=0)[:, None] if self.seen is None else R.T @ self.seen

    def remember(self, key: Array, make: Callable[[], Any]) -> Any:
        """make(), or what it gave when it was last asked for with an equal `key`."""
        # Bytes are compared and kept faster than arrays.
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
    """Base of all distances: plain dataclasses of their constants, found by name in `distances.HOMES`."""

    # Whether missing values can be left out.
    masks: ClassVar[bool] = True
    # Whether rows may be sparse (CSR).
    sparse: ClassVar[bool] = False
    # Whether only x - w matters, so that the data may be moved to mean zero first (a matter of rounding).
    moved: ClassVar[bool] = True
    # "", or what kind of Omega training adapts: "matrix", "diagonal", "local".
    adapts: ClassVar[str] = ""
    # Which of several matrices each prototype has, if there are several.
    of: Array | None = None

    def prepare(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> "Distance":
        """The distance with its constants taken from the training rows.

        Class indices are y of rows and c of prototypes; rows come as they are (NaN where missing), not moved.
        """
        return self

    def with_prototypes(self, c: Array) -> "Distance":
        """The same for prototypes of the classes c, of which a stream has placed more."""
        return self

    def check(self, X: Array) -> None:
        """A sentence where rows cannot have this distance, in training as in prediction."""

    def scale(self, spread: float) -> float:
        """The natural unit of the parameters V, given the root mean variance of the features."""
        return spread

    def encode(self, W: Array) -> Array:
        """Prototypes as free parameters V."""
        return W

    def decode(self, V: Array) -> Array:
        """The prototypes of parameters V."""
        return V

    def pull_back(self, W: Array, dW: Array) -> Array:
        """dE/dV from dE/dW."""
        return dW

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        """Distances (n, M), and the function that turns dE/dD into gradients."""
        raise NotImplementedError
