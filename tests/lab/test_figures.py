import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from stand_ins import ALPHAS, COVER, SIZES, Declaration, Point, figure, made_up

from markone.lab.figures import DOUBLE, SINGLE, STYLE, draw, rendered, save
from markone.lab.scenario import Theory
from markone.lab.seeing.drawing_maps import geometric
from markone.lab.seeing.looks import COLOURS, MARKS
from markone.lab.summary import estimate

DECLARATION = Declaration(repeats=60)
POINTS = made_up(DECLARATION, b=-0.5)


def stored(measure, N, alpha):
    point = next(p for p in POINTS if p.parameters == {"N": N, "alpha": alpha})
    return estimate(point.values[measure], measure != "kappa")


def test_what_is_drawn_is_the_summary_of_the_points():
    drawn = draw(DECLARATION, POINTS, figure(measures=["converged", "separable"]))
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
    drawn = draw(DECLARATION, POINTS, figure())
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
    drawn = draw(DECLARATION, POINTS, figure())
    x, y = np.array(drawn.theory[0].x), drawn.theory[0].mean
    assert np.diff(x)[np.abs(np.diff(y)) > 0.02].max() < 0.002


def test_theory_that_is_the_same_for_all_lines_is_drawn_once():
    drawn = draw(DECLARATION, POINTS, figure(measures=["kappa"], theory=["kappa"]))
    assert len(drawn.theory) == 1
    assert draw(DECLARATION, POINTS, figure(measures=["kappa"], theory=["silent"])).theory == []


def test_colours_marks_and_filling_differ():
    drawn = draw(DECLARATION, POINTS, figure(measures=["converged", "separable"], theory=[]))
    marks = [bars.lines[0] for bars in drawn.figure.axes[0].containers]
    looks = {(m.get_color(), m.get_marker(), m.get_fillstyle()) for m in marks}
    assert looks == {(COLOURS[k], MARKS[k], fill) for k in range(3) for fill in ("full", "none")}
    assert len(set(COLOURS)) == 8
    one = Declaration(grid={"N": [10], "alpha": ALPHAS}, repeats=9)
    drawn = draw(one, made_up(one), figure(measures=["converged", "separable"], theory=[], lines=[]))
    marks = [bars.lines[0] for bars in drawn.figure.axes[0].containers]
    assert [m.get_marker() for m in marks] == MARKS[:2]
    assert [t.get_text() for t in drawn.figure.axes[0].get_legend().get_texts()] == ["converged", "separable"]


def test_whole_numbers_stay_whole_for_theory():
    asked = []
    theory = Theory("whole", "kappa", lambda p: asked.append(p["N"]) or 1 / p["N"])
    declaration = Declaration(theories={"whole": theory}, repeats=5)
    drawn = draw(
        declaration, made_up(declaration), figure(x="N", lines=[], measures=["kappa"], theory=["whole"])
    )
    assert all(isinstance(N, int) for N in asked)
    assert drawn.theory[0].x == list(range(10, 41))


def test_names_on_the_x_axis():
    points = [Point({"student": s}, {"kappa": np.arange(5.0) + k}) for k, s in enumerate(["hebb", "adaline"])]
    declaration = Declaration(grid={"student": ["hebb", "adaline"]})
    drawn = draw(declaration, points, figure(x="student", lines=[], measures=["kappa"], theory=["kappa"]))
    assert [t.get_text() for t in drawn.figure.axes[0].get_xticklabels()] == ["hebb", "adaline"]
    assert drawn.means[0].mean.tolist() == [2.0, 3.0]
    assert drawn.theory == []


@pytest.mark.parametrize("kind", ["lines", "map", "surface"])
def test_widths_and_formats(tmp_path, kind):
    wanted = figure(kind=kind, logy=True, logx=True, measures=["kappa"], theory=[])
    for width in (SINGLE, DOUBLE):
        assert draw(DECLARATION, POINTS, wanted, width).figure.get_figwidth() == width
    drawn = draw(DECLARATION, POINTS, wanted)
    assert drawn.figure.get_figwidth() == SINGLE
    paths = save(drawn, tmp_path)
    assert [path.name for path in paths] == ["capacity.svg", "capacity.png", "capacity.pdf"]
    starts = [path.read_bytes()[:5] for path in paths]
    assert starts == [b"<?xml", b"\x89PNG\r", b"%PDF-"]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
