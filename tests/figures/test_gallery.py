"""Every numbered figure exists and is drawn with public functions only."""

import ast
from pathlib import Path

import numpy as np
import pytest

import markone.figures
from markone import Rosenblatt
from markone.figures import draw, find_figure, list_figures
from markone.figures.chapter3.rosenblatt import XI, S
from markone.figures.reports.digits_3 import separable_points

NUMBERED = ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1"]
NUMBERED += [f"3.{k}" for k in range(1, 10)] + [f"4.{k}" for k in range(1, 5)]
NUMBERED += ["5.1", "5.2"] + [f"6.{k}" for k in range(1, 5)]
REPORTS = ["digits-1", "digits-2", "digits-3", "stability-1", "stability-2", "stability-3", "storage-6"]
# These train students for seconds.
SLOW = {"stability-1", "stability-2", "stability-3", "5.1", "5.2"}
FILES = sorted(Path(markone.figures.__file__).parent.rglob("*.py"))


def test_all_figures_of_the_notes_are_there_in_order():
    assert [figure.number for figure in list_figures()] == NUMBERED + REPORTS


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in NUMBERED + REPORTS]
)
def test_draws_itself(number, tmp_path):
    figure = draw(number, tmp_path / "figure.png")
    assert figure.axes or figure.subfigs
    assert (tmp_path / "figure.png").stat().st_size > 5000


@pytest.mark.parametrize("size", ["column", "slide", "poster"])
def test_sizes_and_formats(size, tmp_path):
    width = draw("1.3", tmp_path / "a.pdf", size=size).get_size_inches()[0]
    assert width == pytest.approx({"column": 6.6, "slide": 11.0, "poster": 20.0}[size] * 0.9)
    draw("1.3", tmp_path / "a.svg", size=size)
    draw("1.3", tmp_path / "b.svg", size=size)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_bad_names_sizes_and_endings():
    with pytest.raises(ValueError, match=r"There is no figure '3\.44'\. Did you mean '3\.4'"):
        find_figure("3.44")
    with pytest.raises(ValueError, match="size is 'huge'"):
        draw("1.3", size="huge")
    with pytest.raises(ValueError, match=r"write \.png, \.svg, \.pdf"):
        draw("1.3", "figure.bmp")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scripts_use_public_calls_only(path):
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_") or node.attr.startswith("__"), f"{path.name}: {node.attr}"
    assert len(path.read_text().splitlines()) <= 110


def test_figure_3_4_has_the_updates_of_the_notes():
    history = Rosenblatt(fit_intercept=False, record="presentations").fit(XI, S).history_
    learned = history["step"][history["change"] != 0]
    assert learned.tolist() == [1, 3, 5]
    assert history.errors[6] == 0


def test_the_tight_set_takes_many_more_epochs():
    epochs = [Rosenblatt(max_iter=100_000).fit(*separable_points(gap)).n_iter_ for gap in (0.2, 0.005)]
    assert epochs[1] > 5 * epochs[0]
    X, y = separable_points(0.2)
    assert np.abs(X.sum(axis=1) - 1).min() > 0.2
    assert set(y) == {-1, 1}
