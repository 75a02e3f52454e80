"""Generalised matrix relevance LVQ: an adaptive quadratic distance (5.13), (5.17)."""

from typing import Any, ClassVar

from markone.lvq.base.metric import MetricLVQ, checked_rank
from markone.lvq.base.parameters import MatrixPenalty
from markone.lvq.distances.adaptive.quadratic import Quadratic


class GMLVQ(MatrixPenalty, MetricLVQ):
    """GLVQ with d = |Omega (x - w)|^2 and one matrix Omega, adapted with the prototypes.

    Schneider, Biehl and Hammer (2009); limited rank: Bunte et al. (2012). Lambda shows which
    features are relevant; it tends to very low rank by itself.

    Attributes
    ----------
    lambda_, relevance_
        The relevance matrix Lambda = Omega' Omega of trace one, and its diagonal.
    omega_
        Rows sqrt(eigenvalue) x eigenvector: Omega is free up to a rotation, this is its canonical form.
    eigenvalues_, eigenvectors_
        Of Lambda, largest first; the largest component of a vector is positive.

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GMLVQ(random_state=0).fit(iris.X, iris.y)
    >>> iris.feature_names[model.relevance_.argmax()], bool(abs(model.lambda_.trace() - 1) < 1e-12)
    ('petal width (cm)', True)
    """

    # With a matrix the steep cost overfits; the toolbox's identity does not.
    _usual_phi: ClassVar[str] = "identity"

    solver: Any = "waypoint"

    def _model_settings(self) -> dict[str, Any]:
        settings = {
            "distance": Quadratic(),
            "cost": self._make_cost(),
            "rank": checked_rank(self),
            "mu": self.mu,
        }
        settings |= {"fixed": self._fixed_relevances(), "initial_omega": self.initial_omega}
        return settings | {"row_space": self.row_space}
