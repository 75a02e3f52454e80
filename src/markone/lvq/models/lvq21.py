"""LVQ2.1: updates of the two nearest prototypes, in a window around the border between them."""

from markone.lvq.base.online import OnlineLVQ
from markone.lvq.base.parameters import BorderWindow
from markone.lvq.solvers.online._winner_takes_all import LVQ21 as LVQ21_RULE
from markone.lvq.solvers.online.online_training import OnlineTraining


class LVQ21(BorderWindow, OnlineLVQ):
    """Of the two nearest prototypes the right one moves towards the example, the wrong one away from it.

    Only if just one of them is right and the example is near their border (Kohonen 1990).

    It adapts borders, not prototypes: these diverge if the rate does not decrease. `keep="best"` returns
    those with the fewest errors.

    Examples
    --------
    >>> from markone import LVQ21
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> bool(LVQ21(random_state=0).fit(iris.X, iris.y).score(iris.X, iris.y) > 0.9)
    True
    """

    def _single_pass(self, training: OnlineTraining, order: int) -> tuple[float, int]:
        return self._compiled_epoch(LVQ21_RULE, training, order, self.window)
