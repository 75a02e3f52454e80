"""Displays draw the computed numbers; importing the package does not import matplotlib."""

import subprocess
import sys
from types import ModuleType

import matplotlib as mpl
import numpy as np
import pytest

import markone.evaluation
from markone.data import gaussian_mixture
from markone.evaluation import (
    AveragedRocDisplay,
    ComplexityDisplay,
    PolynomialFitsDisplay,
    averaged_roc,
    polynomial_fits,
)
from markone.perceptron import AdaTron


@pytest.fixture(autouse=True)
def pictures():
    mpl.use("Agg")
    yield
    mpl.pyplot.close("all")


def three():
    drawn = gaussian_mixture(90, [[-2.0, 0], [2, 0], [0, 3]], seed=0)
    return drawn.X, drawn.y


def test_averaged_roc():
    X, y = three()
    display = AveragedRocDisplay.from_estimator(AdaTron(C=1), X, y, cv=3, positive=1, folds=True)
    average = display.average
    np.testing.assert_allclose(display.line_.get_ydata()[1:], average.mean)
    assert f"AdaTron: area {average.areas.mean():.3f}" in display.line_.get_label()
    assert len(display.ax_.lines) == 1 + 3 + 1
    assert display.point_ is None
    marked = AveragedRocDisplay(average).plot(threshold=0.0)
    assert tuple(marked.point_.get_xydata()[0]) == average.at(0.0)
    again = AveragedRocDisplay.from_predictions([([0, 1], [0.0, 1.0])], ax=display.ax_, name="one")
    assert again.ax_ is display.ax_
    assert again.line_.get_label() == "one: area 1.000"
    AveragedRocDisplay(averaged_roc([([0, 1], [0.0, 1.0])])).plot(chance=False, color="red", label="mine")


def test_complexity_on_numbers_and_names():
    X, y = three()
    shown = ComplexityDisplay.from_estimator(AdaTron(), X, y, "C", [0.001, 0.1, 1.0], cv=3)
    assert shown.ax_.get_xscale() == "log"
    np.testing.assert_allclose(shown.lines_[1].get_ydata(), shown.curve.test.mean(axis=1))
    names = ComplexityDisplay.from_estimator(AdaTron(C=1), X, y, "order", ["cyclic", "shuffled"], cv=3)
    assert [t.get_text() for t in names.ax_.get_xticklabels()] == ["cyclic", "shuffled"]


def test_figure_of_fits():
    shown = PolynomialFitsDisplay(polynomial_fits()).plot()
    assert shown.axes_.shape == (3, 3)
    assert [axis.get_title() for axis in shown.axes_[0]] == ["K = 1", "K = 3", "K = 7"]


def test_every_public_name_is_there_and_none_is_a_module():
    for name in dir(markone.evaluation):
        assert not isinstance(getattr(markone.evaluation, name), ModuleType), name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = markone.evaluation.nothing


def test_importing_draws_and_compiles_nothing():
    code = """
import sys, markone.evaluation
assert not {"sklearn", "numba", "matplotlib", "pandas"} & set(sys.modules)
from markone.evaluation import *
assert "matplotlib" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
