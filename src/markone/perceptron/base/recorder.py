"""Convert the log of a compiled loop to a `History`."""

from functools import partial
from typing import Any

import numpy as np

from markone.base._recording import (
    AFTER,
    BEFORE,
    CHANGE,
    EVENTS,
    EXAMPLE,
    STEP,
    STRIDE,
    UPDATES,
    Log,
)
from markone.base.history import STEPS, History, kept_rows, new_log
from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem

# Strengths of more examples than this are not recorded in addition to the weights.
MANY_EXAMPLES = 16_384
SETTINGS = ("eta", "c", "C", "order", "rule", "intercept_scaling", "fit_intercept")


class Recorder:
    """Log of one binary problem; `build_history` reads it at the end.

    vectors : the recorded vectors, "w" or "x", optionally followed by "x", "pocket_w" or "pocket_x".
    """

    def __init__(self, problem: Problem, record: str, settings: dict[str, Any], **vectors: Array) -> None:
        if len(vectors) == 2 and "w" in vectors and "x" in vectors and problem.P > MANY_EXAMPLES:
            del vectors["x"]
        self.problem, self.settings = problem, settings
        self.names = tuple(vectors)
        self.start = [vector.copy() for vector in vectors.values()]
        sizes = [len(vector) for vector in self.start] + [0]
        self.log = new_log(sizes[0], sizes[1], record)
        self.fixed = np.zeros(problem.N)

    def build_history(self) -> History:
        states = dict(zip(self.names, read_snapshots(self.log, self.start), strict=True))
        for name in ("", "pocket_"):
            if name + "x" in states and name + "w" not in states:
                # (3.13) for each row of strengths.
                p, signed = self.problem, states[name + "x"] * self.problem.S
                states[name + "w"] = self.fixed + np.asarray(signed @ p.X, dtype=np.float64) / p.N
        clock = self.log.clock
        return History(
            read_step_table(self.log, self.problem.P),
            states,
            self.problem.X,
            self.problem.S,
            self.settings.get("student", ""),
            int(clock[STRIDE]),
            int(clock[EVENTS]),
            self.settings,
        )


def read_snapshots(log: Log, start: list[Array]) -> list[Array]:
    """Snapshots in order of time, preceded by the initial state."""
    rows = kept_rows(log)
    return [
        np.vstack([first, kept[rows]]) for first, kept in zip(start, (log.first, log.second), strict=False)
    ]


def read_step_table(log: Log, P: int) -> Array:
    """Table of the steps in order of time; row 0 is the initial state, an epoch is P steps."""
    rows = log.rows[kept_rows(log)]
    table = np.zeros(len(rows) + 1, dtype=STEPS)
    table[0] = (0, 0, -1, np.nan, np.nan, 0.0, 0)
    below = table[1:]
    below["step"] = rows[:, STEP]
    below["epoch"] = (rows[:, STEP] - 1) // P + 1
    below["example"] = rows[:, EXAMPLE]
    below["E"], below["E_after"] = rows[:, BEFORE], rows[:, AFTER]
    below["change"], below["updates"] = rows[:, CHANGE], rows[:, UPDATES]
    return table


def bind_log(entry: Any, recorder: "Recorder | FeatureSpaceRecorder | None") -> Any:
    """The entry of a training loop with the log of the recorder, if there is one."""
    return partial(entry, log=recorder.log) if recorder else entry


def start_recording(student: Any, problem: Problem, **vectors: Array) -> Recorder | None:
    """Return a recorder if the parameter `record` is set, else None."""
    if student.record is None:
        return None
    return Recorder(problem, student.record, _read_settings(student), **vectors)


def _read_settings(student: Any) -> dict[str, Any]:
    found = {name: getattr(student, name) for name in SETTINGS if hasattr(student, name)}
    return {"student": type(student).__name__} | found


class FeatureSpaceRecorder:
    """Records the strengths x; |W|^2 and kappa are computed from the matrix of scalar products."""

    def __init__(self, student: Any, X: Any, S: Array, record: str) -> None:
        self.X, self.S, self.G = X, S, np.empty((0, 0))
        self.log = new_log(len(S), 0, record)
        self.settings = _read_settings(student)

    def build_history(self) -> History:
        (x,) = read_snapshots(self.log, [np.zeros(len(self.S))])
        E = x @ self.G
        Q = np.maximum(np.einsum("ij,ij->i", x, E), 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            kappa = np.where(Q > 0, E.min(axis=1) / np.sqrt(Q), np.nan)
        wrong = np.sum((E < 0) | ((E == 0) & (self.S < 0)), axis=1)
        states = {"x": x, "Q": Q, "kappa": kappa, "errors": wrong}
        clock, table = self.log.clock, read_step_table(self.log, len(self.S))
        steps = (int(clock[STRIDE]), int(clock[EVENTS]))
        return History(table, states, self.X, self.S, str(self.settings["student"]), *steps, self.settings)
