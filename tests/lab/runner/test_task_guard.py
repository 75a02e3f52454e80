"""One bad task is one row: it crashes, exits, never ends or returns odd text, and all others are done."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_declarations import expected, study, table

from markone.errors import ForeignCode
from markone.lab.runner.run import COST_FACTOR, LEAST_SECONDS, RunState, run
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store import provenance
from markone.lab.store.results import Store
from markone.run.executors import process_workers, thread_workers
from markone.run.outcomes import Terms
from markone.run.worker_process import code_identity

SMALL = {"grid": {"N": [5], "alpha": [0.5, 1.0, 1.5]}, "repeats": 5}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


@pytest.mark.parametrize(
    ("kind", "sentence", "maker"),
    [
        ("exit", "SystemExit: 3", thread_workers(2)),
        ("exit", "SystemExit: 3", process_workers(2)),
        ("odd", r"a file called '\udcff'", thread_workers(2)),
        pytest.param("odd", r"a file called '\udcff'", process_workers(2), marks=pytest.mark.slow),
        ("memory", "MemoryError", thread_workers(2)),
        pytest.param("memory", "MemoryError", process_workers(2), marks=pytest.mark.slow),
    ],
)
def test_what_a_task_raises_is_a_row(toy, path, maker, kind, sentence):
    (toy / f"1.{kind}").touch()
    with Store(path) as store:
        summary = run(study(**SMALL), store, maker)
        assert (summary.done, summary.failed) == (2, 1)
        (error,) = store.points(study(**SMALL))[1].failures
    assert sentence in error
    assert error.isascii()


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[2])
from toy_declarations import study
from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run.executors import thread_workers

if __name__ == "__main__":
    with Store(sys.argv[1], wait=10) as store:
        summary = run(study(), store, thread_workers(2))
    print(summary.done, summary.failed, summary.alone)
"""


def started(path):
    program = path.with_name("program.py")
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(path), str(Path(__file__).parents[1])]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_a_segfault_on_threads_ends_the_run_once(toy, path):
    (toy / "1.segfault").touch()
    assert started(path).returncode == -signal.SIGSEGV
    with Store(path, "r") as store:
        suspects = store.suspect_tasks()
        before = store.status().done
    bad = {task.id for task in list_remaining_tasks(study(), {}) if task.parameters["alpha"] == 1.0}
    assert suspects & bad
    done, failed, alone = 0, 0, 0
    for _ in range(6):
        second = started(path)
        if second.returncode == 0:
            done, failed, alone = map(int, second.stdout.split())
            break
        with Store(path, "r") as store:
            # Every start makes progress.
            assert len(store.suspect_tasks() & bad) > len(suspects & bad) or store.status().done > before
            suspects, before = store.suspect_tasks(), store.status().done
    assert (done, failed) == (12 - before, 6)
    assert alone >= 6
    with Store(path, "r") as store:
        assert "ends its process, also when it runs alone" in store.points(study())[1].failures[0]
        assert store.suspect_tasks() == bad
    # The cause is gone, but the suspects still run in isolation.
    (toy / "1.segfault").unlink()
    with Store(path) as store:
        summary = run(study(), store, thread_workers(2))
        assert (summary.done, summary.alone) == (6, 6)
        assert store.suspect_tasks() == set()
    assert table(path, study()) == expected(study())


@pytest.mark.parametrize(
    "maker",
    [
        pytest.param(thread_workers(2), id="threads"),
        pytest.param(process_workers(2), id="processes", marks=pytest.mark.slow),
    ],
)
def test_a_task_that_never_ends_is_given_up(toy, path, maker):
    (toy / "1.endless").touch()
    # Other processes have to start within the limit too.
    limit = 0.3 if maker.name == "threads" else 3.0
    declaration = study(**SMALL, task_limit=limit)
    began = time.monotonic()
    with Store(path) as store:
        summary = run(declaration, store, maker)
        assert (summary.done, summary.failed) == (2, 1)
        (error,) = store.points(declaration)[1].failures
        assert f"longer than its limit of {limit:g} s" in error
        assert f"--set task_limit={4 * limit:g}" in error
        assert len(store.suspect_tasks()) == (1 if maker.name == "threads" else 0)
    assert time.monotonic() - began < 60
    (toy / "1.endless").unlink()
    with Store(path) as store:
        assert run(declaration, store, maker).done == 1
    assert table(path, study(**SMALL)) == expected(study(**SMALL))


def test_limits_are_generous_and_can_be_declared(toy):
    (task, *_) = list_remaining_tasks(study(), {})
    assert RunState(study(), None).task_time_limit(task) == LEAST_SECONDS
    dear = study(fixed={"cost": 1e12})
    costly = list_remaining_tasks(dear, {})[0]
    assert RunState(dear, None).task_time_limit(costly) == pytest.approx(COST_FACTOR * 1000)
    assert RunState(study(task_limit=7.0), None).task_time_limit(task) == 7.0


def test_a_worker_of_other_code_is_refused_before_its_first_task(toy, path, monkeypatch):
    task = list_remaining_tasks(study(), {})[0]
    outcome = run_task(task, Terms(code="9.9 abc"))
    assert outcome.values == {}
    assert "is markone" in outcome.error
    assert outcome.code == code_identity()

    def other(code):
        class Elsewhere:
            """A worker with other code, or too old to report its code."""

            _max_workers = 1

            def submit(self, function, task, terms):
                from concurrent.futures import Future
                from dataclasses import replace

                future = Future()
                future.set_result(replace(function(task), code=code, worker="far:1"))
                return future

            def shutdown(self, wait=True, cancel_futures=False):
                pass

        return Elsewhere

    for code, text in [
        ("0.1.0 abc", "The worker far:1 runs other code: markone 0.1.0 abc"),
        ("", "older version"),
    ]:
        with Store(path) as store:
            with pytest.raises(ForeignCode, match=text):
                run(study(), store, other(code))
            assert store.status().done == 0
    with Store(path) as store:
        assert store.suspect_tasks() == set()


def test_the_code_is_hashed_and_stands_in_every_row(toy, path):
    with Store(path) as store:
        run(study(**SMALL), store, thread_workers(1))
        assert store.provenance()["codes"] == [{"code": code_identity(), "tasks": 3}]
    _, source = code_identity().split()
    assert len(source) == 12
    assert provenance.code_provenance()["source"] == source
