"""Generalised LVQ: prototypes that minimise the cost (5.5), with any distance."""

from typing import Any

from markone.lvq.base.gradient_base import GradientLVQ
from markone.lvq.base.parameters import AnyDistance, PhiCostParameters


class GLVQ(AnyDistance, PhiCostParameters, GradientLVQ):
    """Prototypes that minimise sum Phi((d_J - d_K)/(d_J + d_K)), J the nearest right, K wrong one.

    Sato and Yamada (1995). Scale X first (z-scores), unless the distance is invariant.

    Attributes
    ----------
    distance_
        The distance with its constants.

    Examples
    --------
    >>> from markone import GLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.prototypes_.shape, bool(model.score(iris.X, iris.y) > 0.95)
    ((3, 4), True)
    """

    def _allows_sparse(self) -> bool:
        return self._make_distance().sparse

    def _model_settings(self) -> dict[str, Any]:
        return {"distance": self._make_distance(), "cost": self._make_cost()}
