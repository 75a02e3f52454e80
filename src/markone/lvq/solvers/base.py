"""What a solver is given and what it gives back."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from markone.lvq.solvers.objective import Objective
from markone.lvq.solvers.parameters import FlatParameters
from markone.numerics.arrays import Array

TRACE = np.dtype([("step", int), ("cost", float), ("errors", int)])


@dataclass
class Outcome:
    """Trained parameters, how many steps it took, whether a minimum was reached, cost and errors by step."""

    theta: FlatParameters
    n_iter: int
    converged: bool = True
    trace: list[tuple[int, float, int]] = field(default_factory=list)

    def table(self) -> Array:
        """Fields step, cost, errors: a plain structured array, which every way of storing models takes."""
        return np.array(self.trace, dtype=TRACE)


class Solver:
    """Base of all solvers."""

    # Whether Omega is normalised by the solver at each step; otherwise by a parametrisation or at the end.
    normalises: ClassVar[bool] = False

    def unit(self, spread: float, N: int) -> float:
        """The length in which prototypes are measured, given the root mean variance of N features."""
        return spread * float(np.sqrt(N))

    def batches(self, P: int) -> int:
        """Steps of an epoch over P examples."""
        return 1

    def minimise(
        self, objective: Objective, theta: FlatParameters, max_iter: int | None, rng: Any
    ) -> Outcome:
        raise NotImplementedError
