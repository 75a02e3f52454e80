"""State of on-line training: the arguments of the compiled loops."""

from dataclasses import dataclass, field

import numpy as np

from markone.lvq.distances import Rows
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.distances.sparse_rows import is_sparse, sparse_variance
from markone.lvq.solvers.online._many_prototypes import MANY, WORTH, wrong_winners_of_many
from markone.lvq.solvers.online._schedules import CONSTANT, EXPONENTIAL, INVERSE
from markone.lvq.solvers.online._winner_takes_all import wrong_winners
from markone.numerics.arrays import Array

SCHEDULES = {"constant": CONSTANT, "inverse": INVERSE, "exponential": EXPONENTIAL}


@dataclass
class OnlineTraining:
    """Examples, their weights, prototypes with their classes, the order of presentation and the time."""

    xi: Array
    y: Array
    weight: Array
    w: Array
    c: Array
    turn: Array
    state: Array
    t: float = 0.0
    missing: bool = False
    trace: list[tuple[int, float, int]] = field(default_factory=list)

    def data(self) -> tuple[Array, ...]:
        return self.xi, self.y, self.weight, self.w, self.c

    @property
    def has_many_prototypes(self) -> bool:
        """True if the compiled code for many prototypes pays off: no missing features, and enough work."""
        return len(self.w) >= MANY and not self.missing and len(self.y) * self.w.size >= WORTH

    def errors(self) -> float:
        """Total weight of the misclassified examples, by squared Euclidean distance."""
        if is_sparse(self.xi):
            D, _ = Euclidean().evaluate(Rows(self.xi), self.w)
            return float(self.weight[self.c[D.argmin(axis=1)] != self.y].sum())
        if self.has_many_prototypes:
            return float(wrong_winners_of_many(*self.data()))
        return float(wrong_winners(*self.data(), self.missing))

    def total_variance(self) -> float:
        """Sum of the variances of the features."""
        if is_sparse(self.xi):
            return float(sparse_variance(self.xi, None).sum())
        variances = np.nanvar if self.missing else np.var
        return float(variances(self.xi, axis=0, dtype=np.float64).sum())
