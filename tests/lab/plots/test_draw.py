"""Kinds of figures, their sizes and their files."""

import csv
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


def media_width(path):
    """Width of the page of a PDF in mm."""
    found = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+) ", path.read_bytes())
    return float(found[1]) * 25.4 / 72


@pytest.mark.parametrize(
    ("given", "mm"), [("86mm", 86), ("17.2 cm", 172), ("3in", 76.2), ("246pt", 86.46), (3, 76.2)]
)
def test_a_width_is_that_of_the_page(given, mm, tmp_path):
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(), width=given)
    assert media_width(drawn.save(tmp_path / "a.pdf")) == pytest.approx(mm, abs=0.01)


def test_a_double_column_and_a_width_that_is_none(tmp_path):
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(), size="double")
    assert media_width(drawn.save(tmp_path / "a.pdf")) == pytest.approx(7 * 25.4, abs=0.01)
    for wrong in ("86", "mm", "3..4in", "0mm", "-3in", "1e9in"):
        with pytest.raises(ValueError, match="write 86mm"):
            draw_declared_figure(DECLARATION, POINTS, figure(), width=wrong)


def test_a_style_file_sets_fonts_and_lines(tmp_path):
    style = tmp_path / "fonts.mplstyle"
    style.write_text("font.family: serif\naxes.labelsize: 6.5\nlines.linewidth: 0.4\n")
    drawn = draw_declared_figure(DECLARATION, POINTS, figure(), style=style)
    label = drawn.figure.axes[0].xaxis.label
    assert (label.get_size(), label.get_family()) == (6.5, ["serif"])
    drawn.save(tmp_path / "a.pdf")
    assert b"DejaVuSerif" in (tmp_path / "a.pdf").read_bytes()
    with pytest.raises(ValueError, match="no style file"):
        draw_declared_figure(DECLARATION, POINTS, figure(), style=tmp_path / "none.mplstyle")


def test_files_say_what_they_show(tmp_path):
    drawn = draw_declared_figure(DECLARATION, POINTS, figure())
    for suffix in ("pdf", "svg", "png"):
        text = drawn.save(tmp_path / f"a.{suffix}").read_bytes()
        assert DECLARATION.title.encode() in text
        assert f"{DECLARATION.name}, seed {DECLARATION.seed}, markone".encode() in text


def test_the_numbers_of_a_figure_are_written_beside_it(tmp_path):
    drawn = draw_declared_figure(DECLARATION, POINTS, figure())
    drawn.save(tmp_path / "a.pdf")
    with (tmp_path / "a-numbers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for kind, shown in (("mean", drawn.means), ("theory", drawn.theory), ("pull", drawn.pulls)):
        found = [row for row in rows if row["kind"] == kind]
        assert [float(row["value"]) for row in found if row["value"] != "nan"] == [
            y for series in shown for y in series.mean if y == y
        ]
        assert [float(row["x"]) for row in found] == [x for series in shown for x in series.x]
        assert {row["line"] for row in found} == {series.label for series in shown}
    low = [float(row["low"]) for row in rows if row["kind"] == "mean"]
    assert low == [y for series in drawn.means for y in series.low]
