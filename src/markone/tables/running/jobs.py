"""One fit, as run by a worker: the problem is loaded from its file, exceptions are returned."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from markone.run.worker_process import limit_blas_threads


class Problem(Protocol):
    """`len(problem)` independent pieces of work; picklable, as are the results of `do`."""

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
class FitOutcome:
    """Result and time of a piece, or the error."""

    result: Any = None
    seconds: float = 0.0
    error: Exception | None = None
    worker: str = ""


def run_fit_job(job: FitJob, terms: Any = None) -> FitOutcome:
    """Run one job; `terms` (of the lab's tasks) are not used."""
    try:
        problem = _load_problem(job.file)
        limit_blas_threads()
        return run_timed(problem, job.k)
    except Exception as error:
        return FitOutcome(error=error)


def run_timed(problem: Problem, k: int) -> FitOutcome:
    began = time.perf_counter()
    result = problem.do(k)
    return FitOutcome(result, time.perf_counter() - began)


@lru_cache(maxsize=2)
def _load_problem(file: str) -> Any:
    """Load the problem with memory-mapped arrays, shared by the workers of a machine."""
    import joblib

    if not Path(file).is_file():
        raise FileNotFoundError(
            f"A worker cannot read {file}: workers on other machines need a shared cache folder "
            "(MARKONE_CACHE_DIR)."
        )
    return joblib.load(file, mmap_mode="r")
