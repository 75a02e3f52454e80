"""Cross-validation of partitions: rows go to folds by lot, scores are sums over partitions like all else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from markone.numerics.arrays import Array
from markone.tables.partitions.fitting import fit_partitions
from markone.tables.partitions.sources import ChangedPartitions, as_partitions
from markone.tables.partitions.summing import Summing
from markone.tables.regression.scores import over_folds
from markone.tables.running.run import Progress
from markone.tables.scores import Interval

# Names the stream of the lot.
FOLDS = 0x666F6C64


@dataclass
class FoldOfPartitions(ChangedPartitions):
    """The rows of one fold (`left_out`), or all others; the same rows whoever loads them."""

    fold: int
    folds: int
    seed: int
    left_out: bool

    def _change(self, k: int, X: Array, y: Array) -> tuple[Array, Array]:
        # A stream of its own: [0, 0] alone would be that of seed 0, from which many a table was drawn.
        lot = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(FOLDS, k)))
        own = lot.integers(0, self.folds, len(y)) == self.fold
        chosen = own if self.left_out else ~own
        return X[chosen], y[chosen]


@dataclass(frozen=True)
class PartitionScores:
    """Means over the folds with corrected intervals; `trivial` is what an answer without inputs reaches."""

    estimates: dict[str, Interval]
    trivial: dict[str, float]
    rows: int
    folds: int


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
    """Fit to all folds but one, score on that one, each fold in turn; nothing is ever in memory at once.

    Parameters
    ----------
    estimator : estimator
        One that `fit_partitions` takes.
    data : str, pathlib.Path, dask.dataframe or list of (X, y)
        A Parquet file or a folder of them, a frame, or the partitions themselves.
    target : str or None, default=None
        The column to be predicted, of files and frames.
    folds : int, default=5
        How many there are.
    scale : bool, default=True
        z-scores by means and deviations of the training rows first.
    missing : {"refuse", "median", "mean"}, default="refuse"
        What a missing value becomes, by the training rows.
    seed : int, default=0
        Of the lot that sends rows to folds.
    client : dask.distributed.Client or None, default=None
        Its workers load the partitions; None: `threads` of this process.
    threads : int, default=1
        Threads of this process, without a client.
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
    measures, sizes, seen = [], [], []
    classified = is_classifier(estimator)
    progress(0, folds)
    for fold in range(folds):
        rest = FoldOfPartitions(parts, fold, folds, seed, left_out=False)
        own = FoldOfPartitions(parts, fold, folds, seed, left_out=True)
        model = fit_partitions(estimator, rest, scale=scale, missing=missing, **how)
        summing = Summing(own, client, threads)
        sums = summing.total(confusion if classified else residual_sums, model)
        summing.close()
        measures.append(of_classes(sums[0]) if classified else of_numbers(*sums))
        sizes.append(int(sums[0].sum() if classified else sums[-1]))
        seen.append(sums[0].sum(axis=1) if classified else np.array(sums[1:]))
        progress(fold + 1, folds)
    without = trivial(np.sum(seen, axis=0), classified)
    return PartitionScores(over_folds(measures, sizes, sum(sizes)), without, sum(sizes), folds)


def of_classes(counts: Array) -> dict[str, float]:
    rows = counts.sum(axis=1)
    return {
        "accuracy": float(np.trace(counts) / counts.sum()),
        "balanced_accuracy": float(np.mean(np.diag(counts)[rows > 0] / rows[rows > 0])),
    }


def trivial(seen: Array, classified: bool) -> dict[str, float]:
    """Always the most frequent class, always the mean."""
    if classified:
        return {"accuracy": float(seen.max() / seen.sum()), "balanced_accuracy": 1 / len(seen)}
    total, squares, _, n = seen
    return {"rmse": float(np.sqrt(squares / n - (total / n) ** 2)), "r2": 0.0}


def confusion(X: Array, y: Array, model: Any) -> tuple[Array]:
    classes = model.classes_
    counts = np.zeros((len(classes), len(classes)))
    if len(y):
        np.add.at(counts, (np.searchsorted(classes, y), np.searchsorted(classes, model.predict(X))), 1)
    return (counts,)


def of_numbers(left: float, total: float, squares: float, size: float, n: int) -> dict[str, float]:
    """R2 against the mean of the left-out rows, which differs from that of the others by 1/sqrt(n)."""
    variance = squares / n - (total / n) ** 2
    share = 1 - left / n / variance if variance > 0 else float("nan")
    return {"rmse": float(np.sqrt(left / n)), "mae": float(size / n), "r2": float(share)}


def residual_sums(X: Array, y: Array, model: Any) -> tuple[float, float, float, float, int]:
    if not len(y):
        return 0.0, 0.0, 0.0, 0.0, 0
    r = y - model.predict(X)
    return float(r @ r), float(y.sum()), float(y @ y), float(np.abs(r).sum()), len(y)
