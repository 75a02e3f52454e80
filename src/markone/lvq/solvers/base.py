"""Base class of solvers, and the outcome of a training."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from markone.lvq.solvers.objective import FlatParameters, Objective
from markone.numerics.arrays import Array

TRACE = np.dtype([("step", int), ("cost", float), ("errors", int)])


@dataclass
class Outcome:
    """Trained parameters, number of steps, whether a minimum was reached, cost and errors by step."""

    theta: FlatParameters
    n_iter: int
    converged: bool = True
    trace: list[tuple[int, float, int]] = field(default_factory=list)

    def table(self) -> Array:
        """Structured array with the fields step, cost, errors, which all model file formats can store."""
        return np.array(self.trace, dtype=TRACE)


class Solver:
    """Base of all solvers."""

    # True if the solver normalises Omega at each step; otherwise by a parametrisation or at the end.
    normalises: ClassVar[bool] = False

    def unit(self, spread: float, N: int) -> float:
        """Unit of length of the prototypes, given the root mean variance of N features."""
        return spread * float(np.sqrt(N))

    def n_batches(self, P: int) -> int:
        """Number of steps of an epoch over P examples."""
        return 1

    def minimise(
        self, objective: Objective, theta: FlatParameters, max_iter: int | None, rng: Any
    ) -> Outcome:
        raise NotImplementedError
