"""Run all pieces of a problem, serially or in parallel, with the same results."""

from __future__ import annotations

import pickle
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, Protocol

from threadpoolctl import threadpool_limits

from markone.errors import Interrupted, MarkoneError
from markone.numerics import compiling
from markone.numerics.files import UnsafeFolder, make_private_folder
from markone.run.worker_process import limit_blas_threads


class Problem(Protocol):
    """`len(problem)` independent pieces of work; picklable, as are the results of `run_piece`."""

    def __len__(self) -> int: ...

    def run_piece(self, k: int) -> Any: ...


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


def _run_fit_job(job: FitJob, terms: Any = None) -> FitOutcome:
    """Run one job; `terms` (of the lab's tasks) are not used."""
    try:
        problem = _load_problem(job.file)
        limit_blas_threads()
        return _run_timed(problem, job.k)
    except Exception as error:
        return FitOutcome(error=error)


def _run_timed(problem: Problem, k: int) -> FitOutcome:
    began = time.perf_counter()
    result = problem.run_piece(k)
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
            try:
                self._log = (self.folder / f"{time.time_ns()}.log").open("wb")
            except FileNotFoundError:  # the same command has ended in another process, and removed the folder
                self.folder = None
                return
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
            for folder in root.iterdir():
                if time.time() - folder.stat().st_mtime > MAX_AGE:
                    shutil.rmtree(folder, ignore_errors=True)
        return make_private_folder(root / name) if root else None
    except UnsafeFolder:
        return None


def _code_versions() -> str:
    """Versions of the code, part of the folder name."""
    import numpy
    import sklearn

    import markone

    code = compiling.CACHE.name.split("-")[1] if compiling.CACHE else ""
    return "-".join([markone.__version__, code, sklearn.__version__, numpy.__version__])


Progress = Callable[[int, int], None]
# Seconds below which starting processes costs more than it saves.
MIN_PARALLEL_SECONDS = 20.0
# Seconds a first fit may spend on imports and compiling: if it took less, the second gives the estimate.
WARM_UP = 15.0
# Seconds after which results are checkpointed.
CHECKPOINT_AFTER = 2.0
# Seconds without a result after which a cluster without workers is abandoned.
STALL = 120.0


@dataclass(frozen=True)
class Workers:
    """`n` None: one, and all cores if that would take long. `scheduler`: the address of a Dask cluster."""

    n: int | None = None
    backend: str = "processes"
    scheduler: str | None = None


def run_problem(
    problem: Problem, workers: Workers | None = None, progress: Progress = lambda done, total: None
) -> list[FitOutcome]:
    """Return the outcome of each piece, in order; a killed or interrupted run resumes in the next call.

    The first error of a piece is raised.
    """
    workers = workers or Workers()
    checkpoint = Checkpoint(problem)
    found, finished = checkpoint.done(), False
    began = monotonic()
    todo = [k for k in range(len(problem)) if k not in found]
    progress(len(found), len(problem))
    waiting: dict[int, FitOutcome] = {}
    try:
        for k, done in _iterate_outcomes(problem, checkpoint, todo, workers):
            found[k] = waiting[k] = done
            if monotonic() - began > CHECKPOINT_AFTER:
                for each in list(waiting):
                    checkpoint.add(each, waiting.pop(each))
            progress(len(found), len(problem))
        finished = True
    except KeyboardInterrupt:
        for k, done in waiting.items():
            checkpoint.add(k, done)
        raise _interrupted_error(len(found), len(problem), checkpoint.folder is not None) from None
    except MarkoneError:
        raise
    except Exception:
        # The same command would raise the same error.
        finished = True
        raise
    finally:
        checkpoint.close(finished)
    return [found[k] for k in range(len(problem))]


def _interrupted_error(done: int, total: int, kept: bool) -> Interrupted:
    if not kept:
        return Interrupted("Interrupted. Nothing was written.")
    return Interrupted(
        f"Interrupted. Nothing was written, but {done} of {total} fits are kept: the same command continues."
    )


def _iterate_outcomes(
    problem: Problem, checkpoint: Checkpoint, todo: list[int], workers: Workers
) -> Iterator[tuple[int, FitOutcome]]:
    if workers.n is None and workers.backend == "processes":
        from markone.run.executors import count_cores

        alone = _run_serially(problem, todo)
        for at, (k, done) in enumerate(alone, 1):
            yield k, done
            if at == 1 and done.seconds < WARM_UP and len(todo) > 1:
                continue
            if done.seconds * len(todo[at:]) > MIN_PARALLEL_SECONDS and count_cores() > 1:
                todo = todo[at:]
                break
        else:
            return
        alone.close()
    elif workers.n == 1 and workers.backend == "processes":
        yield from _run_serially(problem, todo)
        return
    if todo:
        yield from run_in_pool(checkpoint, todo, workers)


def _run_serially(problem: Problem, todo: list[int]) -> Generator[tuple[int, FitOutcome], None, None]:
    """Run serially with one BLAS thread, as workers do, for bit-identical results."""
    with threadpool_limits(1):
        for k in todo:
            yield k, _run_timed(problem, k)


def run_in_pool(
    checkpoint: Checkpoint, todo: list[int], workers: Workers
) -> Iterator[tuple[int, FitOutcome]]:
    """Run in a pool: a job that kills its process is retried, then run alone."""
    from markone.run.executors import executor_factory, process_workers
    from markone.run.pool import Pool

    if workers.backend == "processes" and not workers.scheduler:
        factory = process_workers(workers.n, script=False)
    else:
        factory = executor_factory(workers.backend, workers.n, workers.scheduler)
    pool: Any = Pool(factory, _run_fit_job, STALL)
    pool.add_tasks([FitJob(str(checkpoint.problem_file), k) for k in todo])
    clean = False
    try:
        for job, done in pool.iterate_outcomes():
            if done.error:
                raise (
                    done.error
                    if isinstance(done.error, Exception)
                    else MarkoneError(_killed_message(job, done))
                )
            yield job.k, done
        clean = True
    finally:
        pool.close(at_once=not clean)


def _killed_message(job: FitJob, done: Any) -> str:
    return (
        f"Fit {job.k + 1} kills its process, also when run alone ({done.error}): perhaps it is out of "
        "memory. Try fewer --workers, or a sample with --rows."
    )
