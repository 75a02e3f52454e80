"""Robust soft LVQ: prototypes as centres of a Gaussian mixture, trained by its posteriors."""

from typing import Any

from markone.lvq.base.parameters import AnyDistance
from markone.lvq.base.soft import SoftLVQ
from markone.lvq.costs.rslvq import RSLVQCost


class RSLVQ(AnyDistance, SoftLVQ):
    """Prototypes that maximise the likelihood ratio sum ln P(y|x): a classifier with probabilities.

    Seo and Obermayer (2003). `predict` returns the most probable class; with one prototype per class that of
    the nearest. Separable data have no minimum: training stops after 100 steps.

    Attributes
    ----------
    sigma2_
        Width of the Gaussians.

    Examples
    --------
    >>> from markone import RSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = RSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    max_iter: int | None = 100

    def _model_settings(self) -> dict[str, Any]:
        return {"distance": self._make_distance(), "cost": RSLVQCost()} | self._width_settings()
