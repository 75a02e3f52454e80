"""The range of repeats is what is stored: nothing is computed twice, however it was cut."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_declarations import study, table

from markone.lab import Experiment, foreign_code
from markone.lab.foreign_code import CodeState
from markone.lab.runner import worker
from markone.lab.runner.run import RunState, run
from markone.lab.schedule.remaining import count_tasks, list_remaining_tasks
from markone.lab.schedule.tasks import TASK_SECONDS, TaskGroup, cut_gaps, find_gaps
from markone.lab.store.merge import merge_stores
from markone.lab.store.results import Store
from markone.run.executors import executor_factory, thread_workers
from markone.run.outcomes import TaskOutcome

COUNTED = '''
import os
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Counted(ClassifierMixin, BaseEstimator):
    """Hebb's rule, which writes a byte for each fit."""
    def fit(self, X, y):
        with open(os.environ["FITS"], "ab", buffering=0) as file:
            file.write(b"1")
        self.classes_ = np.unique(y)
        self.coef_ = (y @ X)[None, :]
        return self
    def predict(self, X):
        return np.where(X @ self.coef_[0] >= 0, 1.0, -1.0)
'''
OWN = (CodeState("own", "sources 1"),)


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """An experiment with a student of the user that counts its fits, and the function that counts them."""
    name = f"counted_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(COUNTED)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("FITS", str(tmp_path / "fits"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(foreign_code, "_allowed", set())
    foreign_code.allow_packages(name)
    experiment = Experiment.declare(
        name="counting",
        title="Fits",
        scenario="teacher_student",
        packages=[name],
        seed=3,
        repeats=20,
        grid={"student": [f"{name}.Counted"], "alpha": [4.0]},
        fixed={"N": 6},
    )
    return experiment, lambda: (tmp_path / "fits").stat().st_size


# Processes take long to start: twice is enough.
@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        ("threads", {20: 20, 24: 24, 22: 24, 40: 40}),
        pytest.param("processes", {20: 20, 22: 22, 21: 22}, marks=pytest.mark.slow),
    ],
)
def test_more_repeats_cost_the_new_ones_and_fewer_cost_nothing(counted, backend, expected):
    experiment, fits = counted
    for repeats, total in expected.items():
        result = experiment.with_(repeats=repeats).run(workers=2, backend=backend, progress=False)
        assert (result.points[0].repeats, fits()) == (repeats, total)
    fresh = experiment.with_(repeats=repeats).run(workers=1, store="fresh.sqlite", progress=False)
    for measure, values in fresh.points[0].values.items():
        np.testing.assert_array_equal(result.points[0].values[measure], values)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8),
    st.integers(0, 12),
    st.integers(0, 30),
    st.integers(1, 9),
)
def test_gaps_are_the_repeats_that_no_block_has(blocks, start, stop, size):
    missing = set(range(start, stop)) - {k for first, last in blocks for k in range(first, last)}
    gaps = find_gaps(blocks, start, stop)
    assert [k for first, last in gaps for k in range(first, last)] == sorted(missing)
    assert all(last < first for (_, last), (first, _) in pairwise(gaps))
    cut = list(cut_gaps(gaps, lambda: size))
    assert [k for first, last in cut for k in range(first, last)] == sorted(missing)
    assert all(0 < last - first <= size for first, last in cut)


@pytest.mark.usefixtures("toy")
def test_a_store_cut_in_any_way_is_continued_to_the_same_table(tmp_path):
    rng = np.random.default_rng(4)
    declaration, scenario = study(repeats=30), study().scenario_object
    with Store(tmp_path / "odd.sqlite") as store:
        for task in list_remaining_tasks(study(repeats=1), {}):
            for first, last in np.sort(rng.integers(0, 36, (3, 2)), axis=1):
                if last > first:
                    part = task.with_block((int(first), int(last)))
                    store.add(part, TaskOutcome(worker.compute_task_values(scenario, part)))
        missing = count_tasks(declaration, store.done()).repeats
        todo = list_remaining_tasks(declaration, store.done())
        assert sum(task.stop - task.start for task in todo) == missing < 30 * len(declaration)
        assert run(declaration, store, thread_workers(2)).done == len(todo)
        assert run(declaration, store, thread_workers(2)).done == 0
    with Store(tmp_path / "even.sqlite") as store:
        run(declaration, store, thread_workers(2))
    assert table(tmp_path / "odd.sqlite", declaration) == table(tmp_path / "even.sqlite", declaration)


@pytest.mark.usefixtures("toy")
def test_rounds_of_a_precision_use_each_repeat_once(tmp_path):
    declaration = study(precision=0.2, precision_of="height", max_repeats=60, grid={"N": [5], "alpha": [1.0]})
    scenario, paths = declaration.scenario_object, [tmp_path / name for name in ("odd.sqlite", "even.sqlite")]
    with Store(paths[0]) as store:
        (task,) = list_remaining_tasks(study(repeats=1, grid={"N": [5], "alpha": [1.0]}), {})
        for block in ((0, 7), (3, 15), (20, 22)):
            part = task.with_block(block)
            store.add(part, TaskOutcome(worker.compute_task_values(scenario, part)))
    for path in paths:
        with Store(path) as store:
            run(declaration, store, thread_workers(2))
    with Store(paths[0], "r") as odd, Store(paths[1], "r") as even:
        (one,), (other,) = odd.points(declaration), even.points(declaration)
    n = other.repeats
    assert one.numbers[:n].tolist() == other.numbers.tolist()
    np.testing.assert_array_equal(one.values["height"][:n], other.values["height"])


@pytest.mark.usefixtures("toy")
def test_a_task_of_foreign_code_returns_the_repeats_that_its_time_allows(monkeypatch):
    now = [0.0]
    declared = study().scenario_object
    slow = replace(declared, run=lambda p, seed, start, stop: spend(p, seed, start, stop))

    def spend(p, seed, start, stop):
        now[0] += 0.5 * (stop - start)
        return declared.run(p, seed, start, stop)

    monkeypatch.setattr(worker, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    task = replace(list_remaining_tasks(study(), {})[0], start=0, stop=500)
    whole = worker.compute_task_values(slow, replace(task, stop=40))
    assert len(whole["height"]) == 40
    part = worker.compute_task_values(slow, replace(task, code=OWN))
    assert worker.PART_SECONDS == 5.0
    assert len(part["height"]) == 10
    np.testing.assert_array_equal(part["height"], whole["height"][:10])


@pytest.mark.usefixtures("toy")
def test_what_was_computed_before_an_error_is_returned(monkeypatch):
    declared = study().scenario_object

    def fail_at_nine(p, seed, start, stop):
        if start <= 9 < stop:
            raise ValueError("nine")
        return declared.run(p, seed, start, stop)

    task = replace(list_remaining_tasks(study(), {})[0], start=0, stop=100, code=OWN)
    part = worker.compute_task_values(replace(declared, run=fail_at_nine), task)
    assert len(part["height"]) == 7  # in parts of 1, 2, 4, 8
    with pytest.raises(ValueError, match="nine"):
        worker.compute_task_values(replace(declared, run=fail_at_nine), replace(task, start=9))


@pytest.mark.usefixtures("toy")
def test_blocks_of_foreign_code_are_sized_by_measured_time(tmp_path):
    """1000 repeats whose declared cost allows three tasks: 64 workers are busy, and 0.3 s a fit is 8 fits."""
    declaration = study(repeats=1000, grid={"N": [5], "alpha": [1.0]}, fixed={"cost": 3e6})
    task = list_remaining_tasks(declaration, {})[0]
    with Store(tmp_path / "results.sqlite") as store:
        state = RunState(declaration, store, workers=64, missing_repeats=1000)
        assert state.next_block_size(task, 320) == 320
        own = replace(task, code=OWN)
        assert state.next_block_size(own, 320) == 8
        state.workers = 2
        assert state.next_block_size(own, 320) == 250
        values = {name: np.zeros(5) for name in ("height", "positive")}
        rest = state.store_outcome(replace(own, stop=320), TaskOutcome(values, seconds=1.5))
        assert TASK_SECONDS == 2.5
        assert {part.stop - part.start for part in rest[:-1]} == {8}
        assert [k for part in rest for k in range(part.start, part.stop)] == list(range(5, 320))
        assert state.expected == len(rest)


@pytest.mark.usefixtures("toy")
def test_a_first_repeat_that_imports_does_not_decide_the_size(tmp_path):
    declaration = study(repeats=1000, grid={"N": [5], "alpha": [1.0]}, fixed={"cost": 3e6})
    own = replace(list_remaining_tasks(declaration, {})[0], stop=250, code=OWN)
    one = {name: np.zeros(1) for name in ("height", "positive")}
    with Store(tmp_path / "results.sqlite") as store:
        state = RunState(declaration, store, workers=2, missing_repeats=1000)
        (rest,) = state.store_outcome(own, TaskOutcome(one, seconds=13.0))
        assert (rest.start, rest.stop) == (1, 250)


@pytest.mark.usefixtures("toy")
def test_suspects_run_alone_however_their_point_is_cut(tmp_path):
    declaration = study(grid={"N": [5], "alpha": [1.0]})
    whole = list_remaining_tasks(declaration, {})[0]
    with Store(tmp_path / "results.sqlite") as store:
        suspect = whole.with_block((3, 7))
        store.mark_started([TaskGroup((suspect,))])
        store._begun.clear()  # the process has ended
        assert store.suspect_tasks() == {suspect.id}
        summary = run(declaration, store, thread_workers(2))
        # The declared blocks end at 5, 10 and 12: the suspect is run in two parts.
        assert (summary.done, summary.alone, summary.failed) == (5, 2, 0)
        assert store.suspect_tasks() == set()
        assert sorted(store.done()[whole.point]) == [(0, 3), (3, 5), (5, 7), (7, 10), (10, 12)]
        assert run(declaration, store, thread_workers(2)).done == 0
        assert store.status().is_finished


@pytest.mark.usefixtures("toy")
def test_merging_compares_the_repeats_that_two_stores_share(tmp_path):
    declaration, scenario = study(grid={"N": [5], "alpha": [1.0]}), study().scenario_object
    whole = replace(list_remaining_tasks(declaration, {})[0], stop=12)
    values = worker.compute_task_values(scenario, whole)
    wrong = {name: column.copy() for name, column in values.items()}
    wrong["height"][6] += 1.0
    cuts = {"a": [(0, 8)], "b": [(5, 12)], "c": [(2, 7)], "d": [(5, 12)]}
    for name, blocks in cuts.items():
        given = wrong if name == "d" else values
        with Store(tmp_path / f"{name}.sqlite") as store:
            for a, b in blocks:
                store.add(whole.with_block((a, b)), TaskOutcome({k: v[a:b] for k, v in given.items()}))
    with Store(tmp_path / "a.sqlite") as target:
        found = merge_stores(target, [tmp_path / "b.sqlite", tmp_path / "c.sqlite"], declaration)
        assert (found.added, found.missing, found.differing) == (1, [], [])
        (differing,) = merge_stores(target, [tmp_path / "d.sqlite"], declaration).differing
        assert "toy" in differing


@pytest.mark.parametrize("n", [1, 3, 7])
def test_shards_of_more_repeats_continue_their_own(toy, tmp_path, n):
    few, many = (study(repeats=k, fixed={"cost": 2e8}) for k in (20, 24))
    for i in range(n):
        with Store(tmp_path / f"{i}.sqlite") as store:
            run(few, store, thread_workers(1), shard=(i, n))
            before = store.rows("SELECT total(stop - start) FROM attempts")[0][0]
            run(many, store, thread_workers(1), shard=(i, n))
            after = store.rows("SELECT total(stop - start) FROM attempts")[0][0]
            cut = list_remaining_tasks(many, {}, (i, n))
            assert after == sum(task.stop - task.start for task in cut) >= before
            assert count_tasks(many, store.done(), (i, n)).missing == 0


@pytest.mark.slow
def test_processes_and_threads_cut_alike_to_the_bit(counted, tmp_path):
    experiment, _ = counted
    tables = []
    for backend in ("threads", "processes"):
        declaration, path = experiment.declaration, tmp_path / f"{backend}.sqlite"
        with Store(path) as store:
            run(declaration, store, executor_factory(backend, 2))
        tables.append(table(path, declaration))
    assert tables[0] == tables[1]
