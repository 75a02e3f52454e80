"""The recipe "Add a distance or a cost of LVQ" of CONTRIBUTING.md: file, line, test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

DISTANCE = '''
"""Ln cosh of each difference: squares of small ones, sizes of large ones."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class LogCosh(Distance):
    """d = sum_i ln cosh(x_i - w_i)."""

    masks: ClassVar[bool] = False

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        D = np.stack([np.log(np.cosh(rows.X - w)).sum(axis=1) for w in W], axis=1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return np.stack([R[:, j] @ np.tanh(w - rows.X) for j, w in enumerate(W)]), None

        return D, pull
'''
TEST_OF_DISTANCE = """
import numpy as np

from markone.lvq import distances


def test_equals_its_definition():
    X, W = np.random.default_rng(0).random((2, 3, 4))
    D, _ = distances.LogCosh().evaluate(distances.Rows.of(X), W)
    assert abs(D[1, 2] - sum(np.log(np.cosh(x - w)) for x, w in zip(X[1], W[2]))) < 1e-12
"""
COST = '''
"""The square of Phi."""

from dataclasses import dataclass

from markone.lvq.costs.base import Targets
from markone.lvq.costs.glvq import GLVQCost
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Squared(GLVQCost):
    """E = mean Phi(e)^2."""

    phi: str = "sigmoid"

    def value_and_slope(self, e: Array) -> tuple[Array, Array]:
        value, slope = super().value_and_slope(e)
        return value**2, 2 * value * slope
'''
TEST_OF_COST = """
import numpy as np

from markone.lvq import costs


def test_equals_its_definition():
    D, targets = np.array([[1.0, 3.0]]), costs.Targets(np.array([0]), np.array([0, 1]))
    assert abs(costs.make_cost("squared").value(D, targets, 1.0) - (1 / (1 + np.exp(5.0))) ** 2) < 1e-12
"""


@pytest.fixture
def copy(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "static", "experiments")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "lvq", tmp_path / "tests" / "lvq", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def add_line(path, after, line):
    """One more entry of the registry in this file."""
    text = path.read_text()
    assert text.count(after) == 1
    path.write_text(text.replace(after, f"{after}{line}"))


def run(copy, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passed(copy, *arguments):
    """Run tests of the copy; return how many passed."""
    plugins = ["-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0"]
    output = run(copy, "-m", "pytest", "-q", *plugins, *arguments)
    return int(output.split(" passed")[0].split()[-1])


USE = """
from sklearn.datasets import load_iris
from markone.lvq import GLVQ, NearestPrototype
X, y = load_iris(return_X_y=True)
for model in MODELS:
    assert model.fit(X, y).score(X, y) > 0.9, model
"""


def test_add_a_distance(copy):
    folder = copy / "src/markone/lvq/distances"
    (folder / "log_cosh.py").write_text(DISTANCE)
    add_line(
        folder / "__init__.py",
        '    "local": "adaptive.local.Local",\n',
        '    "log_cosh": "log_cosh.LogCosh",\n',
    )
    (copy / "tests/lvq/distances/test_log_cosh.py").write_text(TEST_OF_DISTANCE)
    models = 'GLVQ(distance="log_cosh"), NearestPrototype(distance="log_cosh")'
    run(copy, "-c", USE.replace("MODELS", models))
    # The registry's own checks find it: the gradient, alone and under every cost.
    assert passed(copy, "tests/lvq/distances", "tests/lvq/costs", "-k", "LogCosh or log_cosh") >= 6


def test_add_a_cost(copy):
    folder = copy / "src/markone/lvq/costs"
    (folder / "squared.py").write_text(COST)
    add_line(folder / "__init__.py", '"rslvq": "RSLVQCost"', ', "squared": "Squared"')
    (copy / "tests/lvq/costs/test_squared.py").write_text(TEST_OF_COST)
    run(copy, "-c", USE.replace("MODELS", '[GLVQ(cost="squared")]'))
    assert passed(copy, "tests/lvq/costs", "-k", "Squared or squared") >= 15
