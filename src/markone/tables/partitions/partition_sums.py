"""Sums over the partitions, in their order, on threads or a Dask cluster; moments of the columns."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from markone.numerics.arrays import Array

# Bytes of loaded partitions cached per process for the next pass.
KEPT_BYTES = 2**30
# Bytes above which arguments are sent once per worker, not with each partition.
LARGE_BYTES = 2**20
# Retries of a partition whose worker has died.
RETRIES = 5

_kept: dict[tuple[str, int], tuple[Array, Array]] = {}
_lock = Lock()


def _load_cached(parts: Any, token: str, k: int) -> tuple[Array, Array]:
    """Load partition k, from the cache if it is there.

    Once the cache is full, the rest is reloaded in every pass: evicting the least recently used partition
    would never hit in cyclic passes.
    """
    with _lock:
        if (token, k) in _kept:
            return _kept[token, k]
    X, y = parts.load(k)
    with _lock:
        if not _fits_in_cache(X, y):
            # Partitions of earlier sums, no longer needed.
            for key in [key for key in _kept if key[0] != token]:
                del _kept[key]
        if _fits_in_cache(X, y):
            _kept[token, k] = X, y
    return X, y


def _fits_in_cache(X: Array, y: Array) -> bool:
    kept = sum(a.nbytes + b.nbytes for a, b in _kept.values())
    return kept + X.nbytes + y.nbytes <= KEPT_BYTES


def _apply_to_partition(
    function: Callable[..., Any], parts: Any, token: str, k: int, arguments: tuple[Any, ...]
) -> Any:
    X, y = _load_cached(parts, token, k)
    return function(X, y, *arguments)


class PartitionSums:
    """Map a function over the partitions (`each`) and sum the results (`total`).

    On `threads` threads of this process, or on the workers of a Dask `client`: each partition is assigned to
    the same worker in every pass, which caches it, or to another one if that has died.
    """

    def __init__(self, parts: Any, client: Any = None, threads: int = 1) -> None:
        self.parts, self.client, self.threads = parts, client, threads
        self.token = uuid.uuid4().hex
        # The partitions are sent once, not with every pass.
        self.there = self._send_to_workers(parts) if client else None

    def map_partitions(self, function: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
        if self.client is not None:
            yield from self._on_cluster(function, arguments)
            return
        calls = [(function, self.parts, self.token, k, arguments) for k in range(len(self.parts))]
        if self.threads == 1:
            yield from (_apply_to_partition(*call) for call in calls)
            return
        with threadpool_limits(1), ThreadPoolExecutor(self.threads) as pool:
            yield from pool.map(lambda call: _apply_to_partition(*call), calls)

    def _on_cluster(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Iterator[Any]:
        workers = sorted(self.client.scheduler_info(n_workers=-1)["workers"])
        sent = self._send_to_workers(arguments) if len(pickle.dumps(arguments)) > LARGE_BYTES else arguments
        futures = [
            self.client.submit(
                _apply_to_partition,
                function,
                self.there,
                self.token,
                k,
                sent,
                workers=[workers[k % len(workers)]] if workers else None,
                allow_other_workers=True,
                retries=RETRIES,
                pure=False,
            )
            for k in range(len(self.parts))
        ]
        yield from (future.result() for future in futures)

    def _send_to_workers(self, content: Any) -> Any:
        """Send to all workers, so that the replacement of a dead worker can fetch it from the others."""
        return self.client.scatter([content], broadcast=True, hash=False)[0]

    def total(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Sum the results, tuples of numbers and arrays."""
        found: list[Any] | None = None
        for part in self.map_partitions(function, *arguments):
            found = list(part) if found is None else [a + b for a, b in zip(found, part, strict=True)]
        return found

    def close(self) -> None:
        with _lock:
            for key in [key for key in _kept if key[0] == self.token]:
                del _kept[key]


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
    classes = np.array(sorted(rows))  # type: ignore[type-var]  # labels are of one kind
    counts = np.array([rows[label] for label in classes.tolist()], dtype=float)
    means = (
        np.array([of_class[label] for label in classes.tolist()]) / counts[:, None] if rows else np.zeros(0)
    )
    return Moments(P, mean, squares / P, classes, counts, means)
