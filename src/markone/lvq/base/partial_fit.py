"""Learning from a stream: one batch after the other, nothing kept but the model."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from markone.base.checks import check_known
from markone.base.sklearn_compat import check_partial_fit_first_call
from markone.lvq.base.classifier import PrototypeClassifier
from markone.lvq.base.fit_loop import TrainingSettings, begin, end, train
from markone.lvq.base.threads import one_thread
from markone.lvq.costs import Targets
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
    epoch = max(EPOCH, len(X)) if first else getattr(model, "_epoch", max(EPOCH, len(X)))
    solver = replace(solver, start=seen / epoch, epochs=1)
    # A batch does not span what later ones will: no direction is known to be irrelevant.
    settings = replace(settings, solver=solver, max_iter=1, row_space=False)
    with one_thread(X, len(model.classes_)):
        if first:
            W, c = model._start(X, y, weights)
            trained = train(settings, X, y, weights, model._costs(), W, c, rng)
        else:
            trained, c = go_on(model, settings, X, y, weights, rng)
    steps = 0 if first else model.n_iter_
    model._keep(trained, c)
    model._epoch, model.n_seen_, model.n_iter_ = epoch, seen + len(X), steps + 1


def go_on(
    model: Any, settings: TrainingSettings, X: Array, y: Array, weights: Array | None, rng: Any
) -> tuple[Any, Array]:
    """Train further from the fitted prototypes, metric and width."""
    c = np.searchsorted(model.classes_, model.prototype_labels_)
    omega = model._omega()
    settings = replace(settings, sigma2=model.sigma2_, initial_omega="identity" if omega is None else omega)
    settings = replace(settings, rank=None if omega is None else omega.shape[-2])
    W = model.prototypes_.astype(X.dtype)
    targets = Targets(y, c, weights, model._costs())
    objective, theta, shift = begin(settings, model.distance_, X, targets, W, rng, model._unit)
    outcome: Outcome = settings.solver.minimise(objective, theta, 1, rng)
    return end(objective, outcome, shift), c


def read_batch(
    model: PrototypeClassifier, X: Any, y: Any, classes: Any, sample_weight: Any
) -> tuple[bool, Array, Array, Array | None]:
    """Whether the prototypes are still to be placed; rows, class indices, weights.

    A batch that was refused leaves no prototypes behind, so that the next one is the first again.
    """
    check_partial_fit_first_call(model, classes)
    first = not hasattr(model, "prototypes_")
    X, y = model._read(X, y, reset=first)
    check_known(y, model.classes_)
    X, index, weights = model._weigh(X, np.searchsorted(model.classes_, y), sample_weight, least=1)
    if first and getattr(model, "initial_prototypes", None) is None:
        check_all_there(model.classes_, index)
    return first, X, index, weights


def check_all_there(classes: Array, index: Array) -> None:
    absent = np.setdiff1d(np.arange(len(classes)), index)
    if len(absent):
        raise ValueError(
            f"The first batch holds no example of class {classes[absent].tolist()[0]!r}, so that its "
            "prototypes have no place. Begin with a batch that shows every class, or give "
            "initial_prototypes."
        )
