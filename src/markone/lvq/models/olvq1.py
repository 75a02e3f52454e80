"""OLVQ1: LVQ1 with a rate of its own for each prototype."""

from typing import Any, ClassVar

import numpy as np

from markone.lvq.base.constraints import ONLINE
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.solvers.online._winner_takes_all import OLVQ1 as OLVQ1_RULE
from markone.lvq.solvers.online.lesson import Lesson


class OLVQ1(OnlineLVQ):
    """LVQ1 whose rates fall by themselves: eta_j <- eta_j / (1 + Psi eta_j) when prototype j wins.

    A prototype that wins rightly k times has the rate eta / (1 + k eta), so that all its examples count
    alike in its position and nothing is to be tuned. A wrong win raises the rate again, to the first one at
    the most.

    Parameters
    ----------
    prototypes_per_class, initial, initial_prototypes, initial_labels
        As in `LVQ1`.
    eta : float, default=0.3
        First and largest rate of each prototype.
    order, max_iter, tol, keep, random_state
        As in `LVQ1`.

    Attributes
    ----------
    rates_ : eta_j of each prototype at the end.
    prototypes_, prototype_labels_, classes_, n_iter_, trace_ : as in `LVQ1`.
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

    def _begin(self, lesson: Lesson) -> None:
        self.rates_ = np.full(len(lesson.w), float(self.eta))

    def _widen(self, lesson: Lesson) -> None:
        self.rates_ = np.append(self.rates_, np.full(len(lesson.w) - len(self.rates_), float(self.eta)))

    def _pass(self, lesson: Lesson, order: int) -> tuple[float, int]:
        return self._epoch(OLVQ1_RULE, lesson, order, rates=self.rates_)

    def _snapshot(self, lesson: Lesson) -> Any:
        return lesson.w.copy(), self.rates_.copy()

    def _restore(self, lesson: Lesson, kept: Any) -> None:
        lesson.w, self.rates_ = kept
