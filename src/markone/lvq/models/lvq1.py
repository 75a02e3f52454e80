"""LVQ1: the winner takes it all   (5.3, 5.4, 5.9)."""

from typing import Any, ClassVar

import numpy as np

from markone.lvq.base.constraints import DISTANCE, FALLING, ONLINE
from markone.lvq.base.fixed_distance import FixedDistance, fixed_distance
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.distances import Rows
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.distances.sparse_rows import is_sparse
from markone.lvq.solvers.online._sparse_lvq1 import one_epoch as sparse_epoch
from markone.lvq.solvers.online._winner_takes_all import LVQ1 as LVQ1_RULE
from markone.lvq.solvers.online.lesson import SCHEDULES, Lesson
from markone.lvq.solvers.online.plain import one_pass


class LVQ1(FixedDistance, OnlineLVQ):
    """Kohonen's first scheme: the nearest prototype moves towards an example of its class, else away from it.

    It descends no cost: it follows the gradient of Psi d(w*, xi) example by example. Prototypes end at
    class-typical places. Where the classes differ much in size, that of the rare one can be driven away for
    ever: `markone.lvq.theory.lvq1` says when.

    Parameters
    ----------
    prototypes_per_class : int, list, mapping label -> int, or "auto", default="auto"
        "auto" is one where the class means misclassify at most 5 % of the examples, else three.
    initial : {"kmeans", "means", "examples", "toolbox"}, default="kmeans"
        Where prototypes begin: k-means in each class (one: the class mean), around the class mean, at
        examples.
    initial_prototypes, initial_labels : array-like, default=None
        Begin at these vectors instead.
    distance : str, Distance or pair of functions, default="euclidean"
        Squared Euclidean in compiled code; any other of `markone.lvq.distances`, or your own (function,
        gradient), by (5.9) in plain Python, some hundred times slower.
    eta : float, default=0.05
        Learning rate of the first epoch: (5.4) with eta_w = eta.
    schedule : {"inverse", "exponential", "constant"}, default="inverse"
        eta / (1 + t/tau), eta exp(-t/tau) or eta after t epochs.
    tau : float, default=10.0
        In epochs.
    order : {"shuffled", "random", "cyclic"}, default="shuffled"
        A new order each epoch, examples by lot as in the notes, or in turn.
    max_iter : int, default=30
        Epochs at the most. Using them all is no failure and gives no warning.
    tol : float, default=1e-4
        Stop after an epoch that moved no prototype by more than tol times the spread of the data.
    keep : {"best", "last"}, default="best"
        The prototypes with the fewest errors on the training examples after any epoch, the start included
        (as the pocket of (4.2)), or those of the last epoch.
    random_state : int, RandomState or None, default=None
        Seed of all that is drawn; a whole number gives the same answer each time.
    record : {"updates", "presentations"} or None, default=None
        Keep in `history_` each step that moved a prototype, or each step: example, Psi d(w*, xi) before and
        after, how far prototypes moved; all prototypes and the errors after it.

    Attributes
    ----------
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    prototype_labels_ : array (M,)
        The class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
    n_iter_ : int
        Epochs used (with `partial_fit`: calls).
    trace_ : structured array
        Fields step, cost and errors of each epoch: mean of Psi d(w*, xi) and wrong winners, as met.
    history_ : History
        The recorded steps, if asked for by `record`; see `markone.show.animate`.

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

    def _begin(self, lesson: Lesson) -> None:
        self.distance_ = fixed_distance(self.distance).prepare(lesson.xi, lesson.y, lesson.c, lesson.weight)
        self._inside(lesson)

    def _widen(self, lesson: Lesson) -> None:
        self.distance_ = self.distance_.with_prototypes(lesson.c)
        self._inside(lesson)

    def _inside(self, lesson: Lesson) -> None:
        """Prototypes as the distance can have them: a divergence, without empty bins."""
        if not isinstance(self.distance_, Euclidean):
            lesson.w = np.ascontiguousarray(self.distance_.decode(self.distance_.encode(lesson.w)))

    def _pass(self, lesson: Lesson, order: int) -> tuple[float, int]:
        if is_sparse(lesson.xi):
            return self._sparse_pass(lesson, order)
        if isinstance(self.distance_, Euclidean):
            return self._epoch(LVQ1_RULE, lesson, order)
        return one_pass(lesson, self.distance_, self.eta, SCHEDULES[self.schedule], self.tau, order)

    def _sparse_pass(self, lesson: Lesson, order: int) -> tuple[float, int]:
        xi: Any = lesson.xi
        # One type for the compiler, whatever scipy chose for these rows.
        rows = xi.data.astype(np.float64), xi.indices.astype(np.int64), xi.indptr.astype(np.int64)
        how = float(self.eta), SCHEDULES[self.schedule], float(self.tau), lesson.t
        of = lesson.y, lesson.weight, lesson.w, lesson.c
        cost, wrong = sparse_epoch(*rows, *of, *how, order, lesson.turn, lesson.state)
        return float(cost), int(wrong)

    def _errors(self, lesson: Lesson) -> float:
        if isinstance(self.distance_, Euclidean):
            return lesson.errors()
        D, _ = self.distance_.evaluate(Rows.of(lesson.xi), lesson.w)
        return float(lesson.weight[lesson.c[D.argmin(axis=1)] != lesson.y].sum())
