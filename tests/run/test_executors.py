"""Executors by name, and missing dependencies."""

import sys

import pytest

from markone.run import executors
from markone.run.executors import thread_workers


def test_extras_that_are_missing_or_wrong(monkeypatch):
    for module, maker, extra in [
        ("loky", executors.loky_workers, "loky"),
        ("mpi4py", executors.mpi_workers, "mpi"),
        ("distributed", executors.dask_workers, "dask"),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=rf"needs {module}. .*pip install 'markone\[{extra}\]'"):
            maker()
    with pytest.raises(ValueError, match="number of workers must be a whole number, at least 1, not 0"):
        thread_workers(0)
