"""Random corners: a root, which a finer quadrature confirms, or NaN with a reason; no warnings."""

import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[4]


def judge_corners(seed, number, monkeypatch):
    """Outcomes of the drawn corners of `make attack`."""
    monkeypatch.syspath_prepend(str(REPOSITORY))
    attack = import_module("attack.theory")
    rng = np.random.default_rng(seed)
    found = Counter(attack.judge_corner(attack.draw_corner(rng)) for _ in range(number))
    for name in [name for name in sys.modules if name.split(".")[0] == "attack"]:
        del sys.modules[name]
    return found


def test_corners(monkeypatch):
    assert judge_corners(4, 60, monkeypatch) == {"good": 60}


@pytest.mark.slow
def test_many_corners(monkeypatch):
    """Of 5000 corners at most five stay without a root and without a reason that explains it."""
    found = judge_corners(5, 5000, monkeypatch)
    print(found)
    assert found["good"] + found["undecided"] == 5000, found
    assert found["undecided"] <= 5
