"""Training of prototypes and metric from settings (distance, cost, solver) and examples."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.base.history import StepRecorder
from markone.lvq.base.coordinates import (
    WORTH,
    Coordinates,
    n_omega_rows,
    omega_in_row_space,
    row_space_coordinates,
)
from markone.lvq.base.recording import SolverRecorder
from markone.lvq.costs import Cost, Targets
from markone.lvq.distances import Distance, Rows
from markone.lvq.distances.omega import Norm, first_omega, row_space
from markone.lvq.distances.row_statistics import class_mean, feature_variances, is_sparse
from markone.lvq.solvers import Outcome, Solver
from markone.lvq.solvers.objective import FlatParameters, Objective, make_blocked
from markone.numerics.arrays import Array


@dataclass
class TrainingSettings:
    """Distance, cost, solver and penalties of a training."""

    distance: Distance
    cost: Cost
    solver: Solver
    max_iter: int | None = None
    rank: int | None = None
    initial_omega: Any = "identity"
    row_space: bool = True
    fixed: Mapping[int, float] = field(default_factory=dict)
    mu: float = 0.0
    l2: float = 0.0
    sigma2: float | None = None
    learn_sigma2: bool = False
    n_jobs: int | None = None


@dataclass
class TrainedPrototypes:
    """Prototypes in the units of X, metric, width and the outcome of the solver."""

    W: Array
    distance: Distance
    Omega: Array | None
    sigma2: float
    unit: float
    outcome: Outcome
    # Requested rows of Omega; it may be trained with fewer, the others staying zero.
    rank: int | None = None
    keeper: StepRecorder | None = None


def _feature_spread(X: Array, weights: Array | None) -> float:
    """Root mean variance of the features: one for z-scores (n - 1, as in the toolbox)."""
    variance = feature_variances(X, weights)
    total = X.shape[0] if weights is None else float(weights.sum())
    value = float(np.sqrt(np.nanmean(variance) * total / max(total - 1, 1.0)))
    return value if value > 0 else 1.0


def _centre_shift(X: Array, distance: Distance, unit: float) -> Array | None:
    """Mean of X, if X is so far from the origin that squares would lose digits; else None (no shift)."""
    if not distance.moved or is_sparse(X):
        return None
    mean = class_mean(X, None)
    return mean.astype(X.dtype) if float(np.linalg.norm(mean)) > unit else None


def _typical_sigma2(distance: Distance, rows: Rows, W: Array, Omega: Array | None, V: Array) -> float:
    """Mean distance of the data from their mean, divided by N: the mean variance, if it is Euclidean."""
    D, _ = distance.evaluate(rows, np.repeat(V, len(W), axis=0), Omega)
    value = float(D.mean(dtype=np.float64)) / W.shape[1]
    return value if value > 0 else 1.0


def train_by_gradient(
    settings: TrainingSettings,
    X: Array,
    y: Array,
    weights: Array | None,
    prices: Array | None,
    W: Array,
    c: Array,
    rng: Any,
    record: bool = False,
) -> TrainedPrototypes:
    """Minimise the cost from the prototypes W with class indices c; `record`: store the steps."""
    distance = settings.distance.fit_constants(X, y, c, weights)
    objective, theta, at = start_training(settings, distance, X, Targets(y, c, weights, prices), W, rng)
    if distance.moved and objective.rows.seen is not None:
        objective.box = observed_box(X, y, c, at.shift, objective.unit)
        objective.clip_prototypes(theta)
    steps = None
    if record:
        steps = SolverRecorder(objective, theta.copy(), at, settings.solver.n_batches(objective.P))
    objective.watch = steps
    outcome = settings.solver.minimise(objective, theta, settings.max_iter, rng)
    trained = finish_training(objective, outcome, at)
    trained.rank = n_omega_rows(settings, X.shape[1])
    trained.keeper = None if steps is None else steps.keeper
    return trained


def observed_box(X: Array, y: Array, c: Array, shift: Array | None, unit: float) -> tuple[Array, Array]:
    """Range of the values observed in the class of each prototype, in the units of the parameters.

    A distance over observed features is smaller for rows with more missing values. Unbounded prototypes
    would diverge in a feature that one class often lacks, and separate the classes by the missing values
    alone. Within the range of the data this effect is smaller, and prototypes remain typical examples.
    """
    moved = (X if shift is None else X - shift) / X.dtype.type(unit)
    anywhere = np.nanmin(moved, axis=0), np.nanmax(moved, axis=0)
    ends = []
    for reduce, all_rows in zip((np.fmin.reduce, np.fmax.reduce), anywhere, strict=True):
        # For a feature never observed in a class, the range in all classes.
        each = np.stack([reduce(moved[y == k], axis=0) for k in c])
        ends.append(np.where(np.isnan(each), all_rows, each))
    return ends[0], ends[1]


def start_training(
    settings: TrainingSettings,
    distance: Distance,
    X: Array,
    targets: Targets,
    W: Array,
    rng: Any,
    unit: float | None = None,
) -> tuple[Objective, FlatParameters, Coordinates]:
    """Objective, initial parameters, and the coordinates of both."""
    if len(np.unique(targets.c)) > 1:
        settings.cost.check_targets(targets)
    scale = _feature_spread(X, targets.weights)
    unit = unit or settings.solver.unit(distance.scale(scale), X.shape[1])
    at = Coordinates(_centre_shift(X, distance, scale * float(np.sqrt(X.shape[1]))))
    rows, V = Rows.from_array(at.to_coordinates(X)), distance.encode(at.to_coordinates(W))
    Omega = None
    if distance.adapts:
        groups = 1 if distance.of is None else int(distance.of.max()) + 1
        free = settings.row_space and distance.adapts != "diagonal"
        basis = row_space(rows, V, float(abs(X).max())) if free else None
        if basis is not None and len(basis) <= WORTH * basis.shape[1] and not settings.fixed:
            at = row_space_coordinates(X, basis)
            rows, V = Rows.from_array(at.to_coordinates(X)), at.to_coordinates(W)
            Omega = omega_in_row_space(basis, settings, distance, X, W, groups, rng)
        else:
            Omega = first_omega(distance.adapts, rows, V, settings.rank, groups, settings.initial_omega, rng)
            Omega = Omega if basis is None else (Omega @ basis.T) @ basis
    norm = Norm(settings.fixed)
    Omega = None if Omega is None else norm.normalise_omega(Omega)
    sigma2 = settings.sigma2
    if sigma2 is None:
        mean = class_mean(rows.X, targets.weights)[None].astype(X.dtype)
        sigma2 = _typical_sigma2(distance, rows, W, Omega, distance.decode(distance.encode(mean)))
    scale_free = settings.cost.scale_free and not settings.solver.normalises
    bound = bool(scale_free and (settings.mu > 0 or settings.fixed))
    objective = Objective(
        distance, settings.cost, rows, targets, unit, sigma2, settings.mu, settings.l2, norm, bound
    )
    objective = make_blocked(objective, settings.n_jobs)
    return objective, make_flat_parameters(objective, V, Omega, settings.learn_sigma2), at


def make_flat_parameters(
    objective: Objective, V: Array, Omega: Array | None, learn_sigma2: bool
) -> FlatParameters:
    """Flat buffer of all trained parameters."""
    arrays = {"W": V / V.dtype.type(objective.unit) if objective.distance.moved else V}
    if Omega is not None:
        arrays["Omega"] = Omega
    if learn_sigma2:
        arrays["log_sigma2"] = np.array([np.log(objective.sigma2)], dtype=V.dtype)
    return FlatParameters.from_arrays(arrays)


def finish_training(objective: Objective, outcome: Outcome, at: Coordinates) -> TrainedPrototypes:
    """Result in the units of X with trace(Lambda) = 1; its size goes into sigma^2 for costs with a width."""
    theta = outcome.theta
    W, Omega, sigma2 = objective.prototypes(theta), objective.omega(theta), objective.width(theta)
    if Omega is not None:
        size = float((Omega.astype(np.float64) ** 2).sum()) / (len(Omega) if Omega.ndim == 3 else 1)
        if objective.cost.scale_free:
            Omega = objective.norm.normalise_omega(Omega)
        else:
            if not 0 < size < np.inf:
                what = "too large" if size else "zero"
                raise ValueError(f"All relevances are {what}: choose a smaller l2, or scale X to about one.")
            # One size for all matrices: posteriors compare distances of different prototypes.
            Omega, sigma2 = Omega / Omega.dtype.type(np.sqrt(size)), sigma2 / size
        Omega = at.metric_of_features(Omega)
    W = at.from_coordinates(W)
    return TrainedPrototypes(W, objective.distance, Omega, sigma2, objective.unit, outcome)
