"""All pieces of a problem, one after the other here or side by side, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from threadpoolctl import threadpool_limits

from markone.errors import Interrupted, MarkoneError
from markone.tables.running.checkpoint import Checkpoint
from markone.tables.running.jobs import Done, FitJob, Problem, timed, work

Progress = Callable[[int, int], None]
# Seconds: below, starting processes costs more than it saves.
LONG = 20.0
# Seconds that a first fit may spend on imports and compiling: if it took less, the second tells the time.
WARM_UP = 15.0
# Seconds after which it is worth keeping what is done.
WORTH_KEEPING = 2.0
# Seconds without any result after which a cluster without workers is given up.
STALL = 120.0


@dataclass(frozen=True)
class Workers:
    """`n` None: one, and all cores if that would take long. `scheduler`: the address of a Dask cluster."""

    n: int | None = None
    backend: str = "processes"
    scheduler: str | None = None


def run(
    problem: Problem, workers: Workers | None = None, progress: Progress = lambda done, total: None
) -> list[Done]:
    """The outcome of each piece, in their order. Interrupted or killed, the next call goes on.

    The first error of a piece is raised.
    """
    workers = workers or Workers()
    checkpoint = Checkpoint(problem)
    found, finished = checkpoint.done(), False
    began = monotonic()
    todo = [k for k in range(len(problem)) if k not in found]
    progress(len(found), len(problem))
    waiting: dict[int, Done] = {}
    try:
        for k, done in outcomes(problem, checkpoint, todo, workers):
            found[k] = waiting[k] = done
            if monotonic() - began > WORTH_KEEPING:
                for each in list(waiting):
                    checkpoint.add(each, waiting.pop(each))
            progress(len(found), len(problem))
        finished = True
    except KeyboardInterrupt:
        for k, done in waiting.items():
            checkpoint.add(k, done)
        raise interrupted(len(found), len(problem), checkpoint.folder is not None) from None
    except MarkoneError:
        raise
    except Exception:
        # The same command would meet the same error.
        finished = True
        raise
    finally:
        checkpoint.close(finished)
    return [found[k] for k in range(len(problem))]


def interrupted(done: int, total: int, kept: bool) -> Interrupted:
    if not kept:
        return Interrupted("Interrupted. Nothing was written.")
    return Interrupted(
        f"Interrupted. Nothing was written, but {done} of {total} fits are kept: the same command goes on."
    )


def outcomes(
    problem: Problem, checkpoint: Checkpoint, todo: list[int], workers: Workers
) -> Iterator[tuple[int, Done]]:
    if workers.n is None and workers.backend == "processes":
        from markone.lab.runner.executors import cores

        alone = one_by_one(problem, todo)
        for at, (k, done) in enumerate(alone, 1):
            yield k, done
            if at == 1 and done.seconds < WARM_UP and len(todo) > 1:
                continue
            if done.seconds * len(todo[at:]) > LONG and cores() > 1:
                todo = todo[at:]
                break
        else:
            return
        alone.close()
    elif workers.n == 1 and workers.backend == "processes":
        yield from one_by_one(problem, todo)
        return
    if todo:
        yield from side_by_side(checkpoint, todo, workers)


def one_by_one(problem: Problem, todo: list[int]) -> Generator[tuple[int, Done], None, None]:
    """One thread also when alone: workers have one each, and the bits are to be the same."""
    with threadpool_limits(1):
        for k in todo:
            yield k, timed(problem, k)


def side_by_side(checkpoint: Checkpoint, todo: list[int], workers: Workers) -> Iterator[tuple[int, Done]]:
    """The lab's pool: what kills a process is tried again, then alone."""
    from markone.lab.runner.executors import named
    from markone.lab.runner.pool import Pool

    pool: Any = Pool(named(workers.backend, workers.n, workers.scheduler), STALL, work=work)
    pool.put([FitJob(str(checkpoint.file), k) for k in todo])
    clean = False
    try:
        for job, done in pool.results():
            if done.error:
                raise done.error if isinstance(done.error, Exception) else MarkoneError(killed(job, done))
            yield job.k, done
        clean = True
    finally:
        pool.close(at_once=not clean)


def killed(job: FitJob, done: Any) -> str:
    return (
        f"Fit {job.k + 1} ends its process, also when it runs alone ({done.error}): perhaps the memory is "
        "too small. Try fewer --workers, or a sample with --rows."
    )
