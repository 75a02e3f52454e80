"""LVQ2.1: updates of the two nearest prototypes, in a window around the border between them."""

from typing import Any, ClassVar

from markone.lvq.base.constraints import FALLING, ONLINE, WINDOW
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.solvers.online._winner_takes_all import LVQ21 as LVQ21_RULE
from markone.lvq.solvers.online.online_training import OnlineTraining


class LVQ21(OnlineLVQ):
    """Of the two nearest prototypes the right one moves towards the example, the wrong one away from it.

    Only if just one of them is right and the example is near their border (Kohonen 1990).

    It adapts borders, not prototypes: these diverge if the rate does not decrease. `keep="best"` returns
    those with the fewest errors.

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
    window : float, default=0.2
        Width s of the window: min(d_i/d_j, d_j/d_i) > (1 - s)/(1 + s) for the (unsquared) distances of the
        two nearest.
    eta : float, default=0.02
        Learning rate of the first epoch.
    schedule : {"inverse", "exponential", "constant"}, default="inverse"
        eta / (1 + t/tau), eta exp(-t/tau) or eta after t epochs.
    tau : float, default=10.0
        Time of the schedule, in epochs.
    order : {"shuffled", "random", "cyclic"}, default="shuffled"
        Order of presentation: a new permutation each epoch, random with replacement (the notes), or cyclic.
    max_iter : int, default=50
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
    >>> from markone import LVQ21
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(LVQ21(random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = ONLINE | FALLING | WINDOW

    def __init__(
        self,
        *,
        prototypes_per_class: Any = "auto",
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        window: float = 0.2,
        eta: float = 0.02,
        schedule: str = "inverse",
        tau: float = 10.0,
        order: str = "shuffled",
        max_iter: int = 50,
        tol: float = 1e-4,
        keep: str = "best",
        random_state: Any = None,
        record: str | None = None,
    ) -> None:
        self.prototypes_per_class = prototypes_per_class
        self.initial = initial
        self.initial_prototypes = initial_prototypes
        self.initial_labels = initial_labels
        self.window = window
        self.eta = eta
        self.schedule = schedule
        self.tau = tau
        self.order = order
        self.max_iter = max_iter
        self.tol = tol
        self.keep = keep
        self.random_state = random_state
        self.record = record

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(LVQ21_RULE, training, order, self.window)
