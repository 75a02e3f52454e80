"""Base class of models that minimise a cost: fit, partial_fit, distances, learned metric."""

from dataclasses import field
from typing import Annotated, Any, Self

import numpy as np
from sklearn.utils import check_random_state

from markone.base.convergence_warning import warn_not_converged
from markone.base.parameters import COUNT, POSITIVE, ClassWeight, Count, Jobs, Parameters, Record
from markone.base.sklearn_compat import StrOptions, fit_context
from markone.lvq import costs, distances, solvers
from markone.lvq.base.classifier import GivenPrototypes, PrototypeClassifier, one_thread
from markone.lvq.base.partial_fit import read_batch, train_on_batch
from markone.lvq.base.recording import finished_history
from markone.lvq.base.training_loop import TrainedPrototypes, TrainingSettings, train_by_gradient
from markone.lvq.costs.base import PHI
from markone.lvq.costs.glvq import GLVQCost
from markone.lvq.distances.omega import canonical_omega, drop_zero_rows
from markone.lvq.distances.row_statistics import is_sparse, merge_if_needed
from markone.lvq.solvers.lbfgs import LBFGS
from markone.lvq.solvers.stochastic import Stochastic
from markone.numerics.arrays import Array


class ModelSettings(Parameters):
    """Parameters that are passed on to the training."""

    n_features_in_: int = field(init=False)

    def _model_settings(self) -> dict[str, Any]:
        """Penalties, widths and start of the metric, by the names of `TrainingSettings`."""
        return {}


class ErrorCosts(Parameters):
    """Weights of classes and costs of errors; on-line rules use the sample_weight of the examples instead.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        Weight of the examples of each class in the cost.
    cost_matrix : array-like (C, C) or None
        Cost of predicting class l (column) for class k (row), in the order of `classes_`.
    """

    class_weight: ClassWeight = None
    cost_matrix: Annotated[Any, "array-like", None] = None


