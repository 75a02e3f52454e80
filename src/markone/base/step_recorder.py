"""Recording of a history for students whose steps run in Python.

The rule is that of `history`: event 0 is the start; kept are the events whose number is a multiple of the
stride, which doubles when the rows are full, and the last one. A state is computed only if it is kept.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from markone.base.history import STEPS, History, history_capacity
from markone.numerics.arrays import Array

States = dict[str, Array]


class StepRecorder:
    """Records steps; `look` returns the state of the student as arrays of `numbers` numbers in all."""

    def __init__(self, numbers: int, look: Callable[[], States]) -> None:
        self.places, self.look = history_capacity(numbers), look
        self.events, self.stride = 0, 1
        self.rows: list[tuple[Any, ...]] = [(0, 0, -1, np.nan, np.nan, 0.0, 0)]
        self.states = [look()]
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
        if self.events % self.stride == 0 and len(self.rows) == self.places:
            self.rows, self.states, self.stride = self.rows[::2], self.states[::2], 2 * self.stride
        if self.events % self.stride:
            return False
        self.rows.append(self.last)
        self.states.append(self.look())
        return True

    def to_history(self, xi: Any, S: Array, student: str, settings: dict[str, Any]) -> History:
        """Return the kept rows and the last step as a History."""
        if not self.last_is_kept:
            self.rows.append(self.last)
            self.states.append(self.look())
        states = {name: np.array([one[name] for one in self.states]) for name in self.states[0]}
        table = np.array(self.rows, dtype=STEPS)
        return History(table, states, xi, S, student, self.stride, self.events, settings)
