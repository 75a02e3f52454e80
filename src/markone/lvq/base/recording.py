"""`record=` of prototypes: which example moved them, or where the solver was after each of its steps.

A recorded epoch of an on-line rule shows the same examples in the same order to the same compiled step, one
at a time: the prototypes are those of the fast epoch to rounding (the compiler may divide otherwise there,
and Matrix LVQ1 normalises its matrix once an epoch). Solvers take the same steps, bit for bit. Where `record`
is None, all this sleeps.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.keeper import States, StepKeeper
from markone.lvq.base.coordinates import Coordinates
from markone.lvq.solvers.objective import Objective
from markone.lvq.solvers.online.lesson import Lesson
from markone.lvq.solvers.online.plain import presented
from markone.lvq.solvers.parameters import FlatParameters
from markone.numerics._orders import CYCLIC
from markone.numerics.arrays import Array


def on_line(model: Any, lesson: Lesson) -> StepKeeper:
    """The keeper of a rule that learns example by example; the start is noted."""

    def look() -> States:
        state = {"prototypes": lesson.w.copy(), "prototype_classes": lesson.c.copy()}
        state["errors"] = np.array(model._errors(lesson))
        if hasattr(model, "omega_"):
            state["lambda"] = model.omega_.T @ model.omega_
        return state

    size = lesson.w.size + (model.omega_.size if hasattr(model, "omega_") else 0)
    return StepKeeper(size, look)


def one_by_one(model: Any, lesson: Lesson, order: int, keeper: StepKeeper, epoch: int) -> tuple[float, int]:
    """A pass like `model._pass`, each step of which is noted: E is Psi d(w*, xi) of the nearest prototype."""
    P, total, missed = len(lesson.y), 0.0, 0
    step, updates, every = keeper.last[0], keeper.last[-1], model.record == "presentations"
    for i, mu in enumerate(presented(order, lesson.turn, lesson.state)):
        one = slice(mu, mu + 1)
        alone = replace(
            lesson,
            xi=lesson.xi[one],
            y=lesson.y[one],
            weight=lesson.weight[one],
            turn=np.zeros(1, dtype=np.int64),
        )
        alone.t, before = lesson.t + i / P, lesson.w.copy()
        E, wrong = model._pass(alone, CYCLIC)
        lesson.w = alone.w
        total, missed, step = total + E, missed + wrong, step + 1
        change = float(np.sqrt(((lesson.w - before) ** 2).sum()))
        updates += change > 0
        if change > 0 or every:
            after = _again(model, alone)
            lesson.w = alone.w
            keeper.note(step, epoch, mu, E, after, change, updates)
    return total / P, missed


def _again(model: Any, alone: Lesson) -> float:
    """Psi d(w*, xi) of the same example now; the step that tells it is taken back."""
    kept = model._snapshot(alone)
    E, _ = model._pass(alone, CYCLIC)
    model._restore(alone, kept)
    return float(E)


class Steps:
    """What a solver calls after each of its steps (`Objective.watch`): cost, errors, prototypes, metric."""

    def __init__(self, objective: Objective, theta: FlatParameters, at: Coordinates, batches: int) -> None:
        # Another objective: what the solver saw last is left alone.
        self.objective, self.theta = replace(objective, last=None), theta
        self.at, self.batches, self.cost = at, batches, np.nan
        N, k = at.out_of(theta["W"]).shape[1], theta["W"].shape[1]
        self.keeper = StepKeeper(theta.flat.size * N // k, self._look)

    def __call__(self, theta: FlatParameters) -> None:
        before, known = self.theta, self.keeper.kept_before
        self.theta = theta.copy()
        move = np.linalg.norm((self.theta["W"] - before["W"]).astype(np.float64)) * self.objective.unit
        step = self.keeper.events + 1
        epoch = -(-step // self.batches)
        cost = self.cost if known else np.nan
        if self.keeper.note(step, epoch, -1, cost, np.nan, float(move), step):
            row = self.keeper.rows[-1]
            self.keeper.rows[-1] = self.keeper.last = (*row[:4], self.cost, *row[5:])

    def _look(self) -> States:
        self.cost = float(self.objective.value(self.theta))
        assert self.objective.last is not None
        W, Omega = self.objective.prototypes(self.theta), self.objective.omega(self.theta)
        state = {"prototypes": np.array(self.at.out_of(W))}
        state["prototype_classes"] = np.array(self.objective.targets.c)
        state["errors"] = np.array(self.objective.targets.errors(self.objective.last[1]))
        state["cost"] = np.array(self.cost)
        if Omega is not None and Omega.ndim == 2:
            Omega = self.at.metric(self.objective.norm.apply(Omega))
            diagonal = self.objective.distance.adapts == "diagonal"
            state["lambda"] = np.diag(Omega[0] ** 2) if diagonal else Omega.T @ Omega
        return state


def finished(model: Any, keeper: StepKeeper, X: Any, y: Array) -> History:
    """`history_` of prototypes with their classes by name."""
    settings = {"classes": model.classes_.tolist(), "student": type(model).__name__}
    history = keeper.history(X, np.asarray(y), type(model).__name__, settings)
    if "cost" in history.states:
        # Known of the last step only now, if it is no multiple of the stride.
        history.table["E_after"][-1] = history.states["cost"][-1]
    return history
