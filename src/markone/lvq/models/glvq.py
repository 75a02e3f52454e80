"""Generalised LVQ: prototypes that minimise the cost (5.5), with any distance."""

from typing import Any, ClassVar

from markone.lvq.base.constraints import DISTANCE, GRADIENT, SCORE
from markone.lvq.base.gradient_base import GradientLVQ


class GLVQ(GradientLVQ):
    """Prototypes that minimise sum Phi((d_J - d_K)/(d_J + d_K)), J the nearest right, K wrong one.

    Sato and Yamada (1995). Scale X first (z-scores), unless the distance is invariant.

    Parameters
    ----------
    distance : str, Distance or pair (function, gradient), default="euclidean"
        A name in `distances.NAMES`, an object such as `distances.Minkowski(p=3)`, or own functions
        `function(X, w) -> (n,)` and `gradient(X, w) -> (n, N)`, which are compared before training.
    cost : {"glvq", "auc"}, default="glvq"
        (5.5), or for two classes the area under the ROC curve.
    phi : {"identity", "sigmoid", "swish", "soft+"} or None, default=None
        Phi of the cost; None: sigmoid.
    gamma : float or None, default=None
        Its steepness; None: 10, for swish 1 (above 1.278, for auc .639, swish is not monotonic).
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
    distance_
        The distance with its constants.
    trace_ : structured array with the fields step, cost, errors: `trace_["cost"]`.
    cost_, n_iter_, converged_
        The last cost, the steps, whether a minimum was reached.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import GLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = GLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.prototypes_.shape, bool(model.score(iris.X, iris.y) > 0.95)
    ((3, 4), True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = GRADIENT | SCORE | DISTANCE

    def __init__(
        self,
        *,
        distance: Any = "euclidean",
        cost: str = "glvq",
        phi: str | None = None,
        gamma: float | None = None,
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
        self.distance = distance
        self.cost = cost
        self.phi = phi
        self.gamma = gamma

    def _allows_sparse(self) -> bool:
        return self._make_distance().sparse

    def _model_settings(self) -> dict[str, Any]:
        return {"distance": self._make_distance(), "cost": self._make_cost()}
