"""Sums of a function over the partitions, in their order, on threads or a Dask cluster."""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

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
