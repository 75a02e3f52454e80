"""Generalised relevance LVQ: one adaptive weight per feature."""

from typing import Any

from markone.lvq.base.metric import MetricLVQ
from markone.lvq.base.parameters import FixedRelevance, InitialOmega, PhiCostParameters
from markone.lvq.distances.adaptive.diagonal import Diagonal


class GRLVQ(InitialOmega, FixedRelevance, PhiCostParameters, MetricLVQ):
    """GLVQ with d = sum_i relevance_i (x_i - w_i)^2, relevances adapted, their sum one.

    Hammer and Villmann (2002).

    Parameters
    ----------
    initial_omega : {"identity", "random"} or array-like (1, N)
        Roots of the initial relevances.

    Attributes
    ----------
    relevance_, lambda_, omega_
        The relevances, and the diagonal matrices of them and of their roots.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GRLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.relevance_.shape, bool(abs(model.relevance_.sum() - 1) < 1e-12)
    ((4,), True)
    """

    def _model_settings(self) -> dict[str, Any]:
        settings = {"distance": Diagonal(), "cost": self._make_cost()}
        return settings | {"fixed": self._fixed_relevances(), "initial_omega": self.initial_omega}
