"""Short tasks are computed and stored together, with the same values as one by one."""

from dataclasses import replace

import numpy as np
import pytest
from toy_declarations import expected, study, table

from markone.lab.runner import run as runner
from markone.lab.runner import worker
from markone.lab.runner.run import RunState, run
from markone.lab.schedule.remaining import count_tasks, iterate_remaining_tasks, list_remaining_tasks
from markone.lab.schedule.tasks import TaskGroup
from markone.lab.store.export import export_results
from markone.lab.store.merge import merge_stores
from markone.lab.store.results import Store
from markone.lab.store.verify import examine_store, repair_store
from markone.run.executors import process_workers, thread_workers
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")

WIDE = {"grid": {"N": [5, 20], "alpha": {"start": 0.5, "stop": 2.4, "step": 0.1}}, "fixed": {"cost": 1e4}}


def wide(**changes):
    return study(**(WIDE | {"repeats": 3} | changes))


def groups_of(declaration, size, done=()):
    """All missing tasks in groups of so many."""
    tasks = list_remaining_tasks(declaration, dict(done))
    return [TaskGroup(tuple(tasks[k : k + size])) for k in range(0, len(tasks), size)]


def fill(path, groups):
    with Store(path) as store:
        for group in groups:
            outcome = worker.run_group(group)
            assert not outcome.error
            store.add_group(group, outcome)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def count_rows(path):
    with Store(path, "r") as store:
        return store.rows("SELECT count(*) FROM attempts")[0][0]


@pytest.mark.parametrize("maker", [thread_workers(2), process_workers(2)], ids=["threads", "processes"])
def test_a_run_joins_short_tasks(path, maker):
    with Store(path) as store:
        summary = run(wide(), store, maker)
        assert (summary.done, summary.failed, store.status().done) == (40, 0, 40)
        assert run(wide(), store, maker).done == 0
        assert set(store.outcomes().values()) == {"done"}
        assert len(store.outcomes()) == len(store.done()) == store.provenance()["tasks"] == 40
    assert count_rows(path) < 40
    assert table(path, wide()) == expected(wide())
    found = examine_store(path)
    assert (found.rows, found.problems) == (40, [])


@pytest.mark.parametrize("size", [1, 7, 40])
def test_more_and_fewer_repeats_cost_what_is_missing(path, size):
    fill(path, groups_of(wide(), size))
    with Store(path) as store:
        left = list_remaining_tasks(wide(repeats=5), store.done())
        assert [(task.start, task.stop) for task in left] == [(3, 5)] * 40
        assert count_tasks(wide(repeats=5), store.done()) == (40, 40, 80)
        assert list_remaining_tasks(wide(repeats=2), store.done()) == []
    fill(path, [TaskGroup(tuple(left[:3])), TaskGroup(tuple(left[3:]))])
    for repeats in (2, 5):
        assert table(path, wide(repeats=repeats)) == expected(wide(repeats=repeats))
    with Store(path, "r") as store:
        streamed = list(store.iterate_points(wide(repeats=5)))
        for one, other in zip(store.points(wide(repeats=5)), streamed, strict=True):
            assert one.parameters == other.parameters
            assert one.seconds == pytest.approx(other.seconds)
            assert {k: v.tobytes() for k, v in one.values.items()} == {
                k: v.tobytes() for k, v in other.values.items()
            }


def test_a_precision_needs_the_values_of_points_that_were_stored_together(path):
    precise = wide(precision=0.3, precision_of="height", max_repeats=30)
    fill(path, groups_of(wide(), 7))
    with Store(path) as store:
        run(precise, store)
        assert list_remaining_tasks(precise, store.done("height")) == []
    with Store(path.with_name("alone.sqlite")) as store:
        run(precise, store)
    assert table(path, precise) == table(path.with_name("alone.sqlite"), precise)


def test_exports_do_not_depend_on_groups(path, tmp_path):
    texts = []
    for size in (1, 7):
        own = tmp_path / f"{size}.sqlite"
        fill(own, groups_of(wide(), size))
        with Store(own, "r") as store:
            texts.append(export_results(store, wide(), tmp_path / f"{size}.csv").read_bytes())
    assert texts[0] == texts[1]


@pytest.mark.parametrize("size", [1, 7, 40])
def test_groups_are_merged_with_what_is_there(path, tmp_path, size):
    fill(path, groups_of(wide(), 9)[:2])
    other = tmp_path / "other.sqlite"
    fill(other, groups_of(wide(), size))
    with Store(path) as store:
        report = merge_stores(store, [other, other], wide())
        assert (report.added, report.missing, report.differing) == (22, [], [])
    assert table(path, wide()) == expected(wide())
    assert examine_store(path).problems == []
    with Store(tmp_path / "third.sqlite") as store:
        group = groups_of(wide(), 2)[0]
        outcome = worker.run_group(group)
        store.add_group(group, replace(outcome, values={k: v + 1 for k, v in outcome.values.items()}))
    with Store(path) as store:
        differing = merge_stores(store, [tmp_path / "third.sqlite"]).differing
        assert [text.split()[1] for text in differing] == [task.id for task in group.tasks]


