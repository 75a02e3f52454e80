"""Older stores become new ones."""

import sqlite3

import numpy as np
import pytest
from studies import study

from markone.errors import StoreError
from markone.lab.runner.worker import work
from markone.lab.store import sql_schema
from markone.lab.store.results import Store
from markone.lab.tasks import Task, TaskOutcome, tasks

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


def test_older_stores_are_migrated_and_newer_ones_refused(path, monkeypatch):
    """Version 0 never existed: made up, it had no column for the worker."""
    filled(path, 4)
    raw = sqlite3.connect(path)
    raw.execute("ALTER TABLE attempts DROP COLUMN worker")
    raw.execute("PRAGMA user_version = 0")
    raw.commit()
    with pytest.raises(StoreError, match="has format 0, which this markone cannot bring up to 1"):
        Store(path)
    add = "ALTER TABLE attempts ADD COLUMN worker TEXT"
    monkeypatch.setitem(sql_schema.MIGRATIONS, 0, lambda connection: connection.execute(add))
    with Store(path) as store:
        assert len(store.outcomes()) == 4
        store.add(TASK, TaskOutcome(ODD, worker="me"))
    raw.execute("PRAGMA user_version = 2")
    raw.close()
    with pytest.raises(StoreError, match="written by a newer markone"):
        Store(path)
