"""Formats of a store."""

import sqlite3
from contextlib import closing

import pytest
from toy_declarations import study

from markone.errors import StoreError
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store import sql_schema
from markone.lab.store.results import Store
from markone.lab.store.verify import examine_store, repair_store

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (sql_schema.FORMER - 1, f"has format {sql_schema.FORMER - 1}, which this markone cannot read"),
        (sql_schema.VERSION + 1, "written by a newer markone"),
    ],
)
def test_other_formats_are_refused_and_not_changed(tmp_path, version, message):
    path = tmp_path / "study.sqlite"
    with Store(path) as store:
        for task in list_remaining_tasks(study(), {})[:4]:
            store.add(task, run_task(task))
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {version}")
    for mode in ("w", "r"):
        with pytest.raises(StoreError, match=message):
            Store(path, mode)
    if version < sql_schema.VERSION:
        for use in (examine_store, repair_store):
            with pytest.raises(StoreError, match=message):
                use(path)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (version,)


def test_the_former_format_is_read_and_continued(tmp_path):
    path = tmp_path / "study.sqlite"
    todo = list_remaining_tasks(study(), {})
    with Store(path) as store:
        for task in todo[:4]:
            store.add(task, run_task(task))
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {sql_schema.FORMER}")
    with Store(path, "r") as store:
        assert store.status().done == 4
    assert not examine_store(path).problems
    with Store(path) as store:
        store.add(todo[4], run_task(todo[4]))
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (sql_schema.VERSION,)
    assert examine_store(path).rows == 5
