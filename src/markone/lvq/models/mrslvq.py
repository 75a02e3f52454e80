"""Matrix robust soft LVQ: posteriors of a Gaussian mixture in an adaptive metric."""

from typing import Any

from markone.lvq.base.metric import MetricLVQ, checked_rank
from markone.lvq.base.parameters import OmegaDecay
from markone.lvq.base.soft import SoftLVQ
from markone.lvq.costs.rslvq import RSLVQCost
from markone.lvq.distances.adaptive.quadratic import Quadratic


class MRSLVQ(OmegaDecay, SoftLVQ, MetricLVQ):
    """RSLVQ with d = |Omega (x - w)|^2, Omega adapted with the prototypes.

    Schneider, Biehl and Hammer (2009). The size of Omega acts as a temperature, which tends to zero in
    training. By default training stops after 50 steps; `l2` with `max_iter=1000` regularises instead. The
    final size goes into `sigma2_`, so that `lambda_` has trace one.

    Attributes
    ----------
    lambda_, relevance_
        The relevance matrix Lambda = Omega' Omega of trace one, and its diagonal.
    omega_
        Rows sqrt(eigenvalue) x eigenvector: Omega is free up to a rotation, this is its canonical form.
    eigenvalues_, eigenvectors_
        Of Lambda, largest first; the largest component of a vector is positive.
    sigma2_
        Width of the Gaussians, in units of this metric.

    Examples
    --------
    >>> from markone import MRSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = MRSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    max_iter: int | None = 50

    def _model_settings(self) -> dict[str, Any]:
        settings = {"distance": Quadratic(), "cost": RSLVQCost(), "rank": checked_rank(self), "l2": self.l2}
        settings |= {"initial_omega": self.initial_omega, "row_space": self.row_space}
        return settings | self._width_settings()
