"""Local matrix robust soft LVQ: posteriors of a Gaussian mixture with local adaptive metrics."""

from typing import Any, ClassVar

from markone.lvq.base.constraints import GRADIENT, NOT_NEGATIVE, OMEGA, PER, RANK, ROW_SPACE, SIGMA2
from markone.lvq.base.metric import MetricLVQ, checked_rank
from markone.lvq.base.soft import SoftLVQ
from markone.lvq.costs.rslvq import RSLVQCost
from markone.lvq.distances.adaptive.local import Local


class LMRSLVQ(SoftLVQ, MetricLVQ):
    """RSLVQ with d_j = |Omega_j (x - w_j)|^2, one matrix a class or a prototype.

    Schneider, Biehl and Hammer (2009). As in `MRSLVQ` the size of the matrices is a temperature; they share
    one, since posteriors compare distances of different prototypes. It goes into `sigma2_`, so that the
    traces of `lambda_` have the mean one. Converged it overfits: ten steps by default (ten-fold accuracy on
    iris, wine and breast cancer .967, .972, .975; after fifty .933, .967, .965).

    Parameters
    ----------
    per : {"class", "prototype"}, default="class"
        Who has a matrix of its own.
    rank : int or None, default=None
        Rows of Omega; None: as many as features.
    sigma2 : float, "learned" or None, default=None
        Width of the Gaussians, common to all; None: the mean distance of the data from their mean, by
        feature (one for z-scores); "learned": adapted from there.
    l2 : float, default=0.0
        Penalty l2/2 |Omega|^2.
    initial_omega : {"identity", "random"} or array-like, default="identity"
    row_space : bool, default=True
        Free Omega of directions in which no two examples differ.
    prototypes_per_class, initial, initial_prototypes, initial_labels
    class_weight, cost_matrix, solver, max_iter, random_state
        As in `MRSLVQ`; max_iter is 10.

    Attributes
    ----------
    prototypes_, prototype_labels_ : in the units of X.
    feature_importances_ : the relevances, their mean, as scikit-learn's selectors want them.
    lambda_, relevance_ : the matrices Lambda = Omega' Omega, of mean trace one, and their diagonals.
    omega_, omega_of_ : a stack of matrices, and which of them each prototype has.
    sigma2_ : the width, in units of these metrics.
    trace_ : structured array with the fields step, cost, errors: `trace_["cost"]`.
    cost_, n_iter_, converged_ : the last cost, the steps, whether a minimum was reached.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        GRADIENT | SIGMA2 | RANK | OMEGA | ROW_SPACE | PER | {"l2": [NOT_NEGATIVE]}
    )

    def __init__(
        self,
        *,
        per: str = "class",
        rank: int | None = None,
        sigma2: Any = None,
        l2: float = 0.0,
        initial_omega: Any = "identity",
        row_space: bool = True,
        prototypes_per_class: Any = 1,
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        solver: Any = "lbfgs",
        max_iter: int | None = 10,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            prototypes_per_class=prototypes_per_class,
            initial=initial,
            initial_prototypes=initial_prototypes,
            initial_labels=initial_labels,
            class_weight=class_weight,
            cost_matrix=cost_matrix,
            solver=solver,
            max_iter=max_iter,
            random_state=random_state,
        )
        self.per = per
        self.rank = rank
        self.sigma2 = sigma2
        self.l2 = l2
        self.initial_omega = initial_omega
        self.row_space = row_space

    def _settings(self) -> dict[str, Any]:
        settings = {"distance": Local(self.per), "cost": RSLVQCost(), "rank": checked_rank(self)}
        settings |= {"l2": self.l2, "initial_omega": self.initial_omega, "row_space": self.row_space}
        return settings | self._width()
