"""State of on-line training, and an epoch of LVQ1 with any distance (5.9) in plain Python."""

from dataclasses import dataclass, field

import numpy as np

from markone.lvq.distances import Distance, Rows
from markone.lvq.distances.geometric import Euclidean
from markone.lvq.distances.row_statistics import is_sparse, sparse_variance
from markone.lvq.solvers.online._many_prototypes import MANY, WORTH, wrong_winners_of_many
from markone.lvq.solvers.online._winner_takes_all import (
    CONSTANT,
    EXPONENTIAL,
    INVERSE,
    presentation_order,
    wrong_winners,
)
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

    def compiled_arguments(self) -> tuple[Array, ...]:
        return self.xi, self.y, self.weight, self.w, self.c

    @property
    def has_many_prototypes(self) -> bool:
        """True if the compiled code for many prototypes pays off: no missing features, and enough work."""
        return len(self.w) >= MANY and not self.missing and len(self.y) * self.w.size >= WORTH

    def error_weight(self) -> float:
        """Total weight of the misclassified examples, by squared Euclidean distance."""
        if is_sparse(self.xi):
            D, _ = Euclidean().evaluate(Rows(self.xi), self.w)
            return float(self.weight[self.c[D.argmin(axis=1)] != self.y].sum())
        if self.has_many_prototypes:
            return float(wrong_winners_of_many(*self.compiled_arguments()))
        return float(wrong_winners(*self.compiled_arguments(), self.missing))

    def total_variance(self) -> float:
        """Sum of the variances of the features."""
        if is_sparse(self.xi):
            return float(sparse_variance(self.xi, None).sum())
        variances = np.nanvar if self.missing else np.var
        return float(variances(self.xi, axis=0, dtype=np.float64).sum())


def _plain_scheduled_rate(schedule: int, eta: float, tau: float, t: float) -> float:
    """Learning rate at time t: eta, eta / (1 + t/tau), or eta exp(-t/tau)."""
    if schedule == CONSTANT:
        return eta
    return eta / (1 + t / tau) if schedule == INVERSE else eta * float(np.exp(-t / tau))


def plain_lvq1_epoch(
    training: OnlineTraining, distance: Distance, eta: float, schedule: int, tau: float, order: int
) -> tuple[float, int]:
    """One epoch of w* -= eta Psi (1/2) dd(w*, xi)/dw*, on the free parameters of the prototypes."""
    rows, P = Rows.from_array(training.xi), len(training.y)
    V, cost, wrong = distance.encode(training.w), 0.0, 0
    for i, mu in enumerate(presentation_order(order, training.turn, training.state).tolist()):
        W = distance.decode(V)
        D, pull = distance.evaluate(rows.select_rows(slice(mu, mu + 1)), W)
        winner = int(D[0].argmin())
        psi = 1.0 if training.c[winner] == training.y[mu] else -1.0
        cost, wrong = cost + psi * float(D[0, winner]), wrong + int(psi < 0)
        chosen = np.zeros_like(D)
        chosen[0, winner] = 0.5
        step = psi * min(
            _plain_scheduled_rate(schedule, eta, tau, training.t + i / P) * training.weight[mu], 1.0
        )
        V = V - step * distance.pull_back(W, pull(chosen)[0])
    training.w = np.ascontiguousarray(distance.decode(V))
    return cost / P, wrong
