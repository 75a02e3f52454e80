"""Overhead of the runner, and the speedup by a second worker."""

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone.lab import scenarios
from markone.lab.runner.run import run
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.lab.store.rows import SECONDS
from markone.run import executors

TASKS, ROUNDS, TASK_SECONDS = 8, 2, 0.25
TARGETS = {"threads": 0.98, "processes": 0.98, "dask": 0.95}


def install_scenario() -> None:
    """Install the scenario of the benchmark in this process."""
    folder = str(Path(__file__).parent / "scenarios")
    if folder not in scenarios.__path__:
        scenarios.__path__.append(folder)


def process_maker(n: int) -> executors.ExecutorFactory:
    def make() -> Executor:
        return ProcessPoolExecutor(n, mp_context=get_context("spawn"), initializer=install_scenario)

    return executors.ExecutorFactory("processes", make, lambda: n)


def dask_maker(n: int) -> executors.ExecutorFactory:
    from distributed import Client

    settings = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None, "silence_logs": 50}
    client = Client(n_workers=n, set_as_default=False, **settings)
    client.run(install_scenario)
    maker = executors.dask_workers(client)
    maker.close = client.close
    return maker


MAKERS: dict[str, Callable[[int], executors.ExecutorFactory]] = {
    "threads": executors.thread_workers,
    "processes": process_maker,
    "dask": dask_maker,
}


def calibrate_rounds() -> int:
    """Return the rounds that take about TASK_SECONDS now."""
    work = make_busy_work(200)
    return max(1, round(200 * TASK_SECONDS / sorted(measure_seconds(work) for _ in range(3))[1]))


def make_busy_work(rounds: int) -> Callable[[], object]:
    from markone.lab.scenarios import find_scenario

    busy = find_scenario("busy")
    return lambda: busy.run(busy.parameters(rounds=rounds), 0, 0, 1)


def measure_steady_state(maker: executors.ExecutorFactory, rounds: int, workers: int) -> tuple[float, float]:
    """Return wall-clock seconds per task and those of the work alone, without the first two tasks of each
    worker, which include the start of pool and store."""
    first = 2 * workers
    declaration = Declaration(
        name="busy", title="", scenario="busy", seed=1, repeats=TASKS + first, grid={"rounds": [rounds]}
    )
    times: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "busy.sqlite") as store:
        run(declaration, store, maker, progress=lambda *step: times.append(time.perf_counter()))
        spent = [s for (s,) in store.rows(f"SELECT {SECONDS} FROM attempts ORDER BY id")]
    return (times[-1] - times[first - 1]) / TASKS, float(np.sum(spent[first:])) / TASKS


def compare() -> Iterator[Row]:
    install_scenario()
    rounds = calibrate_rounds()
    for name, make in MAKERS.items():
        pairs = [
            (*measure_steady_state(make(1), rounds, 1), *measure_steady_state(make(2), rounds, 2))
            for _ in range(ROUNDS)
        ]
        one, work, two, work_of_two = np.array(pairs).T
        note = f"{1e3 * np.median(one - work):.1f} ms a task; {100 * np.median(one / work - 1):.2f} %"
        yield row_of_pairs(f"runner, {name}: one worker", one, "the work alone", work, TARGETS[name], note)
        # On a shared machine the ratio also depends on others; this share does not.
        busy = f"both busy {100 * np.median(work_of_two / two / 2):.0f} % of the time"
        yield row_of_pairs(f"runner, {name}: two workers", two, "one worker", one, 1.8, busy)


if __name__ == "__main__":
    from benchmarks.timing import print_rows

    print_rows(compare())
