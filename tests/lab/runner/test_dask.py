"""Dask: the same bits, also when a worker is killed in the middle."""

import os
import signal

import distributed
import pytest
from toy_declarations import expected, study, table

from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run.executors import dask_workers

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster(toy):
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1"}
    with (
        distributed.LocalCluster(**settings, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def test_a_worker_killed_in_the_middle_changes_no_bit(cluster, tmp_path):
    declaration = study(fixed={"busy": 0.1})
    pids = list(cluster.run(os.getpid).values())

    def kill_one(done, total, task):
        if done == 3:
            os.kill(pids[0], signal.SIGKILL)

    path = tmp_path / "study.sqlite"
    with Store(path) as store:
        summary = run(declaration, store, dask_workers(cluster), progress=kill_one)
        assert (summary.done, summary.failed) == (18, 0)
        workers = {worker for (worker,) in store.rows("SELECT name FROM workers")}
        assert len(workers) >= 2
    assert table(path, declaration) == expected(declaration)
    # A given client stays open.
    assert cluster.status == "running"


def test_a_cluster_of_its_own_by_address(cluster, tmp_path):
    with Store(tmp_path / "study.sqlite") as store:
        assert run(study(), store, dask_workers(cluster.scheduler.address)).done == 18
    assert table(tmp_path / "study.sqlite", study()) == expected(study())
