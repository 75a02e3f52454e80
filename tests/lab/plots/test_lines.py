"""Drawn numbers are the means of the points, with theory."""

import numpy as np
from generated_points import ALPHAS, COVER, SIZES, Declaration, Point, figure, made_up

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import rendered_bytes
from markone.lab.plots.lines import step_midpoints
from markone.lab.plots.style import MARKS
from markone.lab.scenario import Theory
from markone.lab.statistics import estimate_mean
from markone.show.drawing import COLOURS

DECLARATION = Declaration(repeats=60)
POINTS = made_up(DECLARATION, b=-0.5)


def stored(measure, N, alpha):
    point = next(p for p in POINTS if p.parameters == {"N": N, "alpha": alpha})
    return estimate_mean(point.values[measure], measure != "kappa")


def test_what_is_drawn_is_the_summary_of_the_points():
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(measures=["converged", "separable"]))
    assert [(s.measure, s.label) for s in drawn.means] == [
        (m, f"N = {N}") for m in ("converged", "separable") for N in SIZES
    ]
    (axes,) = drawn.figure.axes
    for series, bars, N in zip(drawn.means, axes.containers, SIZES * 2, strict=True):
        expected = [stored(series.measure, N, alpha) for alpha in ALPHAS]
        assert series.x == ALPHAS
        assert series.mean.tolist() == [e.mean for e in expected]
        assert series.low.tolist() == [e.low for e in expected]
        assert series.high.tolist() == [e.high for e in expected]
        marks, _, (ranges,) = bars.lines
        assert np.array_equal(marks.get_xydata(), np.c_[ALPHAS, series.mean])
        ends = np.array([path.vertices[:, 1] for path in ranges.get_paths()])
        assert np.allclose(ends, np.c_[series.low, series.high], rtol=0, atol=1e-15)


def test_theory_is_drawn_through_the_points_in_the_colour_of_its_line():
    drawn = draw_declared_figure(DECLARATION, POINTS, figure())
    (axes,) = drawn.figure.axes
    curves = [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata()) > 100]
    assert [curve.get_color() for curve in curves] == COLOURS[:3]
    for curve, series, N in zip(curves, drawn.theory, SIZES, strict=True):
        assert set(ALPHAS) <= set(series.x)
        assert np.array_equal(curve.get_xydata(), np.c_[series.x, series.mean])
        assert all(
            y == COVER.function({"N": N, "alpha": x}) for x, y in zip(series.x, series.mean, strict=True)
        )


def test_a_step_of_theory_is_drawn_as_a_step():
    """Cover's count jumps where P = round(alpha N) does; no line may lean over more than a pixel."""
    drawn = draw_declared_figure(DECLARATION, POINTS, figure())
    x, y = np.array(drawn.theory[0].x), drawn.theory[0].mean
    assert np.diff(x)[np.abs(np.diff(y)) > 0.02].max() < 0.002


def test_all_steps_of_what_decides_are_drawn_as_such_or_none():
    x = np.linspace(0.5, 4, 160).tolist()
    few, many = ([str(round(N * a)) for a in x] for N in (5, 400))
    middles = np.array(step_midpoints(x, few))
    edges = (np.arange(2, 20) + 0.5) / 5
    assert len(middles) == len(edges)
    assert np.abs(middles - edges).max() < x[1] - x[0]
    assert step_midpoints(x, many) == []
    assert step_midpoints([1, 2, 3], ["1", "2", "3"]) == []


def test_theory_that_is_the_same_for_all_lines_is_drawn_once():
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(measures=["kappa"], theory=["kappa"]))
    assert len(drawn.theory) == 1
    assert (
        draw_declared_figure(DECLARATION, POINTS, figure(measures=["kappa"], theory=["silent"])).theory == []
    )


def test_colours_marks_and_filling_differ():
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(measures=["converged", "separable"], theory=[]))
    marks = [bars.lines[0] for bars in drawn.figure.axes[0].containers]
    looks = {(m.get_color(), m.get_marker(), m.get_fillstyle()) for m in marks}
    assert looks == {(COLOURS[k], MARKS[k], fill) for k in range(3) for fill in ("full", "none")}
    assert len(set(COLOURS)) == 8
    one = Declaration(grid={"N": [10], "alpha": ALPHAS}, repeats=9)
    drawn = draw_declared_figure(
        one, made_up(one), figure(measures=["converged", "separable"], theory=[], lines=[])
    )
    marks = [bars.lines[0] for bars in drawn.figure.axes[0].containers]
    assert [m.get_marker() for m in marks] == MARKS[:2]
    assert [t.get_text() for t in drawn.figure.axes[0].get_legend().get_texts()] == ["converged", "separable"]


def test_whole_numbers_stay_whole_for_theory():
    asked = []
    theory = Theory("whole", "kappa", lambda p: asked.append(p["N"]) or 1 / p["N"])
    declaration = Declaration(theories={"whole": theory}, repeats=5)
    drawn = draw_declared_figure(
        declaration, made_up(declaration), figure(x="N", lines=[], measures=["kappa"], theory=["whole"])
    )
    assert all(isinstance(N, int) for N in asked)
    assert drawn.theory[0].x == list(range(10, 41))


def test_names_on_the_x_axis():
    points = [Point({"student": s}, {"kappa": np.arange(5.0) + k}) for k, s in enumerate(["hebb", "adaline"])]
    declaration = Declaration(grid={"student": ["hebb", "adaline"]})
    drawn = draw_declared_figure(
        declaration, points, figure(x="student", lines=[], measures=["kappa"], theory=["kappa"])
    )
    assert [t.get_text() for t in drawn.figure.axes[0].get_xticklabels()] == ["Hebb", "Adaline"]
    assert drawn.means[0].mean.tolist() == [2.0, 3.0]
    assert drawn.theory == []


def test_one_run_is_a_mark_without_a_bar():
    declaration = Declaration(repeats=1)
    drawn = draw_declared_figure(declaration, made_up(declaration), figure(measures=["kappa"], theory=[]))
    assert np.isnan(drawn.means[0].low).all()
    rendered_bytes(drawn, "png")
