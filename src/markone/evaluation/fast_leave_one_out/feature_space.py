"""Leave-one-out of KernelAdaTron: as for AdaTron, only the support vectors need a refit."""

from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.sklearn_compat import safe_indexing
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads
from markone.perceptron import KernelAdaTron


def supports_kernel_adatron(student: Any, P: int) -> bool:
    """True if kernel and weights do not depend on the training set; gamma="scale" is a variance of it."""
    if type(student) is not KernelAdaTron:
        return False
    fixed = student.kernel in ("linear", "precomputed") or student.gamma != "scale"
    return fixed and not callable(student.kernel) and student.class_weight is None and not student.normalize


def kernel_left_out_potentials(
    student: Any, X: Any, y: Array, n_jobs: int | None = None
) -> tuple[Any, Array, int]:
    ready = clone(student).fit(X, y)
    potentials = np.asarray(ready.decision_function(X)).reshape(len(y), -1).copy()
    unique = set(np.atleast_1d(ready.status_)) <= {"exact", "converged"}
    # Without a hard margin the solution is not unique: all examples are refitted.
    needed = (
        np.flatnonzero((np.atleast_2d(ready.embedding_) > 0).any(axis=0)) if unique else np.arange(len(y))
    )

    def without(mu: int) -> Array:
        kept = np.ones(len(y))
        kept[mu] = 0.0
        other = clone(student).fit(X, y, sample_weight=kept)
        return np.ravel(other.decision_function(safe_indexing(X, [mu])))

    for mu, scores in zip(needed, map_in_threads(without, needed.tolist(), n_jobs), strict=True):
        potentials[mu] = scores
    return ready, potentials, len(needed)
