"""Float32 screening: float32 copies of the inputs that identify most examples needing no update."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem

# Larger arrays do not fit the inner caches: a copy of half the size is worth its cost.
MIN_SIZE = 100_000
# Columns are padded to a multiple of the width of a vectorised loop.
COLUMN_MULTIPLE = 32
# Range of input lengths that float32 represents without overflow or underflow.
SHORTEST, LONGEST = 1e-12, 1e12


@dataclass(frozen=True)
class Float32Copies:
    """Float32 copy of xi, buffer for one of w, and `slack`: potentials have errors of at most slack |w|."""

    xi: Array
    w: Array
    slack: Array

    @classmethod
    def of(cls, problem: Problem) -> Self | None:
        """Return the copies, or None for small, sparse or float32 inputs."""
        xi = problem.xi
        if not isinstance(xi, np.ndarray) or xi.dtype != np.float64 or xi.size < MIN_SIZE:
            return None
        P, N = xi.shape
        width = -(-N // COLUMN_MULTIPLE) * COLUMN_MULTIPLE
        rough = np.zeros((P, width), np.float32)
        lengths = np.sqrt(problem.C_diagonal * N)
        fits = (lengths > SHORTEST) & (lengths < LONGEST)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            rough[:, :N] = xi
        # Rounding of inputs, weights, products and their sum: (N + 4) 2^-24 of |xi| |w|. Twice that is safe.
        slack = np.where(fits, 2.0 * (width + 8) * 2.0**-24 * lengths, np.inf)
        return cls(rough, np.zeros(width, np.float32), slack)
