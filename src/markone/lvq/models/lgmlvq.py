"""Local matrices: an adaptive quadratic distance per class or prototype."""

from typing import Any, ClassVar

from markone.lvq.base.metric import MetricLVQ, checked_rank
from markone.lvq.base.parameters import LocalMatrices, MatrixPenalty
from markone.lvq.distances.adaptive.local import Local


class LGMLVQ(LocalMatrices, MatrixPenalty, MetricLVQ):
    """GLVQ with d_j = |Omega_j (x - w_j)|^2, one matrix per class or prototype.

    Its borders are quadrics. Converged it overfits; stopped early (the default), it was the most accurate of
    all prototype models measured.

    Attributes
    ----------
    lambda_, relevance_
        The relevance matrix Lambda = Omega' Omega of trace one, and its diagonal.
    omega_, omega_of_
        A stack of matrices, and the index of the matrix of each prototype. Rows are
        sqrt(eigenvalue) x eigenvector: Omega is free up to a rotation, this is its canonical form.
    eigenvalues_, eigenvectors_
        Of Lambda, largest first; the largest component of a vector is positive.

    Examples
    --------
    >>> from markone import LGMLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LGMLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.omega_.shape, model.omega_of_.tolist()
    ((3, 4, 4), [0, 1, 2])
    """

    # With a matrix the steep cost overfits; the toolbox's identity does not.
    _usual_phi: ClassVar[str] = "identity"

    solver: Any = "waypoint"

    def _model_settings(self) -> dict[str, Any]:
        settings = {
            "distance": Local(self.per),
            "cost": self._make_cost(),
            "rank": checked_rank(self),
            "mu": self.mu,
        }
        settings |= {"fixed": self._fixed_relevances(), "initial_omega": self.initial_omega}
        return settings | {"row_space": self.row_space}
