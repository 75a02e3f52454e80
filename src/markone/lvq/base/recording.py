"""`record=` of prototypes: the example of each update, or the state after each step of a solver.

A recorded epoch of an on-line rule presents the same examples in the same order to the same compiled step,
one at a time: the prototypes equal those of the fast epoch to rounding (the compiler may order divisions
differently, and Matrix LVQ1 normalises its matrix once per epoch). Solvers take the same steps, bit for bit.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from markone.base.history import History, States, StepRecorder
from markone.lvq.base.coordinates import Coordinates
from markone.lvq.solvers.objective import FlatParameters, Objective
from markone.lvq.solvers.online._winner_takes_all import presentation_order
from markone.lvq.solvers.online.online_training import OnlineTraining
from markone.numerics._random import CYCLIC
from markone.numerics.arrays import Array


def online_keeper(model: Any, training: OnlineTraining) -> StepRecorder:
    """Recorder of an on-line rule, with the initial state recorded."""

    def current_state() -> States:
        state = {"prototypes": training.w.copy(), "prototype_classes": training.c.copy()}
        state["errors"] = np.array(model._error_weight(training))
        if hasattr(model, "omega_"):
            state["lambda"] = model.omega_.T @ model.omega_
        return state

    size = training.w.size + (model.omega_.size if hasattr(model, "omega_") else 0)
    return StepRecorder(size, current_state)


def record_epoch(
    model: Any, training: OnlineTraining, order: int, keeper: StepRecorder, epoch: int
) -> tuple[float, int]:
    """`model._single_pass` with each step recorded: E is Psi d(w*, xi) of the nearest prototype."""
    P, total, missed = len(training.y), 0.0, 0
    step, updates, every = keeper.last[0], keeper.last[-1], model.record == "presentations"
    for i, mu in enumerate(presentation_order(order, training.turn, training.state).tolist()):
        one = slice(mu, mu + 1)
        alone = replace(
            training,
            xi=training.xi[one],
            y=training.y[one],
            weight=training.weight[one],
            turn=np.zeros(1, dtype=np.int64),
        )
        alone.t, before = training.t + i / P, training.w.copy()
        E, wrong = model._single_pass(alone, CYCLIC)
        training.w = alone.w
        total, missed, step = total + E, missed + wrong, step + 1
        change = float(np.sqrt(((training.w - before) ** 2).sum()))
        updates += change > 0
        if change > 0 or every:
            # Psi d(w*, xi) of the same example after the update; the step that computes it is undone.
            kept = model._copy_state(alone)
            after, _ = model._single_pass(alone, CYCLIC)
            model._restore_state(alone, kept)
            training.w = alone.w
            keeper.record_step(step, epoch, mu, E, float(after), change, updates)
    return total / P, missed


class SolverRecorder:
    """Callback after each step of a solver (`Objective.watch`): records cost, errors, prototypes, metric."""

    def __init__(self, objective: Objective, theta: FlatParameters, at: Coordinates, batches: int) -> None:
        # A copy of the objective: the solver's `last` is not changed.
        self.objective, self.theta = replace(objective, last=None), theta
        self.at, self.batches, self.cost = at, batches, np.nan
        N, k = at.from_coordinates(theta["W"]).shape[1], theta["W"].shape[1]
        self.keeper = StepRecorder(theta.flat.size * N // k, self._current_state)

    def __call__(self, theta: FlatParameters) -> None:
        before, known = self.theta, self.keeper.last_is_kept
        self.theta = theta.copy()
        move = np.linalg.norm((self.theta["W"] - before["W"]).astype(np.float64)) * self.objective.unit
        step = self.keeper.events + 1
        epoch = -(-step // self.batches)
        cost = self.cost if known else np.nan
        if self.keeper.record_step(step, epoch, -1, cost, np.nan, float(move), step):
            row = self.keeper.rows[-1]
            self.keeper.rows[-1] = self.keeper.last = (*row[:4], self.cost, *row[5:])

    def _current_state(self) -> States:
        self.cost = float(self.objective.value(self.theta))
        W, Omega = self.objective.prototypes(self.theta), self.objective.omega(self.theta)
        state = {"prototypes": np.array(self.at.from_coordinates(W))}
        state["prototype_classes"] = np.array(self.objective.targets.c)
        state["errors"] = np.array(self.objective.last_errors())
        state["cost"] = np.array(self.cost)
        if Omega is not None and Omega.ndim == 2:
            Omega = self.at.metric_of_features(self.objective.norm.normalise_omega(Omega))
            diagonal = self.objective.distance.adapts == "diagonal"
            state["lambda"] = np.diag(Omega[0] ** 2) if diagonal else Omega.T @ Omega
        return state


def finished_history(model: Any, keeper: StepRecorder, X: Any, y: Array) -> History:
    """`history_` of a model from the recorded steps."""
    settings = {"classes": model.classes_.tolist(), "student": type(model).__name__}
    history = keeper.to_history(X, np.asarray(y), type(model).__name__, settings)
    if "cost" in history.states:
        # The last step may not be a multiple of the stride: its cost is filled in here.
        history.table["E_after"][-1] = history.states["cost"][-1]
    return history
