"""History of a Bayes point: the sampled students in order, and their running mean   (3.38)."""

from typing import Any

import numpy as np

from markone.base.history import History, steps_without_examples
from markone.numerics.arrays import Array


def walk_history(students: Array, xi: Any, S: Array, student: str, settings: dict[str, Any]) -> History:
    """History with row k: the mean "w" of the first k students, the k-th "student", change of the mean."""
    zero = np.zeros(students.shape[1])
    means = np.cumsum(students, axis=0) / np.arange(1, len(students) + 1)[:, None]
    w = np.vstack([zero, means])
    table = steps_without_examples(len(w))
    table["change"][1:] = np.linalg.norm(np.diff(w, axis=0), axis=1)
    states = {"w": w, "student": np.vstack([zero, students])}
    return History(table, states, xi, S, student, 1, len(students), settings)
