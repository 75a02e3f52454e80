"""OLVQ1: LVQ1 with an adaptive rate for each prototype."""

from typing import Any, ClassVar

import numpy as np

from markone.lvq.base.constraints import ONLINE
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.solvers.online._winner_takes_all import OLVQ1 as OLVQ1_RULE
from markone.lvq.solvers.online.online_training import OnlineTraining


class OLVQ1(OnlineLVQ):
    """LVQ1 with adaptive rates: eta_j <- eta_j / (1 + Psi eta_j) when prototype j wins.

    A prototype with k right wins has the rate eta / (1 + k eta), so that all its examples have equal weight
    in its position and no schedule is needed. A wrong win raises the rate, at most to the initial one.

    Parameters
    ----------
    prototypes_per_class : int, list, mapping label -> int, or "auto", default="auto"
        "auto" is one where the class means misclassify at most 5 % of the examples, else three.
    initial : {"kmeans", "means", "examples", "toolbox"}, default="kmeans"
        Initial prototypes: k-means in each class (a single one: the class mean), around the class mean,
        random examples, or class means times 0.99 .. 1.01 as in the GMLVQ toolbox.
    initial_prototypes : array-like or None, default=None
        Given initial vectors.
    initial_labels : array-like or None, default=None
        The classes of the given vectors.
    eta : float, default=0.3
        Initial and largest rate of each prototype.
    order : {"shuffled", "random", "cyclic"}, default="shuffled"
        Order of presentation: a new permutation each epoch, random with replacement (the notes), or cyclic.
    max_iter : int, default=30
        Maximum number of epochs; reaching it gives no warning.
    tol : float, default=0.0001
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
    rates_ : array (M,)
        eta_j of each prototype at the end.
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    prototype_labels_ : array (M,)
        Class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
    n_iter_ : int
        Epochs used.
    trace_ : structured array
        Fields step, cost and errors of each step.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import OLVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(OLVQ1(random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = ONLINE

    def __init__(
        self,
        *,
        prototypes_per_class: Any = "auto",
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        eta: float = 0.3,
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
        self.eta = eta
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.keep = keep
        self.random_state = random_state
        self.record = record

    def _init_state(self, training: OnlineTraining) -> None:
        self.rates_ = np.full(len(training.w), float(self.eta))

    def _extend_state(self, training: OnlineTraining) -> None:
        self.rates_ = np.append(self.rates_, np.full(len(training.w) - len(self.rates_), float(self.eta)))

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(OLVQ1_RULE, training, order, rates=self.rates_)

    def _copy_state(self, training: OnlineTraining) -> Any:
        return training.w.copy(), self.rates_.copy()

    def _restore_state(self, training: OnlineTraining, kept: Any) -> None:
        training.w, self.rates_ = kept
