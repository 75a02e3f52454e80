"""Run all pieces of a problem, serially or in parallel, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from threadpoolctl import threadpool_limits

from markone.errors import Interrupted, MarkoneError
from markone.tables.running.checkpoint import Checkpoint, FitJob, FitOutcome, Problem, run_fit_job, run_timed

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
            yield k, run_timed(problem, k)


def run_in_pool(
    checkpoint: Checkpoint, todo: list[int], workers: Workers
) -> Iterator[tuple[int, FitOutcome]]:
    """Run in a pool: a job that kills its process is retried, then run alone."""
    from markone.run.executors import executor_factory
    from markone.run.pool import Pool

    pool: Any = Pool(executor_factory(workers.backend, workers.n, workers.scheduler), run_fit_job, STALL)
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