def test_a_damaged_group_is_found_and_computed_again(path):
    import sqlite3
    from contextlib import closing

    fill(path, groups_of(wide(), 8))
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER keep_attempts")
        raw.execute("UPDATE attempts SET seconds = 7 WHERE id = 2")
        raw.commit()
    found = examine_store(path)
    assert found.rows == 32
    assert "Wrong checksum" in found.problems[0]
    assert len(found.problems[0]) < 500
    assert repair_store(path)[0] == 32
    with Store(path) as store:
        assert run(wide(), store).done == 8
    assert table(path, wide()) == expected(wide())


@pytest.mark.parametrize("maker", [thread_workers(1), process_workers(1)], ids=["threads", "processes"])
@pytest.mark.parametrize("trouble", ["raise", "crash_once", "crash"])
def test_the_other_tasks_of_a_group_do_not_suffer(toy, path, maker, trouble, monkeypatch):
    if trouble != "raise" and not maker.own_process:
        pytest.skip("it ends this process")
    (toy / f"1.{trouble}").touch()
    monkeypatch.setattr(RunState, "_next_group_size", lambda self, n, seconds: 10)
    with Store(path) as store:
        summary = run(wide(), store, maker)
        failed = 0 if trouble == "crash_once" else 2
        assert (summary.done, summary.failed) == (40 - failed, failed)
        assert store.suspect_tasks() == set()
        (toy / f"1.{trouble}").unlink(missing_ok=True)
        assert run(wide(), store, maker).done == failed
        assert store.status().failed == 0
    assert table(path, wide()) == expected(wide())


def test_a_group_that_takes_long_returns_its_first_tasks(path, monkeypatch):
    monkeypatch.setattr(worker, "PART_SECONDS", -1.0)
    (group,) = groups_of(wide(), 40)
    outcome = worker.run_group(group)
    assert outcome.repeats == 3
    with Store(path) as store:
        ledger = RunState(wide(), store)
        store.mark_started([group])
        (rest,) = ledger.store_group(group, outcome)
        assert rest.tasks == group.tasks[1:]
        assert (ledger.done, store.status().done, store.suspect_tasks()) == (1, 1, set())


def test_an_endless_task_in_a_group_is_found(toy, path, monkeypatch):
    (toy / "1.endless").touch()
    monkeypatch.setattr(RunState, "_next_group_size", lambda self, n, seconds: 10)
    with Store(path) as store:
        summary = run(
            wide(task_limit=0.5, grid={"N": [5], "alpha": WIDE["grid"]["alpha"]}), store, thread_workers(1)
        )
        assert (summary.done, summary.failed) == (19, 1)
        assert len(store.suspect_tasks()) == 1
    (toy / "1.endless").unlink()


def test_the_tasks_of_a_group_that_was_running_are_suspects(path):
    (first, _) = groups_of(wide(), 20)
    with Store(path) as store:
        store.mark_started([first])
    with Store(path) as store:
        assert run(wide(), store, thread_workers(1)).alone == 20
        assert store.suspect_tasks() == set()
    assert table(path, wide()) == expected(wide())


def test_groups_hold_the_same_repeats_and_a_bounded_number_of_values(path, monkeypatch):
    monkeypatch.setattr(runner, "GROUP_VALUES", 30)
    with Store(path) as store:
        ledger = RunState(wide(), store, together=1000)
        tasks = list(iterate_remaining_tasks(wide(), {}))
        tasks[4:6] = [task.with_block((0, 2)) for task in tasks[4:6]]
        sizes = [len(group.tasks) for group in ledger.join_tasks(tasks)]
        assert sizes == [4, 2, 10, 10, 10, 4]
        expensive = [replace(task, cost=1e9) for task in tasks]
        assert {len(group.tasks) for group in ledger.join_tasks(expensive)} == {1}


def test_the_name_of_a_row_is_checked(path):
    """A row whose points are not those described is not counted as sound."""
    (group,) = groups_of(wide(), 40)
    swapped = TaskGroup((replace(group.tasks[1], parameters=group.tasks[0].parameters), *group.tasks[1:]))
    swapped.tasks[0].__dict__["point"] = group.tasks[1].point
    with Store(path) as store:
        store.add_group(swapped, TaskOutcome({"height": np.zeros(120), "positive": np.ones(120)}))
    assert examine_store(path).rows == 0
