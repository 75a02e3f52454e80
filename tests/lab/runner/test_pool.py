"""A pool with broken workers and tasks that end their process."""

from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor

import pytest
from toy_declarations import expected, study, table

from markone.errors import WorkersLost
from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run import pool
from markone.run.executors import process_workers, thread_workers


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_a_worker_that_dies_is_replaced(toy, path):
    declaration = study()
    (toy / "1.crash_once").touch()
    with Store(path) as store:
        summary = run(declaration, store, process_workers(2))
    assert (summary.done, summary.failed) == (18, 0)
    assert table(path, declaration) == expected(declaration)


def test_a_poison_task_is_isolated_and_the_others_are_done(toy, path):
    declaration = study(grid={"N": [5], "alpha": [0.5, 1.0, 1.5]}, repeats=5)
    (toy / "1.crash").touch()
    with Store(path) as store:
        summary = run(declaration, store, process_workers(2))
        assert (summary.done, summary.failed) == (2, 1)
        assert "ends its process, also when it runs alone" in store.points(declaration)[1].failures[0]
        (toy / "1.crash").unlink()
        assert run(declaration, store, thread_workers(1)).done == 1
    assert table(path, declaration) == expected(declaration)


class Broken(Executor):
    def submit(self, function, /, *arguments):
        raise BrokenExecutor("Out of order.")


class BrokenLater(Executor):
    def submit(self, function, /, *arguments):
        future = Future()
        future.set_exception(BrokenExecutor("Out of order."))
        return future


@pytest.mark.parametrize("maker", [Broken, BrokenLater])
def test_workers_that_never_start_are_an_error_not_a_loop(toy, path, maker, monkeypatch):
    def alone(suspects, terms_of, work):
        while suspects:
            yield (task := suspects.popleft()), work(task)

    monkeypatch.setattr(pool, "run_isolated", alone)
    with (
        Store(path) as store,
        pytest.raises(WorkersLost, match=r"All workers die at their start: .*Out of order"),
    ):
        run(study(), store, maker)


def test_a_cluster_that_cannot_be_reached(toy, path):
    def unreachable():
        raise OSError("Timed out.")

    with Store(path) as store, pytest.raises(WorkersLost, match="cannot be reached: OSError: Timed out"):
        run(study(), store, unreachable)


def test_few_futures_are_under_way(toy, path):
    most = 0

    class Counted(ThreadPoolExecutor):
        def submit(self, *arguments):
            nonlocal most
            most = max(most, self._work_queue.qsize() + 1)
            return super().submit(*arguments)

    with Store(path) as store:
        run(study(repeats=200), store, lambda: Counted(2))
    assert most <= 2 * pool.AHEAD
