"""Counts, means, variances and classes of all partitions, in two passes: means first, then deviations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.partitions.partition_sums import PartitionSums


@dataclass(frozen=True)
class Moments:
    P: int
    mean: Array
    variance: Array
    classes: Array
    counts: Array
    class_means: Array

    @property
    def deviation(self) -> Array:
        """Standard deviations; 1 for a constant column, whose deviation is rounding error."""
        found = np.sqrt(self.variance)
        return np.where(found > 1e-12 * np.abs(self.mean), found, 1.0)


def _sum_rows_by_class(X: Array, y: Array, classified: bool) -> tuple[int, Array, Array, Array, Array]:
    """Rows and their sum; label, rows and sum of each class of this partition."""
    if not classified:
        return len(X), X.sum(axis=0), np.zeros(0), np.zeros(0), np.zeros((0, X.shape[1]))
    labels, place = np.unique(y, return_inverse=True)
    sums = np.array([X[place == k].sum(axis=0) for k in range(len(labels))]).reshape(-1, X.shape[1])
    return len(X), X.sum(axis=0), labels, np.bincount(place), sums


def _sum_squared_deviations(X: Array, y: Array, mean: Array) -> tuple[Array]:
    return (((X - mean) ** 2).sum(axis=0),)


def centred_gram(X: Array, y: Array, mean: Array) -> tuple[Array]:
    Z = X - mean
    return (Z.T @ Z,)


def compute_moments(sums: PartitionSums, classified: bool) -> Moments:
    P, total = 0, 0.0
    rows: dict[object, int] = {}
    of_class: dict[object, Array] = {}
    for n, part, labels, counts, class_sums in sums.map_partitions(_sum_rows_by_class, classified):
        P, total = P + n, total + part
        for label, count, values in zip(labels.tolist(), counts.tolist(), class_sums, strict=True):
            rows[label] = rows.get(label, 0) + count
            of_class[label] = of_class.get(label, 0.0) + values
    mean = np.asarray(total) / P
    (squares,) = sums.total(_sum_squared_deviations, mean)
    classes = np.array(sorted(rows))  # type: ignore[type-var]
    counts = np.array([rows[label] for label in classes.tolist()], dtype=float)
    means = (
        np.array([of_class[label] for label in classes.tolist()]) / counts[:, None] if rows else np.zeros(0)
    )
    return Moments(P, mean, squares / P, classes, counts, means)
