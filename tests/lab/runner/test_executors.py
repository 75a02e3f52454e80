"""Executors by name, and missing dependencies."""

import sys

import pytest

from markone.lab.runner import executors
from markone.lab.runner.executors import threads


def test_extras_that_are_missing_or_wrong(monkeypatch):
    for module, maker, extra in [
        ("loky", executors.loky, "loky"),
        ("mpi4py", executors.mpi, "mpi"),
        ("distributed", executors.dask, "dask"),
    ]:
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=rf"needs {module}. .*pip install 'markone\[{extra}\]'"):
            maker()
    with pytest.raises(ValueError, match="number of workers must be a whole number, at least 1, not 0"):
        threads(0)
