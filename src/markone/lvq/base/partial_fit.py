"""Learning from a stream: one batch after the other, nothing kept but the model."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state

from markone.lvq.base.fit_loop import Plan, begin, end, train
from markone.lvq.base.threads import one_thread
from markone.lvq.costs import Targets
from markone.lvq.solvers import Outcome
from markone.lvq.solvers.stochastic import Stochastic
from markone.numerics.arrays import Array

if TYPE_CHECKING:
    from markone.lvq.base.gradient_base import TrainedLVQ

# Examples that count as one epoch of a stream in the schedule of the rates, or the first batch if larger.
EPOCH = 1000


def learn(model: "TrainedLVQ", X: Array, y: Array, weights: Array | None) -> None:
    """One pass over the rows by stochastic gradient descent, from where the model stands."""
    plan = model._plan()
    solver = plan.solver if isinstance(plan.solver, Stochastic) else Stochastic()
    rng = check_random_state(model.random_state)
    first = not hasattr(model, "prototypes_")
    seen = 0 if first else model.n_seen_
    epoch = max(EPOCH, len(X)) if first else getattr(model, "_epoch", max(EPOCH, len(X)))
    solver = replace(solver, start=seen / epoch, epochs=1)
    # A batch does not span what later ones will: no direction is known to be irrelevant.
    plan = replace(plan, solver=solver, max_iter=1, row_space=False)
    with one_thread(X, len(model.classes_)):
        if first:
            W, c = model._start(X, y, weights)
            trained = train(plan, X, y, weights, model._costs(), W, c, rng)
        else:
            trained, c = go_on(model, plan, X, y, weights, rng)
    steps = 0 if first else model.n_iter_
    model._keep(trained, c)
    model._epoch, model.n_seen_, model.n_iter_ = epoch, seen + len(X), steps + 1


def go_on(model: Any, plan: Plan, X: Array, y: Array, weights: Array | None, rng: Any) -> tuple[Any, Array]:
    """Train further from the fitted prototypes, metric and width."""
    c = np.searchsorted(model.classes_, model.prototype_labels_)
    omega = model._omega()
    plan = replace(plan, sigma2=model.sigma2_, initial_omega="identity" if omega is None else omega)
    plan = replace(plan, rank=None if omega is None else omega.shape[-2])
    W = model.prototypes_.astype(X.dtype)
    targets = Targets(y, c, weights, model._costs())
    objective, theta, shift = begin(plan, model.distance_, X, targets, W, rng, model._unit)
    outcome: Outcome = plan.solver.minimise(objective, theta, 1, rng)
    return end(objective, outcome, shift), c
