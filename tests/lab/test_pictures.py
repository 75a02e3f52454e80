"""Pictures that a scenario draws, and marks on the x axis."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure
from stand_ins import ALPHAS, SIZES, Declaration, figure, made_up

from markone.lab.figures import DOUBLE, draw, rendered
from markone.lab.pictures.plane import Panel, decision, draw_panels
from markone.lab.report import collect
from markone.lab.scenario import Mark, Picture
from markone.lab.scenarios import lms, stability, storage, teacher_student
from markone.lab.seeing.as_html import as_html
from markone.lab.seeing.as_markdown import as_markdown
from markone.lab.seeing.legends import covers
from markone.lab.seeing.looks import COLOURS, GREY
from markone.perceptron.theory.max_stability import alpha_c

SEEN = []


def dots(drawing, points, seed):
    SEEN.append(([point.parameters for point in points], seed))
    drawing.add_subplot().plot([point.values["kappa"].mean() for point in points], "o")


PICTURES = {"dots": Picture("Dots of the runs", dots, (5.0, 2.0))}
DECLARATION = Declaration(repeats=20, pictures=PICTURES)
POINTS = made_up(DECLARATION)


def picture(**more):
    empty = {"x": "", "lines": (), "measures": (), "theory": ()}
    return figure("dots", **empty, **{"kind": "picture", "picture": "dots", "where": {}} | more)


def test_a_picture_gets_the_points_that_where_leaves_and_the_seed():
    drawn = draw(DECLARATION, POINTS, picture(where={"N": 20, "alpha_max": 1.0}))
    assert SEEN.pop() == ([{"N": 20, "alpha": 0.5}, {"N": 20, "alpha": 1.0}], 1)
    assert drawn.figure.get_size_inches().tolist() == [5.0, 2.0]
    wide = draw(DECLARATION, POINTS, picture(), width=DOUBLE)
    assert wide.figure.get_size_inches().tolist() == pytest.approx([7.0, 2.8])
    for suffix, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert rendered(drawn, suffix).startswith(start)


def test_without_points_a_picture_says_so():
    SEEN.clear()
    drawn = draw(DECLARATION, POINTS, picture(where={"N": 11}))
    assert SEEN == []
    assert [text.get_text() for text in drawn.figure.texts] == ["nothing has been measured here"]


def test_a_picture_is_in_both_reports_with_its_title_and_without_a_table():
    declaration = Declaration(repeats=20, pictures=PICTURES, figures=[picture(where={"N": 20})])
    content = collect(declaration, POINTS, {})
    html, markdown = as_html(content), as_markdown(content)
    assert "Dots of the runs (N = 20)." in html
    assert "![dots](figures/dots.svg)\n\nDots of the runs (N = 20)." in markdown
    assert "The numbers of figure" not in html


def places(function, **more):
    declaration = Declaration(repeats=5, marks={"m": Mark("a threshold", function)})
    drawn = draw(declaration, made_up(declaration), figure(theory=[], marks=["m"], **more))
    lines = drawn.figure.axes[0].lines
    upright = [line for line in lines if len(line.get_xdata()) == 2 and len(set(line.get_xdata())) == 1]
    return drawn, [(line.get_xdata()[0], line.get_color()) for line in upright]


def test_a_mark_stands_at_each_line_in_its_colour():
    drawn, found = places(lambda parameters: 20 / parameters["N"])
    assert found == [(2.0, COLOURS[0]), (1.0, COLOURS[1]), (0.5, COLOURS[2])]
    assert [(place.label, place.x) for place in drawn.marks] == [(f"N = {N}", 20 / N) for N in SIZES]
    texts = [text.get_text() for legend in [drawn.figure.axes[0].get_legend(), *drawn.figure.legends]
             if legend for text in legend.get_texts()]  # fmt: skip
    assert "a threshold" in texts


def test_a_mark_that_is_the_same_for_all_is_drawn_once_and_one_that_is_nowhere_not_at_all():
    assert places(lambda parameters: 2.0)[1] == [(2.0, GREY)]
    for nowhere in (math.nan, math.inf, 3.5, 0.1):
        drawn, found = places(lambda parameters, x=nowhere: x)
        assert (found, drawn.marks) == ([], [])


def test_the_thresholds():
    assert teacher_student.SCENARIO.marks["separability"].function({"noise": 0.2}) == alpha_c(0.2)
    assert teacher_student.SCENARIO.marks["separability"].function({"noise": 0.0}) == math.inf
    assert math.isnan(teacher_student.SCENARIO.marks["separability"].function({"noise": 0.5}))
    own = stability.SCENARIO.marks["separability"].function
    assert own({"labels": "random"}) == own({"labels": "teacher", "noise": 0.5}) == 2.0
    assert own({"labels": "teacher", "noise": 0.1}) == alpha_c(0.1)
    assert storage.SCENARIO.marks["capacity"].function({"N": 5}) == 2.0


@pytest.mark.parametrize("rise", [0.0, 1.0])
def test_a_legend_never_stands_on_marks_or_lines(rise):
    """Marks all over the axes leave no room inside; a curve in one corner does."""
    declaration = Declaration(grid={"N": SIZES, "alpha": ALPHAS}, repeats=10)
    points = made_up(declaration, noise=1e-6)
    for point in points:
        N, alpha = point.parameters["N"], point.parameters["alpha"]
        level = SIZES.index(N) + 0.3 * (ALPHAS.index(alpha) % 3) if rise else N / alpha**9
        point.values["kappa"] = level + 0 * point.values["kappa"]
    drawn = draw(declaration, points, figure(measures=["kappa"], theory=["kappa", "cover"] if rise else []))
    (axes,) = drawn.figure.axes
    inside = axes.get_legend()
    assert (inside is None) == bool(rise)
    assert bool(drawn.figure.legends) == bool(rise)
    assert inside is None or not covers(inside, axes)


def parameters(**more):
    return lms.Parameters(**{"data": "dense", "eta": 3.0, "eta_unit": "sum", "iterations": 30} | more)


@pytest.mark.parametrize("unit", ["linear", "hard"])
@pytest.mark.parametrize("data", list(lms.KINDS))
def test_the_unit_of_the_picture_is_the_unit_of_the_run(unit, data):
    p = parameters(data=data, unit=unit)
    values = lms.run(p, 5, 2, 3)
    X, S, w = lms.trained(p, 5, 2)
    output = X @ w[1:] - w[0]
    assert np.mean(np.where(output >= 0, 1.0, -1.0) != S) == values["errors"][0]
    output = np.where(output >= 0, 1.0, -1.0) if unit == "hard" else output
    assert np.mean((S - output) ** 2) == pytest.approx(values["mse"][0], rel=1e-12)


def test_the_line_of_the_picture_is_where_the_output_vanishes():
    p = parameters()
    X, S, w = lms.trained(p, 1, 0)
    drawing = Figure()
    draw_panels(drawing, [Panel("dense", X, S, w)], decision)
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
    X, S, _ = lms.trained(parameters(), 1, 0)
    drawing = Figure()
    draw_panels(drawing, [Panel("dense", X, S, np.array(w), hard) for hard in (False, True)], decision)
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
