"""Two classes in the plane and the line of a unit."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from markone.lab.scenarios.plane import lms
from markone.lab.scenarios.plane.panels import Panel, draw_decision, draw_panels


def parameters(**more):
    return lms.Parameters(**{"data": "dense", "eta": 3.0, "eta_unit": "sum", "iterations": 30} | more)


@pytest.mark.parametrize("unit", ["linear", "hard"])
@pytest.mark.parametrize("data", list(lms.KINDS))
def test_the_unit_of_the_picture_is_the_unit_of_the_run(unit, data):
    p = parameters(data=data, unit=unit)
    values = lms.SCENARIO.run(p, 5, 2, 3)
    X, S, w = lms.train_unit_once(p, 5, 2)
    output = X @ w[1:] - w[0]
    assert np.mean(np.where(output >= 0, 1.0, -1.0) != S) == values["errors"][0]
    output = np.where(output >= 0, 1.0, -1.0) if unit == "hard" else output
    assert np.mean((S - output) ** 2) == pytest.approx(values["mse"][0], rel=1e-12)


def test_the_line_of_the_picture_is_where_the_output_vanishes():
    p = parameters()
    X, S, w = lms.train_unit_once(p, 1, 0)
    drawing = Figure()
    draw_panels(drawing, [Panel("dense", X, S, w)], draw_decision)
    (axes,) = drawing.axes
    line = next(line for line in axes.lines if hasattr(line, "get_slope"))
    x, y = line.get_xy1()
    assert w[1] * x + w[2] * y == pytest.approx(w[0], abs=1e-12)
    x, y = line.get_xy2()
    assert w[1] * x + w[2] * y == pytest.approx(w[0], abs=1e-12)
    wrong = int(np.sum(np.where(X @ w[1:] >= w[0], 1.0, -1.0) != S))
    assert axes.get_title() == f"dense\n{wrong} of 100 wrong"
    assert len(axes.lines[-1].get_xdata()) == wrong


@pytest.mark.parametrize(
    ("w", "sentence"),
    [
        ([np.inf, 1.0, 1.0], "diverged: no line"),
        ([np.nan, 1.0, 1.0], "diverged: no line"),
        ([1e200, 1e300, -1e300], "wrong\n|w| = 1e+300"),
        ([0.0, 0.0, 0.0], "50 of 100 wrong"),
        ([1.0, 0.0, 0.0], "50 of 100 wrong"),
    ],
)
def test_weights_that_diverged_or_vanish_are_drawn_without_a_warning(w, sentence):
    X, S, _ = lms.train_unit_once(parameters(), 1, 0)
    drawing = Figure()
    draw_panels(drawing, [Panel("dense", X, S, np.array(w), hard) for hard in (False, True)], draw_decision)
    drawing.draw_without_rendering()
    assert all(sentence in axes.get_title() for axes in drawing.axes)


def test_the_pictures_of_a_grid_have_a_panel_for_each_unit():
    from types import SimpleNamespace

    grid = [parameters(data=d, eta=e).model_dump() for d in ("halo", "rings") for e in (1.0, 3.0, 100.0)]
    points = [SimpleNamespace(parameters=p) for p in grid]
    for name, panels in (("scatter", 2), ("decision", 6)):
        drawing = Figure(figsize=lms.SCENARIO.pictures[name].size)
        lms.SCENARIO.pictures[name].draw(drawing, points, 1)
        assert len(drawing.axes) == panels
    assert drawing.axes[0].get_subplotspec().get_gridspec().ncols == 3
    assert drawing.axes[5].get_title().startswith("rings\neta = 100")
