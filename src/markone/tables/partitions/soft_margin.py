"""The soft margin of partitions, exactly, with few of their rows in memory.

At the solution (Kuhn and Tucker) x = 0 where E > 1 and x = gamma where E < 1: all rows of the second kind act
through their sum alone, those of the first not at all. Only rows near E = 1 have to be there one by one. So:
a first student from a sample; the rows within a band round its E = 1; in place of all rows below the band one
example, their mean with the weight of all. AdaTron's solution for these is that of all if every row is on
its side. Rows that are not join the others, and so on until none is wrong.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.perceptron.quadratic import maximise
from markone.tables.partitions.perceptrons import augmented
from markone.tables.partitions.summing import Summing

# Rows of the sample, and how many may be in memory at last.
SAMPLE_ROWS, MOST_ROWS = 400_000, 4_000_000
# The band is so many standard errors of the first student's E wide, estimated from a part of the sample. Much
# too narrow, it leaves many rows on the wrong side, and the next student is no better.
ERRORS, PART = 4.0, 4
ROUNDS = 50
# Potentials are exact to rounding on the rows in memory; others may be on the wrong side by this.
SLACK = 1e-10


@dataclass(frozen=True)
class Sides:
    """Which rows are near, decided by a first student w; S = 1 for rows of `label`, -1 for others."""

    label: Any
    clamped: float
    w: Array
    width: float

    def signed(self, X: Array, y: Array) -> Array:
        """S xi, the clamped input included."""
        return augmented(X, self.clamped) * np.where(y == self.label, 1.0, -1.0)[:, None]

    def near(self, E: Array) -> Array:
        return np.abs(E - 1.0) <= self.width


def sample(X: Array, y: Array, classes: Array, step: int) -> tuple[Array, Array, Array]:
    """Every so many rows of each class, one at least, and how many each of them stands for."""
    rows, stand_for = [], []
    for label in classes:
        own = np.flatnonzero(y == label)
        rows.append(own[::step])
        stand_for.append(np.full(len(rows[-1]), len(own) / max(1, len(rows[-1]))))
    chosen = np.concatenate(rows)
    return X[chosen], y[chosen], np.concatenate(stand_for)


def split(X: Array, y: Array, sides: Sides) -> tuple[Array, Array, Array, float]:
    """S xi of the near rows and their numbers; the sum of S xi over those below them, and how many."""
    A = sides.signed(X, y)
    E = A @ sides.w
    near = sides.near(E)
    below = ~near & (E < 1.0)
    return A[near], np.flatnonzero(near), below.astype(float) @ A, float(below.sum())


def misplaced(X: Array, y: Array, sides: Sides, w: Array) -> tuple[Array, Array, Array]:
    """S xi of the rows that w has on another side than they were put; numbers; whether they were below."""
    A = sides.signed(X, y)
    E = A @ sides.w
    rest, below, now = ~sides.near(E), E < 1.0, A @ w
    wrong = np.flatnonzero(rest & np.where(below, now > 1.0 + SLACK, now < 1.0 - SLACK))
    return A[wrong], wrong, below[wrong]


def soft_margin(model: Any, sums: Summing, classes: Array, P: int) -> tuple[Array, Array, int]:
    """Weights and thresholds, and the largest number of rows that were in memory."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    step = -(-P // SAMPLE_ROWS)
    X, y, stand_for = (np.concatenate(each) for each in zip(*sums.each(sample, classes, step), strict=True))
    found, most = [], len(y)
    for label in classes[1:] if len(classes) == 2 else classes:
        S = np.where(y == label, 1.0, -1.0)
        A = augmented(X, clamped) * S[:, None]
        w = solved(model, A, stand_for)
        if len(y) < P:
            width = ERRORS * standard_error(model, A, stand_for, w)
            w, rows = exactly(model, sums, Sides(label, clamped, w, width))
            most = max(most, rows)
        found.append(w)
    W = np.array(found)
    if not clamped:
        return W, np.zeros(len(W)), most
    return W[:, :-1], W[:, -1] * clamped, most


def standard_error(model: Any, A: Array, weights: Array, w: Array) -> float:
    """Of E by the student w of the sample: that of a part of it differs by sqrt(PART - 1) times as much."""
    part = solved(model, A[::PART], PART * weights[::PART], w)
    return float(np.sqrt(np.mean((A @ (part - w)) ** 2) / (PART - 1)))


def exactly(model: Any, sums: Summing, sides: Sides) -> tuple[Array, int]:
    """The solution for all rows, and how many were in memory for it."""
    near = Near.of(sums, sides)
    for _ in range(ROUNDS):
        refuse(len(near.A))
        w = near.solved(model)
        if not near.take_in(sums, w):
            return w, len(near.A)
    raise BadTable(f"Rows still change sides after {ROUNDS} rounds: use a smaller C, or a sample.")


@dataclass
class Near:
    """S xi of the rows in memory, their numbers in each partition, and what the rows below them sum up to."""

    sides: Sides
    A: Array
    known: list[Array]
    below: Array
    count: float

    @classmethod
    def of(cls, sums: Summing, sides: Sides) -> Near:
        rows, known, below, count = zip(*sums.each(split, sides), strict=True)
        return cls(sides, np.concatenate(rows), list(known), sum(below), sum(count))

    def solved(self, model: Any) -> Array:
        # The mean of all rows below has E < 1 as they have: its strength is at its bound, as theirs are.
        mean = self.below[None] / self.count if self.count else np.zeros((0, self.A.shape[1]))
        weights = np.append(np.ones(len(self.A)), [self.count] * len(mean))
        return solved(model, np.concatenate([self.A, mean]), weights, self.sides.w)

    def take_in(self, sums: Summing, w: Array) -> int:
        """Rows that w has on the wrong side; how many there were."""
        added = []
        for k, (rows, numbers, were_below) in enumerate(sums.each(misplaced, self.sides, w)):
            new = ~np.isin(numbers, self.known[k])
            self.known[k] = np.concatenate([self.known[k], numbers[new]])
            gone = new & were_below
            self.below, self.count = self.below - rows[gone].sum(axis=0), self.count - float(gone.sum())
            added.append(rows[new])
        self.A = np.concatenate([self.A, *added])
        return sum(map(len, added))


def solved(model: Any, A: Array, weights: Array, w: Array | None = None) -> Array:
    """The soft margin of examples S xi = A with their weights; from strengths at the bounds that w names."""
    gamma = model.C * A.shape[1] * weights
    x0 = None if w is None else np.where(A @ w < 1.0, gamma, 0.0)
    how = {"tol": model.tol, "exact": model.exact, "max_epochs": model.max_iter}
    found = maximise(np.ascontiguousarray(A), np.ones(len(A)), gamma, x0=x0, **how)
    if found.status not in ("exact", "converged"):
        warnings.warn(found.message, ConvergenceWarning, stacklevel=2)
    return np.asarray(found.w)


def refuse(rows: int) -> None:
    if rows > MOST_ROWS:
        raise BadTable(
            f"More than {MOST_ROWS} rows lie on the margin or near it: they do not fit into memory. Use "
            "MarginCost, whose sums need no rows, or a sample."
        )
