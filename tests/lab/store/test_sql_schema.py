"""Older stores become new ones."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from studies import study

from markone.errors import StoreError
from markone.lab.runner.worker import work
from markone.lab.store import sql_schema
from markone.lab.store.merge import merge
from markone.lab.store.results import Store
from markone.lab.survey import tasks
from markone.lab.tasks import Task, TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")

TASK = Task("toy", 1, {"N": 5, "alpha": 0.5}, 7, 0, 3)
ODD = {"height": np.array([0.1, -0.0, np.nan]), "positive": np.array([np.inf, 5e-324, 1.0])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in tasks(study(), {})[:count]:
            store.add(task, work(task))
    return path


def bits(store):
    done = store.done("height")
    return {(point, *block): v.tobytes() for point in done for block, v in done[point].items()}


@pytest.fixture
def old(path):
    """A store of format 1."""
    script = Path(__file__).parents[1] / "stores" / "format_1.sql"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(script.read_text())
    return path


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
        assert merge(store, [old]).added == 1
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
