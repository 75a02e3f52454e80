"""The runner: the same bits from everybody, trouble becomes a row, and nothing is done twice."""

import os
import signal
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from studies import PRECISE, expected, study, table

from markone.errors import RunInterrupted, WorkersLost
from markone.lab.load import parse
from markone.lab.runner import executors, pool
from markone.lab.runner import liveness as watch
from markone.lab.runner.executors import Maker, processes, threads
from markone.lab.runner.run import run
from markone.lab.runner.worker import work
from markone.lab.store.results import Store
from markone.lab.tasks import tasks


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


class Backwards(Executor):
    """An executor as odd as the interface allows: the last task first, when somebody asks."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, /, *arguments):
        self.waiting.append((future := Future(), function, arguments))
        if len(self.waiting) == 4:
            threading.Thread(target=self.empty).start()
        threading.Timer(0.2, self.empty).start()
        return future

    def empty(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))


MAKERS = {
    "1 thread": threads(1),
    "3 threads": threads(3),
    "2 processes": processes(2),
    "plain callable": lambda: ThreadPoolExecutor(2),
    "backwards": Backwards,
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_all_executors_give_the_same_bits(toy, path, maker):
    declaration = study()
    seen = []
    with Store(path) as store:
        summary = run(
            declaration, store, maker, progress=lambda done, total, task: seen.append((done, total))
        )
        assert (summary.done, summary.failed, summary.skipped) == (18, 0, 0)
        again = run(declaration, store, maker)
        assert (again.done, again.failed, again.skipped) == (0, 0, 18)
        assert store.status().total == 18
    assert seen == [(k, 18) for k in range(1, 19)]
    assert table(path, declaration) == expected(declaration)


@pytest.mark.parametrize("maker", [threads(1), threads(4), Backwards], ids=["one", "four", "backwards"])
def test_precision_is_reached_by_the_same_repeats_whoever_computes(toy, path, maker):
    declaration = parse(PRECISE)
    with Store(path) as store:
        run(declaration, store, maker)
        assert tasks(declaration, store.done("height")) == []
        points = store.points(declaration)
        assert run(declaration, store).done == 0
    for point in points:
        assert point.values["height"].tobytes() == plain_rounds(declaration, point.parameters).tobytes()
    assert 12 < min(point.repeats for point in points) < max(point.repeats for point in points) < 120


def plain_rounds(declaration, parameters):
    """Twelve more, until they suffice."""
    scenario = declaration.scenario_object
    n = 0
    while n < declaration.max_repeats:
        n += declaration.repeats
        x = scenario.run(scenario.parameters.model_validate(parameters), declaration.seed, 0, n)["height"]
        if np.std(x, ddof=1) / np.sqrt(n) <= declaration.precision:
            break
    return x


def test_an_error_is_a_row_and_is_tried_again_next_time(toy, path):
    declaration = study()
    (toy / "1.raise").touch()
    with Store(path) as store:
        summary = run(declaration, store, threads(2))
        assert (summary.done, summary.failed, summary.skipped) == (12, 6, 0)
        failures = store.points(declaration)[1].failures
        assert len(failures) == 3
        assert failures[0].startswith("ValueError: alpha = 1 is not liked. (toy.py, line ")
        (toy / "1.raise").unlink()
        summary = run(declaration, store, threads(2))
        assert (summary.done, summary.failed, summary.skipped) == (6, 0, 12)
    assert table(path, declaration) == expected(declaration)


def test_a_failed_point_waits_for_its_values_before_it_goes_on(toy, path):
    declaration = parse(PRECISE)
    (toy / "1.raise").touch()
    with Store(path) as store:
        assert run(declaration, store, threads(2)).failed == 2 * 3
        (toy / "1.raise").unlink()
        run(declaration, store, threads(2))
        for point in store.points(declaration):
            assert point.values["height"].tobytes() == plain_rounds(declaration, point.parameters).tobytes()


def test_a_worker_that_dies_is_replaced(toy, path):
    declaration = study()
    (toy / "1.crash_once").touch()
    with Store(path) as store:
        summary = run(declaration, store, processes(2))
    assert (summary.done, summary.failed) == (18, 0)
    assert table(path, declaration) == expected(declaration)


def test_a_poison_task_is_isolated_and_the_others_are_done(toy, path):
    declaration = study(grid={"N": [5], "alpha": [0.5, 1.0, 1.5]}, repeats=5)
    (toy / "1.crash").touch()
    with Store(path) as store:
        summary = run(declaration, store, processes(2))
        assert (summary.done, summary.failed) == (2, 1)
        assert "ends its process, also when it runs alone" in store.points(declaration)[1].failures[0]
        (toy / "1.crash").unlink()
        assert run(declaration, store, threads(1)).done == 1
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
    def alone(suspects):
        while suspects:
            yield (task := suspects.popleft()), work(task)

    monkeypatch.setattr(pool, "alone", alone)
    with (
        Store(path) as store,
        pytest.raises(WorkersLost, match=r"die before they do anything: .*Out of order"),
    ):
        run(study(), store, maker)


def test_a_cluster_that_cannot_be_reached(toy, path):
    def unreachable():
        raise OSError("Timed out.")

    with Store(path) as store, pytest.raises(WorkersLost, match="cannot be reached: OSError: Timed out"):
        run(study(), store, unreachable)


def test_a_cluster_without_workers_is_noticed(toy, path, monkeypatch):
    class Silent(Executor):
        def submit(self, function, /, *arguments):
            return Future()

    for module in (pool, watch):
        monkeypatch.setattr(module, "LOOK", 0.05)
    closed = []
    maker = Maker("silent", Silent, lambda: 0, lambda: closed.append(True))
    with Store(path) as store, pytest.raises(WorkersLost, match=r"No worker is left.*run the same command"):
        run(study(), store, maker, stall=0.2)
    assert closed == [True]


@pytest.mark.parametrize("maker", [threads(2), processes(2)], ids=["threads", "processes"])
def test_ctrl_c_saves_what_came_back(toy, path, maker):
    declaration = study(fixed={"busy": 0.02})

    def interrupt(done, total, task):
        if done == 5:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

    with Store(path) as store:
        with pytest.raises(
            RunInterrupted, match=r"Saved \d+/18; run the same command to continue."
        ) as caught:
            run(declaration, store, maker, progress=interrupt)
        assert caught.value.total == 18
        assert 5 <= caught.value.done == store.status().done < 18
        assert run(declaration, store, threads(2)).skipped == caught.value.done
    assert table(path, declaration) == expected(declaration)


def test_few_futures_are_under_way(toy, path):
    most = 0

    class Counted(ThreadPoolExecutor):
        def submit(self, *arguments):
            nonlocal most
            most = max(most, self._work_queue.qsize() + 1)
            return super().submit(*arguments)

    with Store(path) as store:
        run(study(repeats=200), store, lambda: Counted(2))
    assert most <= 2 * watch.AHEAD


def test_the_version_and_the_shape_are_watched(toy, path, monkeypatch):
    scenario = study().scenario_object
    task = tasks(study(), {})[0]
    from markone.lab import scenarios

    def changed(**changes):
        return lambda name: SimpleNamespace(**(vars(scenario) | changes))

    for changes, sentence in [
        ({"version": 2}, "install the same markone everywhere"),
        ({"run": lambda *arguments: {"height": [1.0]}}, r"returned \['height'\] instead of"),
        ({"run": lambda *arguments: {"height": [1.0], "positive": [1.0]}}, "height has the shape"),
    ]:
        monkeypatch.setattr(scenarios, "find", changed(**changes))
        with pytest.raises(AssertionError, match=sentence):
            raise AssertionError(work(task).error)


def test_extras_that_are_missing_or_wrong(monkeypatch):
    for module, maker, extra in [
        ("loky", executors.loky, "loky"),
        ("mpi4py", executors.mpi, "mpi"),
        ("distributed", executors.dask, "dask"),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=rf"needs {module}. .*pip install 'markone\[{extra}\]'"):
            maker()
    with pytest.raises(ValueError, match="number of workers must be a whole number, at least 1, not 0"):
        threads(0)
