"""History of a student in feature space: strengths instead of weights."""

from functools import partial
from typing import Any

import numpy as np

from markone.base.history import History, new_log
from markone.numerics._recording import EVENTS, STRIDE
from markone.numerics.arrays import Array
from markone.perceptron.recording.recorder import SETTINGS, read_snapshots, read_step_table


class FeatureSpaceRecorder:
    """Records the strengths x; |W|^2 and kappa are computed from the matrix of scalar products."""

    def __init__(self, student: Any, X: Any, S: Array, record: str) -> None:
        self.X, self.S = X, S
        self.log = new_log(len(S), 0, record)
        self.settings = {"student": type(student).__name__}
        self.settings |= {name: getattr(student, name) for name in SETTINGS if hasattr(student, name)}

    def of(self, entry: Any, G: Array) -> Any:
        self.G = G
        return partial(entry, self.log)

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
