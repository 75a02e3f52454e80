"""The recipe "Add a distance or a cost of LVQ" of CONTRIBUTING.md: file, line, test."""

import pytest

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
    D, _ = distances.LogCosh().evaluate(distances.Rows.from_array(X), W)
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
    assert abs(costs.cost_class("squared")().value(D, targets, 1.0) - (1 / (1 + np.exp(5.0))) ** 2) < 1e-12
"""


@pytest.fixture(scope="module")
def copy(package_copy):
    package_copy.add_tests("lvq")
    return package_copy


USE = """
from sklearn.datasets import load_iris
from markone.lvq import GLVQ, NearestPrototype
X, y = load_iris(return_X_y=True)
for model in MODELS:
    assert model.fit(X, y).score(X, y) > 0.9, model
"""


def test_add_a_distance(copy):
    folder = "src/markone/lvq/distances"
    copy.write(f"{folder}/log_cosh.py", DISTANCE)
    copy.insert(f"{folder}/__init__.py", '    "log_cosh": "log_cosh.LogCosh",', after='"local": ')
    copy.write("tests/lvq/distances/test_log_cosh.py", TEST_OF_DISTANCE)
    models = 'GLVQ(distance="log_cosh"), NearestPrototype(distance="log_cosh")'
    copy.run("-c", USE.replace("MODELS", models))
    # The checks of all distances include it: the gradient, alone and under every cost.
    assert copy.passed("tests/lvq/distances", "tests/lvq/costs", "-k", "LogCosh or log_cosh") >= 6


def test_add_a_cost(copy):
    folder = "src/markone/lvq/costs"
    copy.write(f"{folder}/squared.py", COST)
    copy.replace(
        f"{folder}/__init__.py", '"rslvq": "RSLVQCost"', '"rslvq": "RSLVQCost", "squared": "Squared"'
    )
    copy.write("tests/lvq/costs/test_squared.py", TEST_OF_COST)
    copy.run("-c", USE.replace("MODELS", '[GLVQ(cost="squared")]'))
    assert copy.passed("tests/lvq/costs", "-k", "Squared or squared") >= 15
