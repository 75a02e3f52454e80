"""LVQ1, with winner-takes-all updates   (5.3, 5.4, 5.9)."""

from typing import Any, ClassVar

import numpy as np

from markone.lvq.base.constraints import DISTANCE, FALLING, ONLINE
from markone.lvq.base.fixed_distance import FixedDistance, fixed_distance
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.distances import Rows
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.distances.sparse_rows import is_sparse
from markone.lvq.solvers.online._sparse_lvq1 import sparse_lvq1_epoch as sparse_epoch
from markone.lvq.solvers.online._winner_takes_all import LVQ1 as LVQ1_RULE
from markone.lvq.solvers.online.online_training import SCHEDULES, OnlineTraining
from markone.lvq.solvers.online.plain_lvq1 import plain_lvq1_epoch


class LVQ1(FixedDistance, OnlineLVQ):
    """Kohonen's first scheme: the nearest prototype moves towards an example of its class, else away from it.

    It minimises no cost: it follows the gradient of Psi d(w*, xi) example by example. Prototypes become
    typical of their class. If the classes differ much in size, that of the rare one can diverge: see
    `markone.lvq.theory.lvq1`.

    Parameters
    ----------
    prototypes_per_class : int, list, mapping label -> int, or "auto", default="auto"
        "auto" is one where the class means misclassify at most 5 % of the examples, else three.
    initial : {"kmeans", "means", "examples", "toolbox"}, default="kmeans"
        Initial prototypes: k-means in each class (a single one: the class mean), around the class mean,
        random examples, or class means times 0.99 .. 1.01 as in the GMLVQ toolbox.
    initial_prototypes, initial_labels : array-like, default=None
        Given initial vectors and their classes.
    distance : str, Distance or pair of functions, default="euclidean"
        Squared Euclidean in compiled code; any other of `markone.lvq.distances`, or a pair (function,
        gradient), by (5.9) in plain Python, some hundred times slower.
    eta : float, default=0.05
        Learning rate of the first epoch: (5.4) with eta_w = eta.
    schedule : {"inverse", "exponential", "constant"}, default="inverse"
        eta / (1 + t/tau), eta exp(-t/tau) or eta after t epochs.
    tau : float, default=10.0
        Time of the schedule, in epochs.
    order : {"shuffled", "random", "cyclic"}, default="shuffled"
        Order of presentation: a new permutation each epoch, random with replacement (the notes), or cyclic.
    max_iter : int, default=30
        Maximum number of epochs; reaching it gives no warning.
    tol : float, default=1e-4
        Stop after an epoch that moved no prototype by more than tol times the spread of the data.
    keep : {"best", "last"}, default="best"
        The prototypes with the fewest errors on the training examples after any epoch, the start included
        (as the pocket of (4.2)), or those of the last epoch.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int makes the result reproducible.
    record : {"updates", "presentations"} or None, default=None
        Keep in `history_` each step that moved a prototype, or each step: example, Psi d(w*, xi) before and
        after, how far prototypes moved; all prototypes and the errors after it.

    Attributes
    ----------
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    prototype_labels_ : array (M,)
        Class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
    n_iter_ : int
        Epochs used (with `partial_fit`: calls).
    trace_ : structured array
        Fields step, cost and errors of each epoch: mean of Psi d(w*, xi) and number of wrong winners.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import LVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LVQ1(random_state=0).fit(iris.X, iris.y)
    >>> bool(model.score(iris.X, iris.y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = ONLINE | FALLING | DISTANCE

    def __init__(
        self,
        *,
        prototypes_per_class: Any = "auto",
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        distance: Any = "euclidean",
        eta: float = 0.05,
        schedule: str = "inverse",
        tau: float = 10.0,
        order: str = "shuffled",
        max_iter: int = 30,
        tol: float = 1e-4,
        keep: str = "best",
        random_state: Any = None,
        record: str | None = None,
    ) -> None:
        self.prototypes_per_class = prototypes_per_class
        self.initial = initial
        self.initial_prototypes = initial_prototypes
        self.initial_labels = initial_labels
        self.distance = distance
        self.eta = eta
        self.schedule = schedule
        self.tau = tau
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.keep = keep
        self.random_state = random_state
        self.record = record

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
