"""One fit, as run by a worker; finished fits are kept in the user's cache folder until the run has ended.

A killed run resumes. The problem is loaded from its file; the results are a log of pickles, in a folder that
only the user can write to.
"""

from __future__ import annotations

import pickle
import shutil
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from markone.numerics import compiling
from markone.numerics.files import UnsafeFolder, make_private_folder
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


# Seconds after which an unused log is deleted.
MAX_AGE = 14 * 86400.0


class Checkpoint:
    """The folder of one problem, named by a hash of everything its results depend on."""

    def __init__(self, problem: Problem) -> None:
        import joblib

        self.problem = problem
        self.folder = _checkpoint_folder(f"{joblib.hash(problem)}-{_code_versions()}")
        self._log: BinaryIO | None = None

    def done(self) -> dict[int, FitOutcome]:
        """Results of earlier runs; the last record of a killed one may be incomplete."""
        found: dict[int, FitOutcome] = {}
        for path in sorted(self.folder.glob("*.log")) if self.folder else ():
            with path.open("rb") as log:
                while True:
                    try:
                        k, done = pickle.load(log)
                    except (EOFError, pickle.UnpicklingError, AttributeError, ImportError, IndexError):
                        break
                    found[k] = done
        return found

    def add(self, k: int, done: FitOutcome) -> None:
        if self.folder is None:
            return
        if self._log is None:
            # One log per run, so that two concurrent runs do not share a file.
            self._log = (self.folder / f"{time.time_ns()}.log").open("wb")
        pickle.dump((k, done), self._log)
        self._log.flush()

    @property
    def problem_file(self) -> Path:
        """File of the problem, for the workers."""
        import joblib

        folder = self.folder
        if folder is None:
            raise OSError("No cache folder can be written to: set MARKONE_CACHE_DIR, or use --workers 1.")
        path = folder / "problem.joblib"
        if not path.is_file():
            beside = folder / f"{time.time_ns()}.part"
            joblib.dump(self.problem, beside)
            beside.replace(path)
        return path

    def close(self, finished: bool) -> None:
        if self._log is not None:
            self._log.close()
        if self.folder is not None and (finished or not any(self.folder.glob("*.log"))):
            shutil.rmtree(self.folder, ignore_errors=True)


def _checkpoint_folder(name: str) -> Path | None:
    """Return the folder; None if none can be written: a killed run then starts over."""
    if compiling.CACHE is None:
        return None
    try:
        root = make_private_folder(compiling.CACHE.parent / f"fits-{compiling.CACHE.name.rpartition('-')[2]}")
        if root is not None:
            _delete_old_folders(root)
        return make_private_folder(root / name) if root else None
    except UnsafeFolder:
        return None


def _delete_old_folders(root: Path) -> None:
    for folder in root.iterdir():
        if time.time() - folder.stat().st_mtime > MAX_AGE:
            shutil.rmtree(folder, ignore_errors=True)


def _code_versions() -> str:
    """Versions of the code, part of the folder name."""
    import numpy
    import sklearn

    import markone

    code = compiling.CACHE.name.split("-")[1] if compiling.CACHE else ""
    return "-".join([markone.__version__, code, sklearn.__version__, numpy.__version__])
