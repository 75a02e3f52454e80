"""Local matrices: an adaptive quadratic distance per class or prototype."""

from collections.abc import Mapping
from typing import Any, ClassVar

from markone.lvq.base.constraints import FIXED, GRADIENT, MU, OMEGA, PER, RANK, ROW_SPACE, SCORE
from markone.lvq.base.metric import MetricLVQ, checked_rank
from markone.lvq.distances.adaptive.local import Local


class LGMLVQ(MetricLVQ):
    """GLVQ with d_j = |Omega_j (x - w_j)|^2, one matrix per class or prototype.

    Its borders are quadrics. Converged it overfits; stopped early (the default), it was the most accurate of
    all prototype models measured.

    Parameters
    ----------
    per : {"class", "prototype"}, default="class"
        Whether each class or each prototype has its own matrix.
    rank : int or None, default=None
        Rows of Omega; None: as many as features.
    cost : {"glvq", "auc"}, default="glvq"
        (5.5), or for two classes the area under the ROC curve.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None, default=None
        Phi of the cost; None: identity (auc: sigmoid).
    gamma : float or None, default=None
        Its steepness; None: 10, for swish 1 (above 1.278, for auc .639, swish is not monotonic).
    mu : float, default=0.0
        Penalty -mu/2 ln det(Omega Omega') against relevance matrices of low rank.
    fixed_relevance : mapping feature -> value or None, default=None
        Relevances fixed by the user; the others sum to the rest of one.
    initial_omega : {"identity", "random"} or array-like, default="identity"
        Initial Omega; a rectangular identity consists of the differences of the initial prototypes.
    row_space : bool, default=True
        Remove directions in which no two examples differ from Omega (null-space correction).
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
    solver : {"lbfgs", "waypoint", "stochastic"} or a solver object, default="waypoint"
        L-BFGS to a minimum; the toolbox's batch gradient (50 steps); stochastic gradient on mini-batches.
        `solvers.Waypoint(steps=100)` and the like have other settings.
    max_iter : int or None, default=None
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
        The mean of the relevances, as used by scikit-learn's selectors.
    lambda_, relevance_
        The relevance matrix Lambda = Omega' Omega of trace one, and its diagonal.
    omega_, omega_of_
        A stack of matrices, and the index of the matrix of each prototype. Rows are
        sqrt(eigenvalue) x eigenvector: Omega is free up to a rotation, this is its canonical form.
    eigenvalues_, eigenvectors_
        Of Lambda, largest first; the largest component of a vector is positive.
    trace_ : structured array with the fields step, cost, errors: `trace_["cost"]`.
    cost_, n_iter_, converged_
        The last cost, the steps, whether a minimum was reached.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import LGMLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LGMLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.omega_.shape, model.omega_of_.tolist()
    ((3, 4, 4), [0, 1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        GRADIENT | SCORE | RANK | OMEGA | MU | FIXED | ROW_SPACE | PER
    )
    # With a matrix the steep cost overfits; the toolbox's identity does not.
    _usual_phi: ClassVar[str] = "identity"

    def __init__(
        self,
        *,
        per: str = "class",
        rank: int | None = None,
        cost: str = "glvq",
        phi: str | None = None,
        gamma: float | None = None,
        mu: float = 0.0,
        fixed_relevance: Mapping[Any, float] | None = None,
        initial_omega: Any = "identity",
        row_space: bool = True,
        prototypes_per_class: Any = 1,
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        solver: Any = "waypoint",
        max_iter: int | None = None,
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
        self.per = per
        self.rank = rank
        self.cost = cost
        self.phi = phi
        self.gamma = gamma
        self.mu = mu
        self.fixed_relevance = fixed_relevance
        self.initial_omega = initial_omega
        self.row_space = row_space

    def _model_settings(self) -> dict[str, Any]:
        settings = {
            "distance": Local(self.per),
            "cost": self._make_cost(),
            "rank": checked_rank(self),
            "mu": self.mu,
        }
        settings |= {"fixed": self._fixed_relevances(), "initial_omega": self.initial_omega}
        return settings | {"row_space": self.row_space}