@pytest.mark.parametrize("kind", ["lines", "map"])
def test_equal_points_give_equal_files(suffix, kind):
    first, second = (rendered(draw(DECLARATION, POINTS, figure(kind=kind)), suffix) for _ in range(2))
    assert first == second
    assert not re.search(rb"20\d\d-\d\d-\d\dT", first)


@pytest.mark.parametrize("kind", ["map", "surface"])
def test_maps_hold_the_means_and_holes_where_nothing_was_measured(kind):
    drawn = draw(DECLARATION, POINTS[1:], figure(kind=kind, measures=["kappa", "separable"], theory=[]))
    assert [s.measure for s in drawn.means] == ["kappa", "separable"]
    for series in drawn.means:
        for x, N, z in zip(series.x, series.y, series.mean, strict=True):
            missing = (N, x) == (SIZES[0], ALPHAS[0])
            assert np.isnan(z) if missing else z == stored(series.measure, N, x).mean


def test_the_colours_of_a_map_are_its_means():
    drawn = draw(DECLARATION, POINTS, figure(kind="map", measures=["kappa"], theory=[]))
    mesh = drawn.figure.axes[0].collections[0]
    assert np.array_equal(np.ravel(mesh.get_array()), drawn.means[0].mean)


def test_divergence_does_not_flatten_the_rest():
    points = [Point(p.parameters, {"kappa": p.values["kappa"].copy()}) for p in POINTS]
    points[5].values["kappa"][:] = np.linspace(1e200, 2e200, 60)
    for kind in ("map", "surface"):
        drawn = draw(DECLARATION, points, figure(kind=kind, measures=["kappa"], theory=[], logy=True))
        assert "some runs diverge" in drawn.remark
        assert drawn.means[0].mean.max() == pytest.approx(1.5e200)
        rendered(drawn, "svg")
    assert drawn.figure.axes[0].get_zlim()[1] < 4
    assert draw(DECLARATION, POINTS, figure(kind="map", measures=["kappa"], theory=[])).remark == ""


def test_the_second_axis_of_a_surface_is_logarithmic_for_1_3_10_30():
    declaration = Declaration(grid={"N": [1, 3, 10, 30, 100], "alpha": ALPHAS}, repeats=3)
    drawn = draw(declaration, made_up(declaration), figure(kind="surface", measures=["kappa"], theory=[]))
    assert drawn.figure.axes[0].get_ylim()[1] < 3
    assert not geometric([10, 20, 40])
    assert not geometric(["a", "b", "c"])


def test_a_map_needs_a_second_axis_and_a_figure_a_known_kind():
    with pytest.raises(ValueError, match="'capacity' is of kind 'map' and needs a second axis"):
        draw(DECLARATION, POINTS, figure(kind="map", lines=[]))
    with pytest.raises(ValueError, match=r"cannot be of kind 'pie'.* lines, map, surface"):
        draw(DECLARATION, POINTS, figure(kind="pie"))


@pytest.mark.parametrize("kind", ["lines", "map", "surface"])
def test_without_points_an_empty_frame(kind):
    drawn = draw(DECLARATION, [], figure(kind=kind))
    assert drawn.means == []
    rendered(drawn, "svg")


def test_one_run_is_a_mark_without_a_bar():
    declaration = Declaration(repeats=1)
    drawn = draw(declaration, made_up(declaration), figure(measures=["kappa"], theory=[]))
    assert np.isnan(drawn.means[0].low).all()
    rendered(drawn, "png")


def test_drawing_leaves_matplotlib_as_it_was():
    before = dict(matplotlib.rcParams)
    rendered(draw(DECLARATION, POINTS, figure()), "svg")
    assert dict(matplotlib.rcParams) == before
    code = (
        "import sys, markone.lab.seeing.drawing_lines, markone.lab.seeing.drawing_maps; print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "matplotlib.figure" in loaded.split()
    assert "matplotlib.pyplot" not in loaded.split()


def test_the_style_holds_the_colours():
    assert [colour in STYLE.read_text() for colour in (c[1:] for c in COLOURS)] == [True] * 8
    assert Path(STYLE).suffix == ".mplstyle"
