"""Generalised relevance LVQ: one adaptive weight per feature."""

from collections.abc import Mapping
from typing import Any, ClassVar

from markone.lvq.base.constraints import FIXED, GRADIENT, OMEGA, SCORE
from markone.lvq.base.metric import MetricLVQ
from markone.lvq.distances.adaptive.diagonal import Diagonal


class GRLVQ(MetricLVQ):
    """GLVQ with d = sum_i relevance_i (x_i - w_i)^2, relevances adapted, their sum one.

    Hammer and Villmann (2002).

    Parameters
    ----------
    cost : {"glvq", "auc"}, default="glvq"
        (5.5), or for two classes the area under the ROC curve.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None, default=None
        Phi of the cost; None: sigmoid.
    gamma : float or None, default=None
        Its steepness; None: 10, for swish 1 (above 1.278, for auc .639, swish is not monotonic).
    fixed_relevance : mapping feature -> value or None, default=None
        Relevances fixed by the user; the others sum to the rest of one.
    initial_omega : {"identity", "random"} or array-like (1, N), default="identity"
        Roots of the initial relevances.
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
        The relevances, as used by scikit-learn's selectors.
    relevance_, lambda_, omega_
        The relevances, and the diagonal matrices of them and of their roots.
    trace_ : structured array with the fields step, cost, errors: `trace_["cost"]`.
    cost_, n_iter_, converged_
        The last cost, the steps, whether a minimum was reached.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GRLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.relevance_.shape, bool(abs(model.relevance_.sum() - 1) < 1e-12)
    ((4,), True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = GRADIENT | SCORE | FIXED | OMEGA

    def __init__(
        self,
        *,
        cost: str = "glvq",
        phi: str | None = None,
        gamma: float | None = None,
        fixed_relevance: Mapping[Any, float] | None = None,
        initial_omega: Any = "identity",
        prototypes_per_class: Any = 1,
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        solver: Any = "lbfgs",
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
        self.cost = cost
        self.phi = phi
        self.gamma = gamma
        self.fixed_relevance = fixed_relevance
        self.initial_omega = initial_omega

    def _model_settings(self) -> dict[str, Any]:
        settings = {"distance": Diagonal(), "cost": self._make_cost()}
        return settings | {"fixed": self._fixed_relevances(), "initial_omega": self.initial_omega}
