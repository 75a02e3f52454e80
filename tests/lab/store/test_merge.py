"""Merged stores of shards."""

import numpy as np
import pytest
from toy_declarations import study, table

from markone.errors import StoreError
from markone.lab.load import parse_declaration
from markone.lab.runner.run import run
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.schedule.tasks import Task
from markone.lab.store.merge import merge_stores
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")

TASK = Task("toy", 1, {"N": 5, "alpha": 0.5}, 7, 0, 3)
ODD = {"height": np.array([0.1, -0.0, np.nan]), "positive": np.array([np.inf, 5e-324, 1.0])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_shards_are_merged_and_what_is_missing_is_named(path, tmp_path):
    declaration = study()
    parts = [tmp_path / f"part{i}.sqlite" for i in range(3)]
    for i, part in enumerate(parts):
        with Store(part) as store:
            run(declaration, store, shard=(i, 3))
    with Store(path) as store:
        first = merge_stores(store, parts[:2], declaration)
        missing = list_remaining_tasks(declaration, store.done())
        assert len(first.missing) == len(missing) > 0
        assert first.missing[0].startswith("toy N=")
        second = merge_stores(store, [*parts, parts[2]], declaration)
        assert (second.missing, second.differing) == ([], [])
        assert first.added + second.added == len(list_remaining_tasks(declaration, {}))
        assert len(store.provenance()["sessions"]) == 3
        assert [parse_declaration(data) for data in store.declarations()] == [declaration]
    with Store(tmp_path / "whole.sqlite") as store:
        run(declaration, store)
    assert table(path, declaration) == table(tmp_path / "whole.sqlite", declaration)


def test_a_merge_says_what_differs_and_keeps_what_it_has(path, tmp_path):
    with Store(tmp_path / "other.sqlite") as store:
        store.add(TASK, TaskOutcome({"height": np.zeros(3), "positive": np.zeros(3)}))
    with Store(path) as store:
        store.add(TASK, TaskOutcome(ODD))
        report = merge_stores(store, [tmp_path / "other.sqlite"])
        assert report.added == 0
        assert TASK.id in report.differing[0]
        assert store.done("height")[TASK.point][0, 3].tobytes() == ODD["height"].tobytes()


def test_stores_of_other_code_are_joined_only_if_this_is_meant(path, tmp_path):
    first, second = list_remaining_tasks(study(), {})[:2]
    values = {"height": np.zeros(5), "positive": np.zeros(5)}
    for name, task, code in (("a", first, "0.1.0 aaa"), ("b", second, "0.1.0 bbb")):
        with Store(tmp_path / name) as store:
            store.add(task, TaskOutcome(values, code=code))
    with Store(path) as store:
        with pytest.raises(StoreError, match=r"different code: .*0.1.0 aaa.*0.1.0 bbb.*--other-code"):
            merge_stores(store, [tmp_path / "a", tmp_path / "b"])
        assert store.status().done == 0
        assert merge_stores(store, [tmp_path / "a", tmp_path / "b"], other_code=True).added == 2
        assert [entry["code"] for entry in store.provenance()["codes"]] == ["0.1.0 aaa", "0.1.0 bbb"]
