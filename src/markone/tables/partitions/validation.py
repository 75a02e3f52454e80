"""Cross-validation of partitions: rows are assigned to folds at random, scores are sums over partitions."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from markone.numerics.arrays import Array
from markone.tables.partitions.fitting import fit_partitions, residual_sums
from markone.tables.partitions.partition_sums import PartitionSums
from markone.tables.partitions.sources import ChangedPartitions, as_partitions
from markone.tables.running import Progress
from markone.tables.scoring import Interval, resampled_intervals

# Key of the random stream that assigns rows to folds.
FOLD_STREAM = 0x666F6C64


def fold_of_partitions(parts: Any, fold: int, folds: int, seed: int, left_out: bool) -> ChangedPartitions:
    """The rows of one fold (`left_out`), or all others; reproducible on every worker."""
    return ChangedPartitions(parts, partial(_select_fold, fold, folds, seed, left_out))


def _select_fold(
    fold: int, folds: int, seed: int, left_out: bool, k: int, X: Array, y: Array
) -> tuple[Array, Array]:
    # A separate stream: [0, 0] alone would equal that of seed 0, often used to generate the table.
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(FOLD_STREAM, k)))
    chosen = (rng.integers(0, folds, len(y)) == fold) == left_out
    return X[chosen], y[chosen]


@dataclass(frozen=True)
class PartitionScores:
    """Means over the folds with corrected intervals; `trivial` are the scores of a constant prediction."""

    estimates: dict[str, Interval]
    trivial: dict[str, float]
    rows: int
    folds: int
    # Left-out rows by true class and predicted class, in the order of their names.
    confusion: Array | None = None


def validate_partitions(
    estimator: Any,
    data: Any,
    target: str | None = None,
    *,
    folds: int = 5,
    scale: bool = True,
    missing: str = "refuse",
    seed: int = 0,
    client: Any = None,
    threads: int = 1,
    progress: Progress = lambda done, total: None,
) -> PartitionScores:
    """Cross-validate an estimator on partitions.

    Parameters
    ----------
    estimator : estimator
        An estimator supported by `fit_partitions`.
    data : str, pathlib.Path, dask.dataframe or list of (X, y)
        A Parquet file, a folder of them, a frame, or the partitions.
    target : str or None, default=None
        The target column of files and frames.
    folds : int, default=5
        Number of folds.
    scale : bool, default=True
        Whether to scale inputs to z-scores of the training rows.
    missing : {"refuse", "median", "mean"}, default="refuse"
        Replacement of missing values, by the training rows.
    seed : int, default=0
        Random seed of the folds.
    client : dask.distributed.Client or None, default=None
        Client whose workers load the partitions; None: `threads` of this process.
    threads : int, default=1
        Number of threads without a client.
    progress : function (done, total), optional
        Called after each fold.

    Returns
    -------
    PartitionScores
        The measures of each fold and together.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import Hebb
    >>> from markone.tables import validate_partitions
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 2
    >>> X = rng.normal(size=(400, 3)) + 3 * y[:, None]
    >>> found = validate_partitions(Hebb(), [(X[:150], y[:150]), (X[150:], y[150:])])
    >>> round(found.estimates["accuracy"].mean, 1)
    1.0
    """
    parts = as_partitions(data, target)
    if folds < 2:
        raise ValueError(f"folds = {folds}: at least two are needed.")
    how = {"client": client, "threads": threads}
    measures, sizes, seen, called = [], [], [], []
    classified = is_classifier(estimator)
    progress(0, folds)
    for fold in range(folds):
        rest = fold_of_partitions(parts, fold, folds, seed, left_out=False)
        own = fold_of_partitions(parts, fold, folds, seed, left_out=True)
        model = fit_partitions(estimator, rest, scale=scale, missing=missing, **how)
        with closing(PartitionSums(own, client, threads)) as summing:
            sums = summing.total(_count_confusion if classified else residual_sums, model)
        measures.append(_accuracy_from_counts(sums[0]) if classified else _errors_from_sums(*sums))
        sizes.append(int(sums[0].sum() if classified else sums[-1]))
        seen.append(sums[0].sum(axis=1) if classified else np.array(sums[1:]))
        called.append(sums[0])
        progress(fold + 1, folds)
    without = _constant_scores(np.sum(seen, axis=0), classified)
    together = np.sum(called, axis=0) if classified else None
    estimates = resampled_intervals(measures, sizes, sum(sizes))
    return PartitionScores(estimates, without, sum(sizes), folds, together)


def _accuracy_from_counts(counts: Array) -> dict[str, float]:
    rows = counts.sum(axis=1)
    return {
        "accuracy": float(np.trace(counts) / counts.sum()),
        "balanced_accuracy": float(np.mean(np.diag(counts)[rows > 0] / rows[rows > 0])),
    }


def _constant_scores(seen: Array, classified: bool) -> dict[str, float]:
    """Scores of predicting the most frequent class, or the mean."""
    if classified:
        return {"accuracy": float(seen.max() / seen.sum()), "balanced_accuracy": 1 / len(seen)}
    total, squares, _, n = seen
    return {"rmse": float(np.sqrt(squares / n - (total / n) ** 2)), "r2": 0.0}


def _count_confusion(X: Array, y: Array, model: Any) -> tuple[Array]:
    classes = model.classes_
    counts = np.zeros((len(classes), len(classes)))
    if len(y):
        np.add.at(counts, (np.searchsorted(classes, y), np.searchsorted(classes, model.predict(X))), 1)
    return (counts,)


def _errors_from_sums(left: float, total: float, squares: float, size: float, n: int) -> dict[str, float]:
    """Errors from sums; R2 is against the mean of the left-out rows, which differs by 1/sqrt(n)."""
    variance = squares / n - (total / n) ** 2
    share = 1 - left / n / variance if variance > 0 else float("nan")
    rmse = float(np.sqrt(left / n))
    gain = float(np.sqrt(max(variance, 0.0))) - rmse
    return {"rmse": rmse, "mae": float(size / n), "r2": float(share), "gain": gain}
