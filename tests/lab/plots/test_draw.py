"""Kinds of figures, their sizes and their files."""

import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from generated_points import Declaration, figure, made_up

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import rendered_bytes, save_formats
from markone.show.drawing import COLOURS, DOUBLE, SINGLE, STYLE

DECLARATION = Declaration(repeats=60)
POINTS = made_up(DECLARATION, b=-0.5)


@pytest.mark.parametrize("kind", ["lines", "map", "surface"])
def test_widths_and_formats(tmp_path, kind):
    wanted = figure(kind=kind, logy=True, logx=True, measures=["kappa"], theory=[])
    for width in (SINGLE, DOUBLE):
        assert draw_declared_figure(DECLARATION, POINTS, wanted, width).figure.get_figwidth() == width
    drawn = draw_declared_figure(DECLARATION, POINTS, wanted)
    assert drawn.figure.get_figwidth() == SINGLE
    paths = save_formats(drawn, tmp_path)
    assert [path.name for path in paths] == ["capacity.svg", "capacity.png", "capacity.pdf"]
    starts = [path.read_bytes()[:5] for path in paths]
    assert starts == [b"<?xml", b"\x89PNG\r", b"%PDF-"]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
@pytest.mark.parametrize("kind", ["lines", "map"])
def test_equal_points_give_equal_files(suffix, kind):
    first, second = (
        rendered_bytes(draw_declared_figure(DECLARATION, POINTS, figure(kind=kind)), suffix) for _ in range(2)
    )
    assert first == second
    assert not re.search(rb"20\d\d-\d\d-\d\dT", first)


@pytest.mark.parametrize("kind", ["lines", "map", "surface"])
def test_without_points_an_empty_frame(kind):
    drawn = draw_declared_figure(DECLARATION, [], figure(kind=kind))
    assert drawn.means == []
    rendered_bytes(drawn, "svg")


def test_drawing_leaves_matplotlib_as_it_was():
    before = dict(matplotlib.rcParams)
    rendered_bytes(draw_declared_figure(DECLARATION, POINTS, figure()), "svg")
    assert dict(matplotlib.rcParams) == before
    code = "import sys, markone.lab.plots.lines, markone.lab.plots.maps; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "matplotlib.figure" in loaded.split()
    assert "matplotlib.pyplot" not in loaded.split()


def test_the_style_holds_the_colours():
    assert [colour in STYLE.read_text() for colour in (c[1:] for c in COLOURS)] == [True] * 8
    assert Path(STYLE).suffix == ".mplstyle"
