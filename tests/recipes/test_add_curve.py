"""The recipe "Add a theory curve" of CONTRIBUTING.md: three files, and `make docs`."""

import shutil

import pytest
from copies import ROOT

CURVE = '''
"""A student that guesses: the baseline of all learning curves."""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Floats, check_at_least


def generalization_error(alpha: ArrayLike) -> Floats:
    """1/2 for any alpha >= 0: nothing is learned."""
    return np.full_like(check_at_least(0, "alpha", alpha), 0.5)
'''
LINE = '    student_curve("guess", "Guessing", ALWAYS, "by definition"),'
TEST = """
import numpy as np

from markone.theory import curve


def test_half_of_the_answers_are_wrong():
    np.testing.assert_array_equal(curve("guess")([0.0, 1.0, 9.0]), 0.5)
"""
DOCS = ROOT / "docs" / "make_theory.py"


@pytest.fixture(scope="module")
def copy(package_copy):
    copy = package_copy
    copy.write("src/markone/perceptron/theory/guess.py", CURVE.lstrip())
    copy.insert("src/markone/theory.py", LINE, after="# learning a rule")
    copy.write("tests/perceptron/theory/test_guess_theory.py", TEST.lstrip())
    return copy


def test_its_own_test_passes(copy):
    assert copy.passed("tests/perceptron/theory/test_guess_theory.py") == 1


def test_the_command_line_draws_it(copy):
    assert "guess" in copy.run("-m", "markone", "theory")
    assert "0.5" in copy.run("-m", "markone", "theory", "guess", "--alpha", "1")


def test_make_docs_puts_it_on_the_page(copy):
    (copy.folder / "docs").mkdir()
    shutil.copy(DOCS, copy.folder / "docs")
    copy.run("docs/make_theory.py")
    assert "`guess`" in (copy.folder / "docs" / "theory.md").read_text()
