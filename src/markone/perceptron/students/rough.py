"""Inputs in single precision, by which most examples that are right are seen to be so."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem

# Tables of more numbers are read from outside the inner caches: a copy of half the size pays.
LARGE = 100_000
# Columns are added up to a multiple of what a vectorised loop takes at once: a rest would go one by one.
TURN = 32
# Lengths of inputs that single precision holds with all that matters.
SHORTEST, LONGEST = 1e-12, 1e12


@dataclass(frozen=True)
class Rough:
    """Copies of xi, memory for one of w, and `slack`: potentials are wrong by slack |w| at the most."""

    xi: Array
    w: Array
    slack: Array

    @classmethod
    def of(cls, problem: Problem) -> Self | None:
        """None where the copies are not worth their making."""
        xi = problem.xi
        if not isinstance(xi, np.ndarray) or xi.dtype != np.float64 or xi.size < LARGE:
            return None
        P, N = xi.shape
        width = -(-N // TURN) * TURN
        rough = np.zeros((P, width), np.float32)
        lengths = np.sqrt(problem.C_diagonal * N)
        fits = (lengths > SHORTEST) & (lengths < LONGEST)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            rough[:, :N] = xi
        # Rounding of inputs, weights, products and their sum: (N + 4) 2^-24 of |xi| |w|. Twice that is safe.
        slack = np.where(fits, 2.0 * (width + 8) * 2.0**-24 * lengths, np.inf)
        return cls(rough, np.zeros(width, np.float32), slack)
