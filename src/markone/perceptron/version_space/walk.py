"""The walk of a Bayes point through version space: one student after the other, and their mean   (3.38)."""

from typing import Any

import numpy as np

from markone.base.history import History, plain_table
from markone.numerics.arrays import Array


def walk_history(students: Array, xi: Any, S: Array, student: str, settings: dict[str, Any]) -> History:
    """Row k: the mean "w" of the first k students, and the k-th "student"; change: how far the mean moved."""
    nothing = np.zeros(students.shape[1])
    means = np.cumsum(students, axis=0) / np.arange(1, len(students) + 1)[:, None]
    w = np.vstack([nothing, means])
    table = plain_table(len(w))
    table["change"][1:] = np.linalg.norm(np.diff(w, axis=0), axis=1)
    states = {"w": w, "student": np.vstack([nothing, students])}
    return History(table, states, xi, S, student, 1, len(students), settings)
