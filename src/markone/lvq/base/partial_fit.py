"""Training on a stream of batches (`partial_fit`).

A class gets its prototypes in the first batch that contains it. Models with a cost are not trained while
there is only one class.
"""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from markone.base.checks import check_known_labels, check_same_classes
from markone.base.sklearn_compat import check_partial_fit_first_call
from markone.lvq.base.classifier import PrototypeClassifier, one_thread
from markone.lvq.base.initialisation import counts_per_class, first_prototypes
from markone.lvq.base.training_loop import (
    TrainingSettings,
    finish_training,
    start_training,
)
from markone.lvq.costs import Targets
from markone.lvq.distances.omega import extend_omega_stack
from markone.lvq.distances.row_statistics import count_distinct_rows
from markone.lvq.solvers import Outcome
from markone.lvq.solvers.stochastic import Stochastic
from markone.numerics.arrays import Array

# Examples that count as one epoch of a stream in the schedule of the rates, or the first batch if larger.
EPOCH = 1000


def train_on_batch(model: Any, X: Array, y: Array, weights: Array | None) -> None:
    """One epoch over the rows by stochastic gradient descent, from the present state of the model."""
    settings = model._training_settings()
    solver = settings.solver if isinstance(settings.solver, Stochastic) else Stochastic()
    rng = check_random_state(model.random_state)
    first = not hasattr(model, "prototypes_")
    seen = 0 if first else model.n_seen_
    epoch = max(EPOCH, X.shape[0]) if first else getattr(model, "_epoch_size", max(EPOCH, X.shape[0]))
    solver = replace(solver, start=seen / epoch, epochs=1)
    # Later batches may span other directions: none is irrelevant.
    settings = replace(settings, solver=solver, max_iter=1, row_space=False)
    with one_thread(X, len(model.classes_)):
        W, c = extended_prototypes(model, X, y, weights)
        targets = Targets(y, c, weights, model._error_costs())
        if first:
            # With the constants of the distance from the first batch.
            distance = settings.distance.fit_constants(X, y, c, weights)
            begun = start_training(settings, distance, X, targets, W, rng)
        else:
            begun = _continue_stream(model, settings, X, targets, W, rng)
        objective, theta, at = begun
        outcome = Outcome(theta, 0, False)
        if len(np.unique(c)) > 1:
            outcome = settings.solver.minimise(objective, theta, 1, rng)
        trained = finish_training(objective, outcome, at)
    steps = 0 if first else model.n_iter_
    model._store_trained(trained, c)
    model._epoch_size, model.n_seen_, model.n_iter_ = epoch, seen + X.shape[0], steps + 1


def _continue_stream(
    model: Any, settings: TrainingSettings, X: Array, targets: Targets, W: Array, rng: Any
) -> Any:
    """Objective, parameters and coordinates that continue from the fitted prototypes, metric and width."""
    distance = model.distance_.with_prototypes(targets.c)
    omega = model._current_omega()
    if omega is not None and distance.of is not None:
        omega = extend_omega_stack(omega, int(distance.of.max()) + 1)
    settings = replace(settings, sigma2=model.sigma2_, initial_omega="identity" if omega is None else omega)
    settings = replace(settings, rank=None if omega is None else omega.shape[-2])
    return start_training(settings, distance, X, targets, W.astype(X.dtype), rng, model._unit)


def extended_prototypes(model: Any, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
    """Prototypes and their class indices; new ones for classes first contained in this batch at the end."""
    if getattr(model, "prototypes_", None) is None:
        return _first_batch_prototypes(model, X, y, weights)
    W, c = model.prototypes_, np.searchsorted(model.classes_, model.prototype_labels_)
    lacking = _wanted_counts(model, c) - np.bincount(c, minlength=len(model.classes_))
    for k in np.unique(y[lacking[y] > 0]):
        rows, rng = y == k, check_random_state(model.random_state)
        count = min(int(lacking[k]), count_distinct_rows(X[rows]))
        own = None if weights is None else weights[rows]
        alone = np.zeros(int(rows.sum()), dtype=int), model.classes_[[k]], [count]
        W = np.vstack([W, first_prototypes(X[rows], *alone, model.initial, own, rng)[0]])
        c = np.append(c, np.full(count, k))
    return W, c


def _wanted_counts(model: Any, c: Array) -> Array:
    """Number of prototypes of each class; for "auto" as many as other classes have."""
    if getattr(model, "initial_prototypes", None) is not None:
        return np.zeros(len(model.classes_), dtype=int)
    if isinstance(model.prototypes_per_class, str):
        return np.where(np.bincount(c, minlength=len(model.classes_)) > 0, 0, np.bincount(c).max())
    return np.array(counts_per_class(model.prototypes_per_class, model.classes_))


def _first_batch_prototypes(model: Any, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
    """Prototypes of the classes in the first batch, at most as many as it has distinct examples."""
    if model.initial_prototypes is not None:
        return model._place_prototypes(X, y, weights)
    present = np.unique(y)
    part = copy(model)
    part.classes_ = model.classes_[present]
    if not isinstance(model.prototypes_per_class, str):
        counts = counts_per_class(model.prototypes_per_class, model.classes_)
        part.prototypes_per_class = [min(counts[k], count_distinct_rows(X[y == k])) for k in present]
    W, c = part._place_prototypes(X, np.searchsorted(present, y), weights)
    return W, present[c]


def read_batch(
    model: PrototypeClassifier, X: Any, y: Any, classes: Any, sample_weight: Any
) -> tuple[bool, Array, Array, Array | None]:
    """(True in the first call, rows, class indices, weights) of a batch.

    After an invalid first batch the next one counts as the first.
    """
    check_same_classes(classes, getattr(model, "classes_", None))
    check_partial_fit_first_call(model, classes)
    first = not hasattr(model, "prototypes_")
    X, y = model._read_data(X, y, reset=first)
    check_known_labels(y, model.classes_)
    X, index, weights = model._apply_weights(X, np.searchsorted(model.classes_, y), sample_weight, least=1)
    return first, X, index, weights
