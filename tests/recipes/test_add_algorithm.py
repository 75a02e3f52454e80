"""The recipe "Add an algorithm" of CONTRIBUTING.md: three files."""

import pytest

# An algorithm with its own modulation.
ALGORITHM = '''
"""The relaxation method: an example within the margin is moved onto it (Agmon 1954)."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import ExampleOrder, LoopSettings, on_weights
from markone.perceptron.base.epochs import epochs_per_call, run_epochs
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.base.student import Student


@part
def relaxation(E: float, x: float, h: float, eta: float, c: float, gamma: float) -> float:
    """eta (c - E), where E <= c."""
    return eta * (c - E) / h if h > 0.0 and c >= E else 0.0


@entry
def relaxation_w(
    xi: Any, S: Array, h: Array, w: Array, x: Array, settings: LoopSettings, epochs: int, turns: ExampleOrder
) -> Any:
    return on_weights(xi, S, h, w, x, settings, epochs, turns, relaxation)


class Relaxation(Student):
    """Move w by eta (c - E)/h times S xi for each example with E <= c, in cyclic order."""

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        w, x, turn = np.zeros(problem.N), np.zeros(problem.P), ExampleOrder.start("cyclic", problem)
        settings = LoopSettings(1.5, 1.0, np.full(problem.P, np.inf), 1e-9)

        def step(epochs: int) -> Any:
            first = (problem.xi, problem.S, problem.C_diagonal, w, x)
            return relaxation_w(*first, settings, epochs, turn)

        result = run_epochs(step, problem, lambda: w, lambda: True, 200, epochs_per_call(problem), False)
        return Trained(w, x, result.n_epochs, result.n_updates, result.converged)
'''
LINE = '    "Relaxation": "markone.perceptron.students.relaxation",'
TEST = '''
"""Relaxation: plain Python version."""

import numpy as np

from markone import Relaxation


def test_equals_the_definition():
    rng = np.random.default_rng(0)
    xi = rng.standard_normal((8, 20))
    S = np.where(rng.random(8) < 0.5, -1.0, 1.0)
    w, h = np.zeros(20), (xi**2).sum(axis=1) / 20
    for _ in range(200):
        for mu in range(8):
            E = S[mu] * xi[mu] @ w
            if E <= 1:
                w += 1.5 * (1 - E) / h[mu] * S[mu] * xi[mu] / 20
    student = Relaxation(fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], w, rtol=1e-6)
    assert student.converged_
'''
KNOWN = """
import markone, numpy as np
from markone.base import registry
from sklearn.utils.estimator_checks import check_estimator
assert "Relaxation" in markone.__all__ and "Relaxation" in registry.public_classifiers()
outcome = check_estimator(markone.Relaxation(), on_fail=None)
bad = [check["check_name"] for check in outcome if check["status"] == "failed"]
assert not bad and len(outcome) > 35, bad
"""
KEPT = """
import numpy as np
from markone.perceptron.students.relaxation import Relaxation, relaxation_w
Relaxation().fit(np.eye(4), [0, 1, 0, 1])
print(sum(relaxation_w.stats.cache_hits.values()), sum(relaxation_w.stats.cache_misses.values()))
"""


@pytest.fixture(scope="module")
def copy(package_copy):
    copy = package_copy
    copy.write("src/markone/perceptron/students/relaxation.py", ALGORITHM.lstrip())
    copy.insert("src/markone/perceptron/__init__.py", LINE, after='"PerceptronRule"')
    copy.write("tests/perceptron/students/test_relaxation.py", TEST.lstrip())
    return copy


def test_its_own_test_passes(copy):
    assert copy.passed("tests/perceptron/students/test_relaxation.py") == 1


def test_ruff_and_mypy_pass(copy):
    copy.check_style("src/markone/perceptron/students/relaxation.py")


def test_it_is_registered_and_scikit_learns_checks_pass(copy):
    copy.run("-W", "ignore", "-c", KNOWN)


def test_its_compiled_code_is_kept(copy):
    copy.run("-c", KEPT)
    assert copy.run("-c", KEPT).split() == ["1", "0"]


def test_a_table_can_be_given_to_it(copy):
    output = copy.run("-m", "markone", "fit", "iris", "--model", "relaxation", "--cv", "3", "--json")
    assert "relaxation" in output


def test_the_stubs_are_written_from_the_one_line(copy):
    copy.run("-m", "markone.base.stubs")
    line = "from markone.perceptron.students.relaxation import Relaxation as Relaxation"
    for stub in ("__init__.pyi", "perceptron/__init__.pyi"):
        assert line in (copy.package / stub).read_text()
