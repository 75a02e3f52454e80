"""Older stores become new ones."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from toy_declarations import study

from markone.errors import StoreError
from markone.lab.runner.worker import run_task
from markone.lab.store import sql_schema
from markone.lab.store.merge import merge_stores
from markone.lab.store.results import Store
from markone.lab.store.rows import iterate_verified_rows
from markone.lab.store.verify import examine_store, repair_store
from markone.lab.survey import list_remaining_tasks
from markone.lab.tasks import Task
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")

TASK = Task("toy", 1, {"N": 5, "alpha": 0.5}, 7, 0, 3)
POINT = "709723cbef2349093e95"
KEEP = "CREATE TRIGGER keep_attempts BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'no'); END;"
ODD = {"height": np.array([0.1, -0.0, np.nan]), "positive": np.array([np.inf, 5e-324, 1.0])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in list_remaining_tasks(study(), {})[:count]:
            store.add(task, run_task(task))
    return path


def bits(store):
    done = store.done("height")
    return {(point, *block): v.tobytes() for point in done for block, v in done[point].items()}


def of_format(number, path):
    script = Path(__file__).parents[1] / "stores" / f"format_{number}.sql"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(script.read_text())
    return path


@pytest.fixture
def old(path):
    return of_format(1, path)


@pytest.fixture
def third(path):
    return of_format(3, path)


def test_an_old_store_is_read_as_it_is(old):
    before = old.read_bytes()
    with Store(old, "r") as store:
        assert sorted(store.outcomes().values()) == ["done", "failed"]
        assert store.provenance()["cpus"] == []
    assert old.read_bytes() == before


def test_an_old_store_gets_the_new_format_when_it_is_written_and_a_copy_is_kept(old):
    with Store(old, "r") as store:
        values = bits(store)
    with Store(old) as store:
        store.add(TASK, TaskOutcome(ODD, cpu='{"compiled for": "znver3"}'))
        found = bits(store)
        assert store.rows("PRAGMA user_version") == [(sql_schema.VERSION,)]
        assert {block: found[block] for block in values} == values != {}
        kinds = store.provenance()["cpus"]
    assert [(kind["compiled for"], kind["tasks"]) for kind in kinds] == [("znver3", 1), ("an unknown CPU", 1)]
    kept = old.with_name(f"{old.name}.format-1")
    assert sorted(p.name for p in old.parent.glob("*.format*")) == [kept.name]
    with closing(sqlite3.connect(kept)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (1,)
        assert raw.execute("SELECT count(*) FROM attempts").fetchone() == (2,)
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_migrated_store_has_the_tables_of_a_new_one(old, tmp_path):
    def tables(path):
        with closing(sqlite3.connect(path)) as raw:
            names = [name for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return {name: raw.execute(f"PRAGMA table_info({name})").fetchall() for name in sorted(names)}

    for place in (old, tmp_path / "new.sqlite"):
        Store(place).close()
    assert tables(old) == tables(tmp_path / "new.sqlite")


def test_an_old_shard_is_merged(old, tmp_path):
    with Store(tmp_path / "whole.sqlite") as store:
        assert merge_stores(store, [old]).added == 1
        assert store.status().failed == 1


def test_formats_that_cannot_be_brought_up_and_newer_ones_are_refused(path):
    """Version 0 never existed."""
    filled(path, 4)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 0")
    with pytest.raises(StoreError, match=f"has format 0, which .* cannot bring up to {sql_schema.VERSION}"):
        Store(path)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {sql_schema.VERSION + 1}")
    with pytest.raises(StoreError, match="written by a newer markone"):
        Store(path)


def test_format_3_keeps_values_checksums_and_names(third):
    before = third.read_bytes()
    with Store(third, "r") as store:
        assert sorted(store.outcomes().values()) == ["done", "failed"]
        values = bits(store)
        (seconds,) = [
            row.seconds for row in iterate_verified_rows(store.execute, third) if row.status == "done"
        ]
        assert seconds == 1.5
    assert third.read_bytes() == before
    assert values == {(POINT, 0, 3): np.array([0.1, -0.25, np.pi]).tobytes()}
    with Store(third) as store:
        assert bits(store) == values
        store.add(TASK, TaskOutcome(ODD, seconds=0.25))
        assert len(bits(store)) == 2
    assert examine_store(third).problems == []
    assert third.with_name(f"{third.name}.format-3").exists()


def test_the_same_values_in_a_store_of_format_3_and_in_a_new_one_are_the_same(third, tmp_path):
    task = Task("toy", 1, {"N": 5, "alpha": 1.0, "rule": "minover"}, 7, 0, 3)
    values = {"height": np.array([0.1, -0.25, np.pi]), "positive": np.array([1.0, 0.0, 1.0])}
    for factor, differing in ((1.0, 0), (2.0, 1)):
        with Store(tmp_path / f"new-{factor}.sqlite") as store:
            store.add(task, TaskOutcome({name: factor * value for name, value in values.items()}))
            assert len(merge_stores(store, [third]).differing) == differing


DAMAGE = {
    "a number": "UPDATE attempts SET data = zeroblob(length(data)) WHERE id = 1",
    "a name": "UPDATE points SET point = '809723cbef2349093e95'",
    "a parameter": "UPDATE points SET parameters = replace(parameters, '5', '6')",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_damage_in_format_3_is_found_and_mended(third, statement):
    with closing(sqlite3.connect(third)) as raw:
        raw.executescript(f"DROP TRIGGER keep_attempts; {statement}; {KEEP}")
    assert examine_store(third).problems
    kept, _ = repair_store(third)
    assert kept < 2
    assert examine_store(third).problems == []


@pytest.mark.parametrize("text", ["no name at all", "70972"])
def test_a_point_of_format_3_without_a_name_is_damage(third, text):
    with closing(sqlite3.connect(third)) as raw:
        raw.execute("UPDATE points SET point = ?", (text,))
        raw.commit()
    for mode in ("r", "w"):
        with pytest.raises(StoreError, match="is damaged"):
            Store(third, mode)


def test_a_plan_of_before_is_marked(third):
    """Points that come to the same numbers did not share their tasks then."""
    with closing(sqlite3.connect(third)) as raw:
        raw.execute("INSERT INTO declarations VALUES ('d', 'study', '{}', 12, '2026')")
        raw.commit()
    with Store(third, "r") as store:
        assert store.status().total == -12
