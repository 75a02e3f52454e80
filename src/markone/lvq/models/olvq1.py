"""OLVQ1: LVQ1 with an adaptive rate for each prototype."""

from typing import Any

import numpy as np

from markone.lvq.base.online import OnlineLVQ
from markone.lvq.solvers.online._winner_takes_all import OLVQ1 as OLVQ1_RULE
from markone.lvq.solvers.online.online_training import OnlineTraining


class OLVQ1(OnlineLVQ):
    """LVQ1 with adaptive rates: eta_j <- eta_j / (1 + Psi eta_j) when prototype j wins.

    A prototype with k right wins has the rate eta / (1 + k eta), so that all its examples have equal weight
    in its position and no schedule is needed. A wrong win raises the rate, at most to the initial one.

    Parameters
    ----------
    eta : float
        Initial and largest rate of each prototype.

    Attributes
    ----------
    rates_ : array (M,)
        eta_j of each prototype at the end.

    Examples
    --------
    >>> from markone import OLVQ1
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(OLVQ1(random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    eta: float = 0.3

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
