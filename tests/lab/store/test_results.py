"""A store keeps declarations and results to the bit."""

import sqlite3

import numpy as np
import pytest
from toy_declarations import study, table

from markone.lab.load import parse_declaration
from markone.lab.runner.run import run
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.schedule.tasks import Task
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")

TASK = Task("toy", 1, {"N": 5, "alpha": 0.5}, 7, 0, 3)
ODD = {"height": np.array([0.1, -0.0, np.nan]), "positive": np.array([np.inf, 5e-324, 1.0])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_values_come_back_to_the_bit(path):
    declaration = study(repeats=3, grid={"N": [5], "alpha": [0.5]})
    (task,) = list_remaining_tasks(declaration, {})
    with Store(path) as store:
        store.add(task, TaskOutcome(ODD, 1.5, "me"))
        (point,) = store.points(declaration)
        assert {k: v.tobytes() for k, v in point.values.items()} == {k: v.tobytes() for k, v in ODD.items()}
        assert (point.repeats, point.seconds, point.failures) == (3, 1.5, [])
        assert store.done("height")[task.point][0, 3].tobytes() == ODD["height"].tobytes()
        assert store.outcomes() == {task.id: "done"}


def test_results_are_only_added(path):
    with Store(path) as store:
        store.add(TASK, TaskOutcome(error="It failed."))
        assert store.outcomes() == {TASK.id: "failed"}
        store.add(TASK, TaskOutcome(ODD))
        store.add(TASK, TaskOutcome({"height": np.zeros(3)}))
        store.add(TASK, TaskOutcome(error="Too late."))
        assert store.outcomes() == {TASK.id: "done"}
        assert store.done("height")[TASK.point][0, 3].tobytes() == ODD["height"].tobytes()
    with sqlite3.connect(path) as raw:
        for change in ("UPDATE attempts SET data = 0", "DELETE FROM attempts"):
            with pytest.raises(sqlite3.IntegrityError, match="results only grow"):
                raw.execute(change)
    raw.close()


def test_failures_are_told_until_they_are_superseded(path):
    declaration = study()
    first = list_remaining_tasks(declaration, {})[0]
    with Store(path) as store:
        store.add(first, TaskOutcome(error="Bad luck."))
        assert store.points(declaration)[0].failures == ["Bad luck."]
        store.add(first, run_task(first))
        assert store.points(declaration)[0].failures == []


def test_overlapping_blocks_are_taken_once_and_fewer_repeats_suffice(path):
    with Store(path) as store:
        for repeats in (7, 12, 30):
            run(study(repeats=repeats), store)
    for repeats in (4, 30):
        for row in table(path, study(repeats=repeats)):
            assert row[1] == list(range(repeats))


def test_a_declaration_is_kept_beside_the_answers(path):
    declaration = study(fixed={"cost": float("inf")}, repeats=2, read_first="Careful.")
    with Store(path) as store:
        store.declare(declaration, 12)
        store.declare(declaration, 18)
        assert [parse_declaration(data) for data in store.declarations()] == [declaration]
        assert store.status().total == 18


def test_an_interrupt_just_after_its_beginning_leaves_no_transaction_open(tmp_path):
    with Store(tmp_path / "results.sqlite", mode="w") as store:
        real = store._connection

        class Interrupted:
            in_transaction = property(lambda self: real.in_transaction)

            def execute(self, query):
                real.execute(query)
                if query.startswith("BEGIN"):
                    raise KeyboardInterrupt

        store._connection = Interrupted()
        with pytest.raises(KeyboardInterrupt), store.transaction():
            pass
        store._connection = real
        with store.transaction():
            pass
