"""Matrix robust soft LVQ: posteriors of a Gaussian mixture in an adaptive metric."""

from typing import Any, ClassVar

from markone.lvq.base.constraints import GRADIENT, NOT_NEGATIVE, OMEGA, RANK, ROW_SPACE, SIGMA2
from markone.lvq.base.metric import MetricLVQ, checked_rank
from markone.lvq.base.soft import SoftLVQ
from markone.lvq.costs.rslvq import RSLVQCost
from markone.lvq.distances.adaptive.quadratic import Quadratic


class MRSLVQ(SoftLVQ, MetricLVQ):
    """RSLVQ with d = |Omega (x - w)|^2, Omega adapted with the prototypes.

    Schneider, Biehl and Hammer (2009). The size of Omega acts as a temperature, which tends to zero in
    training. By default training stops after 50 steps; `l2` with `max_iter=1000` regularises instead. The
    final size goes into `sigma2_`, so that `lambda_` has trace one.

    Parameters
    ----------
    rank : int or None, default=None
        Rows of Omega; None: as many as features.
    sigma2 : float, "learned" or None, default=None
        Width of the Gaussians, common to all; None: the mean distance of the data from their mean, by
        feature (one for z-scores); "learned": adapted from there.
    l2 : float, default=0.0
        Penalty l2/2 |Omega|^2.
    initial_omega : {"identity", "random"} or array-like, default="identity"
        Initial Omega.
    row_space : bool, default=True
        Remove directions in which no two examples differ from Omega.
    prototypes_per_class : int, list in the order of the classes, or mapping label -> int, default=1
        Number of prototypes of each class.
    initial : {"kmeans", "means", "examples", "toolbox"}, default="kmeans"
        Initial prototypes: k-means in each class (a single one: the class mean), around the class mean,
        random examples, or class means times 0.99 .. 1.01 as in the GMLVQ toolbox.
    initial_prototypes, initial_labels : array-like or None, default=None
        Given initial vectors and their classes.
    class_weight : dict, "balanced" or None, default=None
        Weight of the examples of each class in the cost.
    cost_matrix : array-like (C, C) or None, default=None
        Cost of predicting class l (column) for class k (row), in the order of `classes_`.
    solver : {"lbfgs", "waypoint", "stochastic"} or a solver object, default="lbfgs"
        L-BFGS to a minimum; the toolbox's batch gradient (50 steps); stochastic gradient on mini-batches.
        `solvers.Waypoint(steps=100)` and the like have other settings.
    max_iter : int or None, default=50
        Maximum number of steps (epochs); None: the default of the solver.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int makes the result reproducible.
    record : {"updates", "presentations"} or None, default=None
        Keep the steps of the solver in `history_`: cost before and after, how far prototypes moved;
        prototypes, metric and errors after each. Both values record all steps.
    n_jobs : int or None, default=None
        Cores for batches of more than 8192 rows: None is one, -1 all. The result does not depend on it.

    Attributes
    ----------
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    prototype_labels_ : array (M,)
        Class of each prototype.
    feature_importances_
        The relevances, as used by scikit-learn's selectors.
    lambda_, relevance_
        The relevance matrix Lambda = Omega' Omega of trace one, and its diagonal.
    omega_
        Rows sqrt(eigenvalue) x eigenvector: Omega is free up to a rotation, this is its canonical form.
    eigenvalues_, eigenvectors_
        Of Lambda, largest first; the largest component of a vector is positive.
    sigma2_
        Width of the Gaussians, in units of this metric.
    trace_ : structured array with the fields step, cost, errors: `trace_["cost"]`.
    cost_, n_iter_, converged_
        The last cost, the steps, whether a minimum was reached.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import MRSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = MRSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        GRADIENT | SIGMA2 | RANK | OMEGA | ROW_SPACE | {"l2": [NOT_NEGATIVE]}
    )

    def __init__(
        self,
        *,
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
        max_iter: int | None = 50,
        random_state: Any = None,
        record: str | None = None,
        n_jobs: int | None = None,
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
            record=record,
            n_jobs=n_jobs,
        )
        self.rank = rank
        self.sigma2 = sigma2
        self.l2 = l2
        self.initial_omega = initial_omega
        self.row_space = row_space

    def _model_settings(self) -> dict[str, Any]:
        settings = {"distance": Quadratic(), "cost": RSLVQCost(), "rank": checked_rank(self), "l2": self.l2}
        settings |= {"initial_omega": self.initial_omega, "row_space": self.row_space}
        return settings | self._width_settings()
