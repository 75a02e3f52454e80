"""LVQ3: LVQ2.1 that also keeps prototypes typical of their class."""

from numbers import Real
from typing import Any, ClassVar

from markone.base.sklearn_compat import Interval
from markone.lvq.base.constraints import FALLING, ONLINE, WINDOW
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.solvers.online._winner_takes_all import LVQ3 as LVQ3_RULE
from markone.lvq.solvers.online.online_training import OnlineTraining


class LVQ3(OnlineLVQ):
    """LVQ2.1; if both of the two nearest prototypes are right, both move closer with rate epsilon * eta.

    This keeps prototypes typical of their class and needs at least two per class: with one it is `LVQ21`
    (Kohonen 1990).

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
    epsilon : float, default=0.2
        Relative rate where both are right; 0 is LVQ2.1.
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
    >>> from markone import LVQ3
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(LVQ3(prototypes_per_class=2, random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        ONLINE | FALLING | WINDOW | {"epsilon": [Interval(Real, 0, 1, closed="both")]}
    )

    def __init__(
        self,
        *,
        prototypes_per_class: Any = "auto",
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        window: float = 0.2,
        epsilon: float = 0.2,
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
        self.epsilon = epsilon
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
        return self._compiled_epoch(LVQ3_RULE, training, order, self.window, self.epsilon)
