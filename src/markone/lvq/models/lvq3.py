"""LVQ3: LVQ2.1 that also keeps prototypes typical of their class."""

from numbers import Real
from typing import ClassVar

from markone.base.sklearn_compat import Interval
from markone.lvq.base.online import OnlineLVQ
from markone.lvq.base.parameters import BorderWindow, Constraints
from markone.lvq.solvers.online._winner_takes_all import LVQ3 as LVQ3_RULE
from markone.lvq.solvers.online.online_training import OnlineTraining


class LVQ3(BorderWindow, OnlineLVQ):
    """LVQ2.1; if both of the two nearest prototypes are right, both move closer with rate epsilon * eta.

    This keeps prototypes typical of their class and needs at least two per class: with one it is `LVQ21`
    (Kohonen 1990).

    Parameters
    ----------
    epsilon : float
        Relative rate where both are right; 0 is LVQ2.1.

    Examples
    --------
    >>> from markone import LVQ3
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(LVQ3(prototypes_per_class=2, random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    _parameter_constraints: ClassVar[Constraints] = {"epsilon": [Interval(Real, 0, 1, closed="both")]}

    epsilon: float = 0.2

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(LVQ3_RULE, training, order, self.window, self.epsilon)
