"""Robust soft LVQ: prototypes as centres of a Gaussian mixture, trained by its posteriors."""

from typing import Any, ClassVar

from markone.lvq.base.constraints import DISTANCE, GRADIENT, SIGMA2
from markone.lvq.base.soft import SoftLVQ
from markone.lvq.costs.rslvq import RSLVQCost


class RSLVQ(SoftLVQ):
    """Prototypes that maximise the likelihood ratio sum ln P(y|x): a classifier with probabilities.

    Seo and Obermayer (2003). `predict` returns the most probable class; with one prototype per class that of
    the nearest. Separable data have no minimum: training stops after 100 steps.

    Parameters
    ----------
    distance : str, Distance or pair (function, gradient), default="euclidean"
        A name in `distances.NAMES`, an object such as `distances.Minkowski(p=3)`, or own functions
        `function(X, w) -> (n,)` and `gradient(X, w) -> (n, N)`, which are compared before training.
    sigma2 : float, "learned" or None, default=None
        Width of the Gaussians, common to all; None: the mean distance of the data from their mean, by
        feature (one for z-scores); "learned": adapted from there.
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
    max_iter : int or None, default=100
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
    sigma2_
        Width of the Gaussians.
    trace_ : structured array with the fields step, cost, errors: `trace_["cost"]`.
    cost_, n_iter_, converged_
        The last cost, the steps, whether a minimum was reached.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.

    Examples
    --------
    >>> from markone import RSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = RSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = GRADIENT | DISTANCE | SIGMA2

    def __init__(
        self,
        *,
        distance: Any = "euclidean",
        sigma2: Any = None,
        prototypes_per_class: Any = 1,
        initial: str = "kmeans",
        initial_prototypes: Any = None,
        initial_labels: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        solver: Any = "lbfgs",
        max_iter: int | None = 100,
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
        self.sigma2 = sigma2

    def _model_settings(self) -> dict[str, Any]:
        return {"distance": self._make_distance(), "cost": RSLVQCost()} | self._width_settings()
