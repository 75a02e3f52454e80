"""Shortcuts against what they replace: fast leave-one-out against P fits, least squares against SVD."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attack.proofs import FALSE, GOOD
from attack.sets import draw_sets
from markone import Adaline, AdaTron, KernelAdaTron, LinearUnit, Rosenblatt
from markone.evaluation import leave_one_out
from markone.evaluation.fast_leave_one_out import plain_leave_one_out
from markone.numerics.arrays import Floats

STUDENTS = (
    lambda: Rosenblatt(max_iter=50),
    # A fixed seed: without a hard margin the student is not unique.
    lambda: AdaTron(random_state=0),
    lambda: AdaTron(C=1.0),
    lambda: Adaline(ridge=0.1),
    lambda: KernelAdaTron(gamma=0.5, C=1.0),
    lambda: KernelAdaTron(gamma=0.5),
    lambda: KernelAdaTron(gamma=0.5, C=1.0, fit_intercept="free"),
    lambda: KernelAdaTron(kernel="linear"),
)


def attack_leave_one_out(seed: int, number: int) -> Iterator[str]:
    """Potentials and predictions of the fast methods and of P fits, on clouds that overlap or not."""
    for k in range(number):
        rng = np.random.default_rng([seed, k])
        P, N = int(rng.integers(8, 24)), int(rng.integers(1, 6))
        y = np.arange(P) % 2
        X = rng.standard_normal((P, N)) + rng.choice([0.0, 1.0, 4.0]) * y[:, None]
        student = STUDENTS[k % len(STUDENTS)]()
        fast, plain = leave_one_out(student, X, y), plain_leave_one_out(student, X, y)
        size = 1.0 + np.abs(plain.potentials).max()
        near = np.abs(fast.potentials - plain.potentials).max() <= 1e-6 * size
        sure = np.abs(plain.potentials) > 1e-6 * size
        yield GOOD if near and (fast.predicted == plain.predicted)[sure].all() else FALSE


def attack_least_squares(seed: int, number: int) -> Iterator[str]:
    """Residuals of Adaline and LinearUnit against the pseudo-inverse, on tables that may be singular."""
    for X, S, rng in draw_sets(seed, number, most=12):
        if not 1e-100 < np.abs(X).max() < 1e100:
            yield GOOD
            continue
        if rng.random() < 0.5:
            X = np.column_stack([X, X[:, :1]])
        yield GOOD if all(_is_least(student, X, S) for student in (Adaline(), LinearUnit())) else FALSE


def _is_least(student: Any, X: Floats, S: Floats) -> bool:
    """True if the squared error is at most that of numpy's pseudo-inverse, and the weights are not huge."""
    fitted = student.fit(X, S)
    w, b = np.ravel(fitted.coef_), float(np.ravel(fitted.intercept_)[0])
    A = np.column_stack([X, np.ones(len(X))])
    peer = np.linalg.lstsq(A, S, rcond=np.finfo(float).eps * max(A.shape))[0]
    error, best = float(np.sum((S - X @ w - b) ** 2)), float(np.sum((S - A @ peer) ** 2))
    # Large weights that cancel round each residual by this much.
    rounding = 8 * np.finfo(float).eps * float((np.abs(X) @ np.abs(w) + abs(b)).max())
    allowed = 1e-9 + 2 * np.sqrt(best * len(S)) * rounding + len(S) * rounding**2
    return error <= best + allowed and bool(np.isfinite(w).all())
