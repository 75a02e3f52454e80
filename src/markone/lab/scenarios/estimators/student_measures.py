"""Measures of any fitted classifier."""

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.special import owens_t

from markone.numerics.arrays import Floats

_lock = threading.Lock()
_entered: list[Any] = []


@contextmanager
def ignore_convergence_warnings() -> Iterator[None]:
    """Suppress convergence warnings; convergence is a measure. `warnings.catch_warnings` acts on the whole
    process, so the first thread to enter opens it and the last one to leave closes it."""
    from sklearn.exceptions import ConvergenceWarning

    with _lock:
        if not _entered:
            catcher = warnings.catch_warnings()
            catcher.__enter__()
            warnings.simplefilter("ignore", ConvergenceWarning)
            _entered.append(catcher)
        _entered.append(None)
    try:
        yield
    finally:
        with _lock:
            _entered.pop()
            if len(_entered) == 1:
                _entered.pop().__exit__(None, None, None)


def fit_student(student: Any, xi: Floats, S: Floats) -> Any:
    """Return the trained student; None if all labels are equal, which most classifiers reject."""
    if len(np.unique(S)) < 2:
        return None
    with ignore_convergence_warnings():
        return student.fit(xi, S)


def predict_labels(student: Any, xi: Floats, S: Floats) -> Floats:
    """Predicted labels of xi; the only class of the examples if there was just one."""
    if student is None:
        return np.full(len(xi), S[0])
    labels = np.asarray(student.predict(xi), dtype=float)
    if labels.shape != (len(xi),):
        name = type(student).__name__
        raise ValueError(f"{name}.predict returned the shape {labels.shape} for {len(xi)} inputs.")
    return labels


def linear_weights(student: Any, N: int) -> tuple[Floats, float] | None:
    """(w, b) if the output is sign(w . xi + b), else None."""
    w = getattr(student, "coef_", None)
    if w is None or np.size(w) != N or not np.any(w):
        return None
    b = np.ravel(getattr(student, "intercept_", 0.0))
    return np.asarray(w, dtype=float).ravel(), float(b[0]) if len(b) else 0.0


def normalized_overlap(w: Floats, w_star: Floats) -> float:
    R = float(w @ w_star / np.sqrt((w @ w) * (w_star @ w_star)))
    return min(max(R, -1.0), 1.0)


def linear_disagreement(R: float, threshold: float) -> float:
    """Probability that sign(w . xi + b) and sign(w* . xi) differ on Gaussian inputs: 1/2 - 2 T(b/|w|,
    R/sqrt(1 - R^2)) with Owen's T, which is arccos(R)/pi for b = 0   (3.34)."""
    slope = R / math.sqrt(1 - R * R) if abs(R) < 1 else math.copysign(math.inf, R)
    return float(0.5 - 2 * owens_t(threshold, slope))


def linear_stability(w: Floats, b: float, xi: Floats, S: Floats) -> float:
    return float(np.min(S * (xi @ w + b)) / np.linalg.norm(w))


def support_fraction(student: Any, P: int) -> float:
    """Fraction n_s/P of support vectors; NaN for a student without them."""
    counts = getattr(student, "n_support_", None)
    if counts is not None:
        return float(np.sum(counts)) / P
    strengths = np.asarray(getattr(student, "embedding_", ()))
    return float(np.count_nonzero(strengths)) / P if strengths.size == P else math.nan


def training_effort(student: Any) -> tuple[float, float]:
    """(iterations, whether the stop rule was met), NaN where unknown."""
    iterations = getattr(student, "n_iter_", None)
    made = float(np.max(iterations)) if iterations is not None and np.size(iterations) else math.nan
    if hasattr(student, "converged_"):
        return made, float(np.all(student.converged_))
    limit = getattr(student, "max_iter", None)
    return made, float(made < limit) if limit is not None and limit > 0 and made == made else math.nan
