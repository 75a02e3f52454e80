"""Short tasks: CPU time of a task that is named, sent, computed, checked and stored; joblib and dask.delayed
call the same function and store nothing."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.runner import install_scenario, process_maker
from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone.lab.runner.run import run
from markone.lab.scenarios import find_scenario
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.run import executors

# The time of a task is the difference: starting workers does not count.
FEW, MANY, REPEATS, ROUNDS, WORKERS = 2_000, 22_000, 4, 3, 2
GOALS = {"threads": 15_000, "processes": 5_000}


def declare_tiny(points: int) -> Declaration:
    grid = {"a": list(range(points // 1000)), "b": [k / 1000 for k in range(1000)]}
    return Declaration(name="tiny", title="", scenario="tiny", seed=1, repeats=REPEATS, grid=grid)


def run_and_store(backend: str, points: int) -> None:
    maker = process_maker(WORKERS) if backend == "processes" else executors.thread_workers(WORKERS)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "tiny.sqlite") as store:
        assert run(declare_tiny(points), store, maker).done == points


def run_point(parameters: dict[str, float]) -> dict[str, np.ndarray]:
    install_scenario()
    return find_scenario("tiny").run(parameters, 1, 0, REPEATS)


def run_joblib(backend: str, points: int) -> None:
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    kind = "loky" if backend == "processes" else "threading"
    tasks = (delayed(run_point)(parameters) for parameters in declare_tiny(points).iterate_points())
    assert len(Parallel(WORKERS, backend=kind)(tasks)) == points
    if kind == "loky":
        get_reusable_executor().shutdown(wait=True)


def run_dask(backend: str, points: int) -> None:
    from dask import compute, delayed

    tasks = [delayed(run_point)(parameters) for parameters in declare_tiny(points).iterate_points()]
    assert len(compute(*tasks, scheduler=backend, num_workers=WORKERS)) == points


def seconds_of_a_task(way: Callable[[int], None]) -> float:
    few, many = (measure_seconds(partial(way, points)) for points in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def compare() -> Iterator[Row]:
    install_scenario()
    peers = {"joblib": run_joblib, "dask.delayed": run_dask}
    for backend, goal in GOALS.items():
        case, found = f"a short task on {backend}, stored", dict[str, list[float]]()
        for _ in range(ROUNDS):
            for name, way in ({"": run_and_store} | peers).items():
                found.setdefault(name, []).append(seconds_of_a_task(partial(way, backend)))
        times = {name: np.array(seconds) for name, seconds in found.items()}
        ours = times.pop("")
        yield row_of_pairs(case, ours, "the goal", np.full(ROUNDS, 1 / goal), 1, f"{goal} a CPU second")
        for name, theirs in times.items():
            yield row_of_pairs(case, ours, name, theirs, 1, f"{1 / np.median(theirs):.0f} a CPU second")


if __name__ == "__main__":
    from benchmarks.timing import print_rows

    print_rows(compare())
