"""The same bits with every executor and after every failure."""

import os
import signal
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest
from toy_declarations import PRECISE, expected, study, table

from markone.errors import RunInterrupted
from markone.lab.load import parse_declaration
from markone.lab.runner.run import run
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.results import Store
from markone.run.executors import process_workers, thread_workers


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


class Backwards(Executor):
    """An unusual executor: it runs the last task first, when a result is requested."""

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
    "1 thread": thread_workers(1),
    "3 threads": thread_workers(3),
    "2 processes": process_workers(2),
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


@pytest.mark.parametrize(
    "maker", [thread_workers(1), thread_workers(4), Backwards], ids=["one", "four", "backwards"]
)
def test_precision_is_reached_by_the_same_repeats_with_every_executor(toy, path, maker):
    declaration = parse_declaration(PRECISE)
    with Store(path) as store:
        run(declaration, store, maker)
        assert list_remaining_tasks(declaration, store.done("height")) == []
        points = store.points(declaration)
        assert run(declaration, store).done == 0
    for point in points:
        assert point.values["height"].tobytes() == plain_rounds(declaration, point.parameters).tobytes()
    assert 12 < min(point.repeats for point in points) < max(point.repeats for point in points) < 120


def plain_rounds(declaration, parameters):
    """Rounds of twelve repeats until the precision is reached."""
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
        summary = run(declaration, store, thread_workers(2))
        assert (summary.done, summary.failed, summary.skipped) == (12, 6, 0)
        failures = store.points(declaration)[1].failures
        assert len(failures) == 3
        assert failures[0].startswith("ValueError: alpha = 1 is not liked. (toy.py, line ")
        (toy / "1.raise").unlink()
        summary = run(declaration, store, thread_workers(2))
        assert (summary.done, summary.failed, summary.skipped) == (6, 0, 12)
    assert table(path, declaration) == expected(declaration)


def test_a_failed_point_waits_for_its_values_before_it_goes_on(toy, path):
    declaration = parse_declaration(PRECISE)
    (toy / "1.raise").touch()
    with Store(path) as store:
        assert run(declaration, store, thread_workers(2)).failed == 2 * 3
        (toy / "1.raise").unlink()
        run(declaration, store, thread_workers(2))
        for point in store.points(declaration):
            assert point.values["height"].tobytes() == plain_rounds(declaration, point.parameters).tobytes()


@pytest.mark.parametrize("maker", [thread_workers(2), process_workers(2)], ids=["threads", "processes"])
def test_ctrl_c_saves_what_came_back(toy, path, maker, ctrl_c):
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
        assert run(declaration, store, thread_workers(2)).skipped == caught.value.done
    assert table(path, declaration) == expected(declaration)
