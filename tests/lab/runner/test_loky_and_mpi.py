"""loky and MPI for real, where they are installed: the same bits as from a plain loop."""

import os
import shutil
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from toy_declarations import expected, study, table

from markone.lab.runner.run import run
from markone.lab.store.results import Store
from markone.run import executors, worker_process

pytestmark = pytest.mark.slow

STUDY = """
name = "study"
title = "A study"
scenario = "toy"
seed = 7
repeats = 12
[grid]
N = [5, 20]
alpha = { start = 0.5, stop = 1.5, step = 0.5 }
"""


def test_loky_gives_the_same_bits_and_a_crash_is_one_row(toy, tmp_path):
    path = tmp_path / "study.sqlite"
    (toy / "1.crash").touch()
    with Store(path) as store:
        summary = run(study(), store, executors.loky_workers(2))
        assert (summary.done, summary.failed) == (12, 6)
        (toy / "1.crash").unlink()
        assert run(study(), store, executors.loky_workers(2)).done == 6
    assert table(path, study()) == expected(study())


def mpiexec():
    """The launcher beside this Python or on the path, or the reason why there is none."""
    # An MPI library is no Python package: where there is none, nothing can be started.
    pytest.importorskip("mpi4py", reason="MPI needs markone[mpi] and an MPI library, no part of the tests")
    beside = os.path.join(os.path.dirname(sys.executable), "mpiexec")
    found = beside if os.access(beside, os.X_OK) else shutil.which("mpiexec")
    if not found:
        pytest.skip("mpi4py is installed, but there is no mpiexec to start it with")
    trial = [found, "-n", "2", sys.executable, "-c", "from mpi4py import MPI; print(MPI.COMM_WORLD.size)"]
    try:
        done = subprocess.run(trial, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        pytest.skip("mpiexec does not start two processes here within a minute")
    if done.stdout.split() != ["2", "2"]:
        pytest.skip(f"mpiexec does not start two processes here: {(done.stderr or done.stdout)[-300:]}")
    return found


def test_mpi_gives_the_same_bits(toy, tmp_path):
    launcher, path = mpiexec(), tmp_path / "study.sqlite"
    (tmp_path / "study.toml").write_text(STUDY)
    command = [launcher, "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m", "markone", "run"]
    command += ["study.toml", "--backend", "mpi", "--store", str(path), "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr + done.stdout
    assert table(path, study()) == expected(study())
    with Store(path, "r") as store:
        assert len(store.rows("SELECT name FROM workers")) == 2
        status = store.status()
        assert (status.done, status.total) == (18, 18)


def test_mpi_without_workers_says_how_to_start(monkeypatch):
    world = SimpleNamespace(Get_size=lambda: 1)
    monkeypatch.setitem(sys.modules, "mpi4py", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "mpi4py.futures", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", SimpleNamespace(COMM_WORLD=world))
    with pytest.raises(ValueError, match="MPI has no workers: start with `mpiexec -n 3 python -m mpi4py"):
        executors.mpi_workers()
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", None)
    with pytest.raises(ImportError, match=r"mpi4py finds no MPI .*impi-rt"):
        executors.mpi_workers()


def test_a_worker_that_knows_its_parent_by_number_only_ends_with_it(monkeypatch):
    def join():
        raise ValueError("Invalid file object: None")

    parents, ended = iter([41, 41, 1]), []
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    worker_process.exit_with_parent(SimpleNamespace(join=join, pid=41))
    assert ended == [1]