class GradientLVQ(GivenPrototypes, ErrorCosts, ModelSettings, PrototypeClassifier):
    """Prototypes that minimise a cost; subclasses define distance, cost, penalties and start of the metric.

    Parameters
    ----------
    solver : {"lbfgs", "waypoint", "stochastic"} or a solver object
        L-BFGS to a minimum; the toolbox's batch gradient (50 steps); stochastic gradient on mini-batches.
        `solvers.Waypoint(steps=100)` and the like have other settings.
    max_iter : int or None
        Maximum number of steps (epochs); None: the default of the solver.
    record : {"updates", "presentations"} or None
        Keep the steps of the solver in `history_`: cost before and after, how far prototypes moved;
        prototypes, metric and errors after each. Both values record all steps.
    n_jobs : int or None
        Cores for batches of more than 8192 rows: None is one, -1 all. The result does not depend on it.

    Attributes
    ----------
    trace_ : structured array
        Fields step, cost and errors of each step.
    cost_, n_iter_, converged_
        The last cost, the steps, whether a minimum was reached.
    history_ : History
        The recorded steps, if `record` is set; see `markone.show.animate`.
    """

    solver: Annotated[Any, StrOptions(set(solvers.NAMES)), solvers.Solver] = "lbfgs"
    max_iter: Annotated[int | None, COUNT, None] = None
    record: Record = None
    n_jobs: Jobs = None

    def _make_cost(self) -> costs.Cost:
        raise NotImplementedError

    def _training_settings(self) -> TrainingSettings:
        return TrainingSettings(
            self._make_distance(),
            self._make_cost(),
            solvers.find_solver(self.solver),
            self.max_iter,
            n_jobs=self.n_jobs,
            **self._model_settings(),
        )

    def _make_distance(self) -> distances.Distance:
        return distances.find_distance(getattr(self, "distance", "euclidean"))

    def _allows_missing(self) -> bool:
        return self._make_distance().masks

    def _check_rows(self, X: Array) -> None:
        super()._check_rows(X)
        self._make_distance().check_rows(X)

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on rows X with labels y; an example of weight 2 counts like two, of weight 0 not at all."""
        X, y = self._read_data(X, y)
        X, y, weights = self._apply_weights(X, self._set_classes(y), sample_weight)
        X, y, weights = self._merge_examples(X, y, weights)
        with one_thread(X, len(self.classes_)):
            W, c = self._place_prototypes(X, y, weights)
            rng = check_random_state(self.random_state)
            training = self._training_settings()
            trained = train_by_gradient(
                training, X, y, weights, self._error_costs(), W, c, rng, self.record is not None
            )
            self._store_trained(trained, c)
        self.__dict__.pop("history_", None)
        if trained.keeper is not None:
            self.history_ = finished_history(self, trained.keeper, X, y)
        self.n_seen_ = X.shape[0] * self.n_iter_
        if isinstance(training.solver, LBFGS) and not self.converged_ and training.max_iter is None:
            warn_not_converged(
                f"{type(self).__name__} stopped after {self.n_iter_} steps of L-BFGS at the cost "
                f"{self.cost_:.6g}, before a minimum. Raise max_iter, or scale the features."
            )
        return self

    def _merge_examples(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
        """Merge equal examples where the result would depend on their order or repetition.

        A mini-batch contains an example once, whatever its weight; and the small eigenvalues kept positive by
        the penalty mu depend on the rounding of the sums.
        """
        needed = isinstance(solvers.find_solver(self.solver), Stochastic) or getattr(self, "mu", 0.0) > 0
        return merge_if_needed(X, y, weights) if needed else (X, y, weights)

    def _store_trained(self, trained: TrainedPrototypes, c: Array) -> None:
        self._set_prototypes(trained.W, c)
        self.distance_, self.sigma2_, self._unit = trained.distance, trained.sigma2, trained.unit
        self._set_trace(trained.outcome)
        self.converged_ = trained.outcome.converged
        if trained.Omega is not None:
            self._store_metric(trained.Omega, trained.rank)

    def _store_metric(self, Omega: Array, rank: int | None) -> None:
        if self.distance_.adapts == "diagonal":
            self.relevance_ = Omega[0] ** 2
            self.omega_, self.lambda_ = np.diag(np.abs(Omega[0])), np.diag(self.relevance_)
            return
        self.omega_, self.eigenvalues_, self.eigenvectors_ = canonical_omega(Omega, rank)
        nonzero = self.omega_[..., : Omega.shape[-2], :]
        self.lambda_ = np.swapaxes(nonzero, -1, -2) @ nonzero
        self.relevance_ = np.diagonal(self.lambda_, axis1=-2, axis2=-1).copy()
        if self.distance_.adapts == "local":
            self.omega_of_ = np.array(self.distance_.of)

    def _current_omega(self) -> Array | None:
        """Omega in the form of the distance."""
        if not self.distance_.adapts:
            return None
        return np.sqrt(self.relevance_)[None] if self.distance_.adapts == "diagonal" else self.omega_

    def _compute_distances(self, X: Array) -> Array:
        W, shift = self.prototypes_, self._prototype_centre()
        with one_thread(X, len(W)):
            Omega = self._current_omega()
            Omega = None if Omega is None else drop_zero_rows(Omega).astype(X.dtype, copy=False)
            # Sparse rows are not shifted: they would become dense.
            moved = self.distance_.moved and not is_sparse(X)
            rows = distances.Rows.from_array(X - shift.astype(X.dtype) if moved else X)
            W = (W - shift if moved else W).astype(X.dtype)
            return self.distance_.evaluate(rows, W, Omega)[0]

    def _prototype_centre(self) -> Array:
        """Mean of the prototypes, subtracted before computing distances to limit rounding."""
        return self.prototypes_.mean(axis=0)

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Train on one more batch by stochastic gradient; pass all labels as `classes` in the first call.

        A class gets its prototypes in the first batch that contains it; training starts with two classes.
        """
        if self.class_weight == "balanced":
            raise ValueError(
                "partial_fit has no class frequencies: give class_weight as numbers, or use fit."
            )
        _, X, index, weights = read_batch(self, X, y, classes, sample_weight)
        train_on_batch(self, X, index, weights)
        self.__dict__.pop("history_", None)
        return self


class EmbeddedGLVQ(ErrorCosts, PrototypeClassifier):
    """Prototypes that minimise the cost of GLVQ in a space in which the examples are embedded.

    Parameters
    ----------
    initial : {"kmeans", "means", "examples", "toolbox"}
        As in `GLVQ`, with means and k-means of the embedded examples.
    max_iter : int
        Maximum number of steps of L-BFGS; reaching it gives no warning. With a kernel of full rank the
        training error can always reach zero: few steps regularise.
    phi : {"sigmoid", "identity", "swish", "soft+"}
        Increasing function Phi of the cost.
    steepness : float or None
        gamma of the function Phi; None: 10, for swish 1 (above 1.278 swish is not monotonic).

    Attributes
    ----------
    cost_ : float
        The last cost.
    n_iter_ : int
        Steps used.
    trace_ : structured array
        Fields step, cost and errors of each step.
    """

    phi: Annotated[str, StrOptions(set(PHI))] = "sigmoid"
    steepness: Annotated[float | None, POSITIVE, None] = None
    max_iter: Count = 100

    def _allows_missing(self) -> bool:
        return False

    def _train_embedded(
        self, Z: Array, y: Array, weights: Array | None, distance: distances.Distance
    ) -> Array:
        """Train on the coordinates Z of the examples by L-BFGS; return the coordinates of the prototypes."""
        W, c = self._place_prototypes(Z, y, weights)
        settings = TrainingSettings(distance, GLVQCost(self.phi, self.steepness), LBFGS(), self.max_iter)
        rng = check_random_state(self.random_state)
        trained = train_by_gradient(settings, Z, y, weights, self._error_costs(), W, c, rng)
        self.prototype_labels_ = self.classes_[c]
        self._set_trace(trained.outcome)
        return trained.W
