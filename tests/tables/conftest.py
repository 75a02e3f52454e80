"""A new package with estimators."""

import sys
from types import ModuleType

import pytest

import markone


@pytest.fixture(autouse=True)
def _no_processes_for_slow_fits(monkeypatch):
    """On a busy machine each small fit would start processes, which import everything again."""
    monkeypatch.setattr("markone.tables.running.MIN_PARALLEL_SECONDS", float("inf"))


@pytest.fixture
def toy_package(monkeypatch):
    """A new package with estimators that no list mentions."""
    # Imported here: this file is read before the folder of its neighbours is on the path.
    from toy_package import NeedsArguments, ToyStudent

    homes = {"ToyStudent": "markone.toys", "NeedsArguments": "markone.toys", "help": "markone.toys"}
    module = ModuleType("markone.toys")
    module.ToyStudent, module.NeedsArguments, module.help = ToyStudent, NeedsArguments, print
    monkeypatch.setitem(sys.modules, "markone.toys", module)
    monkeypatch.setattr(markone, "HOMES", markone.HOMES | homes)
    monkeypatch.setattr(ToyStudent, "__module__", "markone.toys")
