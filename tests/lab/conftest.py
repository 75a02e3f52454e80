import os
from pathlib import Path

import pytest

from markone.lab import scenarios

TOY = Path(__file__).parent / "toy"


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """The toy scenario, also in started processes; returns the folder that controls its failures."""
    monkeypatch.setattr(scenarios, "__path__", [*scenarios.__path__, str(TOY / "scenarios")])
    paths = [str(TOY), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
    monkeypatch.setenv("TOY_TROUBLE", str(tmp_path))
    return tmp_path
