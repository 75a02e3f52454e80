"""Learning from a stream: one batch after the other, nothing kept but the model.

A class gets its prototypes in the batch that shows it first. While there is only one, nothing can be told
from anything: models with a cost wait.
"""

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from markone.base.checks import check_known, check_same_classes
from markone.base.sklearn_compat import check_partial_fit_first_call
from markone.lvq.base.classifier import PrototypeClassifier
from markone.lvq.base.fit_loop import TrainedPrototypes, TrainingSettings, begin, end
from markone.lvq.base.initial import counts_per_class, first_prototypes
from markone.lvq.base.threads import one_thread
from markone.lvq.costs import Targets
from markone.lvq.distances.adaptive.omega import with_more
from markone.lvq.distances.sparse_rows import distinct
from markone.lvq.solvers import Outcome
from markone.lvq.solvers.stochastic import Stochastic
from markone.numerics.arrays import Array

# Examples that count as one epoch of a stream in the schedule of the rates, or the first batch if larger.
EPOCH = 1000


def learn(model: Any, X: Array, y: Array, weights: Array | None) -> None:
    """One pass over the rows by stochastic gradient descent, from where the model stands."""
    settings = model._training()
    solver = settings.solver if isinstance(settings.solver, Stochastic) else Stochastic()
    rng = check_random_state(model.random_state)
    first = not hasattr(model, "prototypes_")
    seen = 0 if first else model.n_seen_
    epoch = max(EPOCH, X.shape[0]) if first else getattr(model, "_epoch", max(EPOCH, X.shape[0]))
    solver = replace(solver, start=seen / epoch, epochs=1)
    # A batch does not span what later ones will: no direction is known to be irrelevant.
    settings = replace(settings, solver=solver, max_iter=1, row_space=False)
    with one_thread(X, len(model.classes_)):
        W, c = placed(model, X, y, weights)
        targets = Targets(y, c, weights, model._costs())
        trained = (begin_stream if first else go_on)(model, settings, X, targets, W, rng)
    steps = 0 if first else model.n_iter_
    model._keep(trained, c)
    model._epoch, model.n_seen_, model.n_iter_ = epoch, seen + X.shape[0], steps + 1


def begin_stream(
    model: Any, settings: TrainingSettings, X: Array, targets: Targets, W: Array, rng: Any
) -> TrainedPrototypes:
    """Train from the first prototypes, with the constants that the first batch gives the distance."""
    distance = settings.distance.prepare(X, targets.y, targets.c, targets.weights)
    return one_batch(settings, begin(settings, distance, X, targets, W, rng), targets, rng)


def go_on(
    model: Any, settings: TrainingSettings, X: Array, targets: Targets, W: Array, rng: Any
) -> TrainedPrototypes:
    """Train further from the fitted prototypes, metric and width."""
    distance = model.distance_.with_prototypes(targets.c)
    omega = model._omega()
    if omega is not None and distance.of is not None:
        omega = with_more(omega, int(distance.of.max()) + 1)
    settings = replace(settings, sigma2=model.sigma2_, initial_omega="identity" if omega is None else omega)
    settings = replace(settings, rank=None if omega is None else omega.shape[-2])
    begun = begin(settings, distance, X, targets, W.astype(X.dtype), rng, model._unit)
    return one_batch(settings, begun, targets, rng)


def one_batch(settings: TrainingSettings, begun: Any, targets: Targets, rng: Any) -> TrainedPrototypes:
    """One pass; none where all prototypes are of one class."""
    objective, theta, at = begun
    outcome = Outcome(theta, 0, False)
    if len(np.unique(targets.c)) > 1:
        outcome = settings.solver.minimise(objective, theta, 1, rng)
    return end(objective, outcome, at)


def placed(model: Any, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
    """The prototypes and their class indices, those of classes that this batch shows first at the end."""
    if getattr(model, "prototypes_", None) is None:
        return first_placed(model, X, y, weights)
    W, c = model.prototypes_, np.searchsorted(model.classes_, model.prototype_labels_)
    lacking = wanted(model, c) - np.bincount(c, minlength=len(model.classes_))
    for k in np.unique(y[lacking[y] > 0]):
        rows, rng = y == k, check_random_state(model.random_state)
        count = min(int(lacking[k]), distinct(X[rows]))
        own = None if weights is None else weights[rows]
        alone = np.zeros(int(rows.sum()), dtype=int), model.classes_[[k]], [count]
        W = np.vstack([W, first_prototypes(X[rows], *alone, model.initial, own, rng)[0]])
        c = np.append(c, np.full(count, k))
    return W, c


def wanted(model: Any, c: Array) -> Array:
    """How many prototypes each class is to have; chosen by the model itself, what other classes have."""
    if getattr(model, "initial_prototypes", None) is not None:
        return np.zeros(len(model.classes_), dtype=int)
    if isinstance(model.prototypes_per_class, str):
        return np.where(np.bincount(c, minlength=len(model.classes_)) > 0, 0, np.bincount(c).max())
    return np.array(counts_per_class(model.prototypes_per_class, model.classes_))


def first_placed(model: Any, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
    """The prototypes of the classes that the first batch shows, as many as it has examples for."""
    if model.initial_prototypes is not None:
        return model._start(X, y, weights)
    there = np.unique(y)
    part = copy(model)
    part.classes_ = model.classes_[there]
    if not isinstance(model.prototypes_per_class, str):
        counts = counts_per_class(model.prototypes_per_class, model.classes_)
        part.prototypes_per_class = [min(counts[k], distinct(X[y == k])) for k in there]
    W, c = part._start(X, np.searchsorted(there, y), weights)
    return W, there[c]


def read_batch(
    model: PrototypeClassifier, X: Any, y: Any, classes: Any, sample_weight: Any
) -> tuple[bool, Array, Array, Array | None]:
    """Whether the prototypes are still to be placed; rows, class indices, weights.

    A batch that was refused leaves no prototypes behind, so that the next one is the first again.
    """
    check_same_classes(classes, getattr(model, "classes_", None))
    check_partial_fit_first_call(model, classes)
    first = not hasattr(model, "prototypes_")
    X, y = model._read(X, y, reset=first)
    check_known(y, model.classes_)
    X, index, weights = model._weigh(X, np.searchsorted(model.classes_, y), sample_weight, least=1)
    return first, X, index, weights
