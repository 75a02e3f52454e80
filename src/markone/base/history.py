"""The history of a training, step by step, in one format for all students.

A history holds at most `ROWS` rows and `BYTES` of snapshots. Row 0 is the start. Of the events that follow,
those whose number is a multiple of `stride` are kept, and the last one. The stride is 1 as long as everything
fits; each time it no longer does, every second row is dropped and the stride doubles. So a long run is kept
over its whole length at a coarser resolution, a short one completely.
`StepRecorder` applies the same rule to students whose steps run in Python.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from markone.base._recording import COLUMNS, EVENTS, KEPT, STRIDE, Log
from markone.numerics.arrays import Array

ROWS, BYTES = 4096, 2**25
RECORD = ("updates", "presentations")

# Columns of every history; students may add their own.
STEPS = np.dtype(
    [
        ("step", np.int64),
        ("epoch", np.int64),
        ("example", np.int64),
        ("E", float),
        ("E_after", float),
        ("change", float),
        ("updates", np.int64),
    ]
)


def _history_capacity(numbers: int) -> int:
    """Number of rows for snapshots of `numbers` numbers each: even, at least 16."""
    return max(16, min(ROWS, BYTES // (8 * max(numbers, 1))) // 2 * 2)


def new_log(first: int, second: int, record: str) -> Log:
    """Return an empty log for snapshots of two vectors."""
    K = _history_capacity(first + second)
    clock = np.zeros(6, dtype=np.int64)
    clock[STRIDE], clock[-1] = 1, record == "presentations"
    return Log(np.zeros((K + 1, COLUMNS)), np.zeros((K + 1, first)), np.zeros((K + 1, second)), clock)


def kept_rows(log: Log) -> Array:
    """Indices of the kept rows in the order of time, the last event included."""
    kept, stride, events = (int(log.clock[k]) for k in (KEPT, STRIDE, EVENTS))
    rows = np.arange(kept)
    return rows if events == 0 or (events - 1) % stride == 0 else np.append(rows, len(log.rows) - 1)


@dataclass(frozen=True)
class History:
    """The steps of one student that learned one task.

    Parameters
    ----------
    table : structured array
        One row a step; row 0 is the start (`example` is -1, potentials are NaN). step: presentations so far
        (MinOver: updates); epoch; example: the row of X; E, E_after: its potential before and after; change:
        of its embedding strength; updates: M so far.
    states : dict of str to array (rows, ...)
        State of the student after each row. "w" (weights, that of the clamped input last) and "x" (embedding
        strengths) of perceptrons, "prototypes" of LVQ, "kappa" where it had to be computed at once.
    xi, S : array (P, N), array (P,)
        The examples as they were learned, the clamped input included, and their labels +-1 (class indices for
        prototypes).
    student : str, default=""
        The name of its class.
    stride, n_events : int, default=1
        Every stride-th of so many events was kept.
    settings : dict
        Settings needed to draw it: eta, c, clamped input, gamma.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> history = Rosenblatt(record="updates").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]).history_
    >>> len(history), history["example"][:3].tolist()
    (9, [-1, 0, 3])
    """

    table: Array
    states: dict[str, Array]
    xi: Any
    S: Array
    student: str = ""
    stride: int = 1
    n_events: int = 0
    settings: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, column: str) -> Array:
        return np.asarray(self.table[column])

    def __repr__(self) -> str:
        kept = "all kept" if self.stride == 1 else f"one in {self.stride} kept"
        return f"<History of {self.student}: {self.n_events} steps, {kept}, {len(self)} rows>"

    @property
    def complete(self) -> bool:
        """Whether every event was kept."""
        return self.stride == 1

    @property
    def w(self) -> Array:
        """The weights after each row (rows, N)."""
        return self._get_state("w")

    @property
    def x(self) -> Array:
        """The embedding strengths after each row (rows, P)."""
        return self._get_state("x")

    def _get_state(self, name: str) -> Array:
        if name not in self.states:
            known = ", ".join(sorted(self.states))
            raise AttributeError(f"The history of {self.student} holds no {name!r}; it has {known}.")
        return self.states[name]

    @cached_property
    def Q(self) -> Array:
        """|w|^2 after each row."""
        return self.states["Q"] if "Q" in self.states else np.einsum("ij,ij->i", self.w, self.w)

    @cached_property
    def kappa(self) -> Array:
        """The stability min_mu E^mu/|w| after each row (3.40); NaN while w = 0."""
        if "kappa" in self.states:
            return self.states["kappa"]
        lowest = np.array([(self.S * np.asarray(self.xi @ w)).min() for w in self.w])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.Q > 0, lowest / np.sqrt(self.Q), np.nan)

    @cached_property
    def errors(self) -> Array:
        """Wrong examples after each row, with sign(0) = +1 (1.5)."""
        if "errors" in self.states:
            return self.states["errors"]
        return np.array([int(np.sum(np.where(self.xi @ w >= 0, 1, -1) != self.S)) for w in self.w])

    def to_pandas(self) -> Any:
        """The table, with |w|^2, stability and errors of each row, as a DataFrame."""
        import pandas as pd

        extra = {}
        if "w" in self.states or "kappa" in self.states:
            extra = {"Q": self.Q, "kappa": self.kappa, "errors": self.errors}
        return pd.DataFrame({name: self.table[name] for name in self.table.dtype.names or ()} | extra)


def steps_without_examples(rows: int, steps: Any = None) -> Array:
    """Table of steps that present no example."""
    table = np.zeros(rows, dtype=STEPS)
    table["step"] = np.arange(rows) if steps is None else steps
    table["epoch"] = table["updates"] = table["step"]
    table["example"], table["E"], table["E_after"] = -1, np.nan, np.nan
    return table


def history_of_estimator(estimator: Any, which: int = 0) -> History:
    """Return the history of an estimator; ValueError says how to record one.

    which : index of the binary problem, if there are more than two classes.
    """
    history = getattr(estimator, "history_", None)
    name = type(estimator).__name__
    if history is None:
        how = f"Set {name}(record='updates') and fit again."
        if "record" not in getattr(estimator, "get_params", dict)():
            how = f"{name} has no steps to record."
        raise ValueError(f"This {name} kept no history. {how}")
    if isinstance(history, list):
        if not 0 <= which < len(history):
            raise ValueError(f"which = {which}: there is one history for each of {len(history)} problems.")
        history = history[which]
    if not isinstance(history, History):
        raise TypeError(f"{name}.history_ is a {type(history).__name__}, not a History.")
    return history


States = dict[str, Array]


class StepRecorder:
    """Records steps; `current_state` returns the student's state as arrays of `numbers` numbers in all."""

    def __init__(self, numbers: int, current_state: Callable[[], States]) -> None:
        self.capacity, self.current_state = _history_capacity(numbers), current_state
        self.events, self.stride = 0, 1
        self.rows: list[tuple[Any, ...]] = [(0, 0, -1, np.nan, np.nan, 0.0, 0)]
        self.states = [current_state()]
        self.last = self.rows[0]

    @property
    def last_is_kept(self) -> bool:
        """Whether the last event is among the rows."""
        return self.events % self.stride == 0

    def record_step(
        self, step: int, epoch: int, example: int, before: float, after: float, change: float, updates: int
    ) -> bool:
        """Record one event; return whether it is kept."""
        self.events += 1
        self.last = (step, epoch, example, before, after, change, updates)
        if self.events % self.stride == 0 and len(self.rows) == self.capacity:
            self.rows, self.states, self.stride = self.rows[::2], self.states[::2], 2 * self.stride
        if self.events % self.stride:
            return False
        self.rows.append(self.last)
        self.states.append(self.current_state())
        return True

    def to_history(self, xi: Any, S: Array, student: str, settings: dict[str, Any]) -> History:
        """Return the kept rows and the last step as a History."""
        if not self.last_is_kept:
            self.rows.append(self.last)
            self.states.append(self.current_state())
        states = {name: np.array([one[name] for one in self.states]) for name in self.states[0]}
        table = np.array(self.rows, dtype=STEPS)
        return History(table, states, xi, S, student, self.stride, self.events, settings)
