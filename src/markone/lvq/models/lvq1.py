"""LVQ1, with winner-takes-all updates   (5.3, 5.4, 5.9)."""

from typing import Any, ClassVar

import numpy as np

from markone.lvq.base.fixed_distance import FixedDistance, fixed_distance
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.base.parameters import DISTANCE, Constraints, RateSchedule
from markone.lvq.distances import Rows
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.distances.sparse_rows import is_sparse
from markone.lvq.solvers.online._sparse_lvq1 import sparse_lvq1_epoch as sparse_epoch
from markone.lvq.solvers.online._winner_takes_all import LVQ1 as LVQ1_RULE
from markone.lvq.solvers.online.online_training import SCHEDULES, OnlineTraining
from markone.lvq.solvers.online.plain_lvq1 import plain_lvq1_epoch


class LVQ1(FixedDistance, RateSchedule, OnlineLVQ):
    """Kohonen's first scheme: the nearest prototype moves towards an example of its class, else away from it.

    It minimises no cost: it follows the gradient of Psi d(w*, xi) example by example. Prototypes become
    typical of their class. If the classes differ much in size, that of the rare one can diverge: see
    `markone.lvq.theory.lvq1`.

    Parameters
    ----------
    distance : str, Distance or pair of functions
        Squared Euclidean in compiled code; any other of `markone.lvq.distances`, or a pair (function,
        gradient), by (5.9) in plain Python, some hundred times slower.
    eta : float
        Learning rate of the first epoch: (5.4) with eta_w = eta.

    Examples
    --------
    >>> from markone import LVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LVQ1(random_state=0).fit(iris.X, iris.y)
    >>> bool(model.score(iris.X, iris.y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[Constraints] = DISTANCE

    distance: Any = "euclidean"

    def _init_state(self, training: OnlineTraining) -> None:
        self.distance_ = fixed_distance(self.distance).fit_constants(
            training.xi, training.y, training.c, training.weight
        )
        self._project_prototypes(training)

    def _extend_state(self, training: OnlineTraining) -> None:
        self.distance_ = self.distance_.with_prototypes(training.c)
        self._project_prototypes(training)

    def _project_prototypes(self, training: OnlineTraining) -> None:
        """Map the prototypes to valid ones of the distance: for a divergence, without empty bins."""
        if not isinstance(self.distance_, Euclidean):
            training.w = np.ascontiguousarray(self.distance_.decode(self.distance_.encode(training.w)))

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        if is_sparse(training.xi):
            return self._sparse_pass(training, order)
        if isinstance(self.distance_, Euclidean):
            return self._compiled_epoch(LVQ1_RULE, training, order)
        return plain_lvq1_epoch(training, self.distance_, self.eta, SCHEDULES[self.schedule], self.tau, order)

    def _sparse_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        xi: Any = training.xi
        # One type for the compiler, whatever scipy's index type is.
        rows = xi.data.astype(np.float64), xi.indices.astype(np.int64), xi.indptr.astype(np.int64)
        rate = float(self.eta), SCHEDULES[self.schedule], float(self.tau), training.t
        of = training.y, training.weight, training.w, training.c
        cost, wrong = sparse_epoch(*rows, *of, *rate, order, training.turn, training.state)
        return float(cost), int(wrong)

    def _error_weight(self, training: OnlineTraining) -> float:
        if isinstance(self.distance_, Euclidean):
            return training.errors()
        D, _ = self.distance_.evaluate(Rows.of(training.xi), training.w)
        return float(training.weight[training.c[D.argmin(axis=1)] != training.y].sum())
