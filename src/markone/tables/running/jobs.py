"""One fit of many, as a worker does it: the problem from its file, one thread, no exception leaves it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from markone.lab.runner.worker import one_blas_thread


class Problem(Protocol):
    """`len(problem)` independent pieces of work; can be pickled, and so can what `do` returns."""

    def __len__(self) -> int: ...

    def do(self, k: int) -> Any: ...


@dataclass(frozen=True)
class FitJob:
    """Piece `k` of the problem in this file."""

    file: str
    k: int

    @property
    def id(self) -> str:
        return f"{self.k}"


@dataclass(frozen=True)
class Done:
    """What came out and how long it took, or the error."""

    result: Any = None
    seconds: float = 0.0
    error: Exception | None = None
    worker: str = ""


def work(job: FitJob, terms: Any = None) -> Done:
    """`terms` are those of the lab's tasks: a fit has none."""
    try:
        problem = loaded(job.file)
        one_blas_thread()
        return timed(problem, job.k)
    except Exception as error:
        return Done(error=error)


def timed(problem: Problem, k: int) -> Done:
    began = time.perf_counter()
    result = problem.do(k)
    return Done(result, time.perf_counter() - began)


@lru_cache(maxsize=2)
def loaded(file: str) -> Any:
    """Its arrays are mapped, not read: the workers of a machine share them."""
    import joblib

    if not Path(file).is_file():
        raise FileNotFoundError(
            f"A worker does not see {file}: workers on other machines need the cache folder in a place that "
            "all of them share (MARKONE_CACHE_DIR)."
        )
    return joblib.load(file, mmap_mode="r")
