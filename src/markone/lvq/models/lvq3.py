"""LVQ3: LVQ2.1 that also keeps prototypes among their examples."""

from numbers import Real
from typing import Any, ClassVar

from markone.base.sklearn_compat import Interval
from markone.lvq.base.constraints import FALLING, ONLINE, WINDOW
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.solvers.online._winner_takes_all import LVQ3 as LVQ3_RULE
from markone.lvq.solvers.online.lesson import Lesson


class LVQ3(OnlineLVQ):
    """LVQ2.1, and where both of the two nearest prototypes are right both come closer, epsilon times as fast.

    This keeps prototypes typical of their class and needs two of them per class at least: with one it is
    `LVQ21` (Kohonen 1990).

    Parameters
    ----------
    prototypes_per_class, initial, initial_prototypes, initial_labels
        As in `LVQ1`.
    window : float, default=0.2
        Width s of the window: min(d_i/d_j, d_j/d_i) > (1 - s)/(1 + s) for the (unsquared) distances of the
        two nearest.
    epsilon : float, default=0.2
        Relative rate where both are right; 0 is LVQ2.1.
    eta : float, default=0.02
    schedule, tau, order, max_iter, tol, keep, random_state
        As in `LVQ1`; max_iter is 50.

    Attributes
    ----------
    prototypes_, prototype_labels_, classes_, n_iter_, trace_ : as in `LVQ1`.
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

    def _pass(self, lesson: Lesson, order: int) -> tuple[float, int]:
        return self._epoch(LVQ3_RULE, lesson, order, self.window, self.epsilon)
