"""A cluster without workers is an error."""

from concurrent.futures import Executor, Future

import pytest
from toy_declarations import study

from markone.errors import WorkersLost
from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run import pool
from markone.run.executors import ExecutorFactory


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_a_cluster_without_workers_is_noticed(toy, path, monkeypatch):
    class Silent(Executor):
        def submit(self, function, /, *arguments):
            return Future()

    monkeypatch.setattr(pool, "CHECK_SECONDS", 0.05)
    closed = []
    maker = ExecutorFactory("silent", Silent, lambda: 0, lambda: closed.append(True))
    with (
        Store(path) as store,
        pytest.raises(WorkersLost, match=r"All workers have died.*run the same command"),
    ):
        run(study(), store, maker, stall=0.2)
    assert closed == [True]
