"""Every numbered figure exists and is drawn with public functions only."""

import ast
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import markone.figures
from markone import Rosenblatt
from markone.figures import draw, find_figure, list_figures
from markone.figures.notes.perceptron import XI, S
from markone.figures.notes.regression import errors_of_polynomials
from markone.figures.notes.version_space import XI as XI_DUAL
from markone.figures.notes.version_space import XI_4
from markone.figures.reports import runs
from markone.figures.reports.digits import separable_points
from markone.lab import Experiment, Point, Result
from markone.lab.plots import lines

NUMBERED = ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1"]
NUMBERED += [f"3.{k}" for k in range(1, 10)] + [f"4.{k}" for k in range(1, 5)]
NUMBERED += ["5.1", "5.2"] + [f"6.{k}" for k in range(1, 5)]
REPORTS = [f"digits-{k}" for k in range(1, 8)] + [f"lms-{k}" for k in range(1, 6)]
REPORTS += [f"stability-{k}" for k in range(1, 4)] + [f"storage-{k}" for k in range(1, 7)]
# These run experiments, or train students for seconds.
SLOW = {"5.1", "5.2", "digits-6", "digits-7", "stability-1", "stability-2", "stability-3", "storage-5"}
SLOW |= {"digits-4", "digits-5", "storage-4", *(f"lms-{k}" for k in range(1, 6))}
OF_RUNS = [figure.number for figure in list_figures() if getattr(figure.draw, "func", None) is runs.draw_run]
FILES = sorted(Path(markone.figures.__file__).parent.rglob("*.py"))


def test_all_figures_of_the_notes_are_there_in_order():
    assert [figure.number for figure in list_figures()] == NUMBERED + REPORTS


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in NUMBERED + REPORTS]
)
def test_draws_itself(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    figure = draw(number, tmp_path / "figure.png")
    assert figure.axes or figure.subfigs
    assert (tmp_path / "figure.png").stat().st_size > 5000
    check_caption(figure, number)


@pytest.mark.parametrize("number", OF_RUNS)
def test_captions_hold_for_made_up_results(number, monkeypatch):
    """Without the runs, which take seconds: what the caption promises does not depend on the results."""
    monkeypatch.setattr(runs, "figure_result", made_up_result)
    monkeypatch.setattr(lines, "FINE", 8)
    check_caption(draw(number), number)


def made_up_result(name, changes):
    """(result, whether it was stored) with random values at the points of an experiment."""
    rng = np.random.default_rng(0)
    experiment = Experiment.load(name).with_(
        **{key: list(value) if isinstance(value, tuple) else value for key, value in changes}
    )
    declaration = experiment.declaration
    points = [
        Point(
            parameters, {measure: rng.uniform(0.2, 0.8, 4) for measure in measures}, 4, 0.0, [], np.arange(4)
        )
        for measures in [declaration.scenario_object.measures]
        for parameters in declaration.points()
    ]
    return Result(declaration, points, {}, Path()), True


def check_caption(figure, number):
    """Every element that the caption names is drawn and visible."""
    FigureCanvasAgg(figure).draw()
    for element in find_figure(number).shows:
        assert any(is_visible(artist) for artist in named_artists(figure, element)), element


def named_artists(figure, element):
    """Artists whose text, label or id contains the element."""
    for artist in figure.findobj():
        texts = [artist.get_text() if isinstance(artist, Text) else "", artist.get_label(), artist.get_gid()]
        if any(isinstance(text, str) and element in text for text in texts):
            yield artist


def is_visible(artist):
    """Whether something of it lies within the figure and is larger than some pixels."""
    whole = artist.get_figure(root=True)
    box = artist.get_window_extent()
    inside = Bbox.intersection(box, whole.bbox.padded(2))
    return artist.get_visible() and inside is not None and max(inside.width, inside.height) > 4


def test_captions_are_contracts_of_every_figure():
    for figure in list_figures():
        assert figure.shows or figure.number in ("digits-4",), figure.number


def test_the_plane_of_an_uninformative_example_is_off_the_rim():
    """Fig. 3.7: the dashed line is visible, and no student of version space disagrees on the example."""
    figure = draw("3.7")
    (line,) = named_artists(figure, "plane of xi^4")
    assert np.hypot(*line.get_xydata().T).min() < 0.85
    corners = [np.cross(XI_DUAL[i], XI_DUAL[j]) for i, j in ((0, 1), (1, 2), (2, 0))]
    assert all(corner @ XI_4 >= -1e-12 for corner in corners)


def test_test_error_is_above_training_error_at_every_complexity():
    training, test = errors_of_polynomials()
    assert (test > training).all()
    assert np.argmin(test) == 3


def test_arrows_of_figure_3_4_are_to_scale():
    """The first update is xi/N, half of the first input."""
    figure = draw("3.4")
    arrow = next(a for a in figure.axes[0].texts if getattr(a, "arrow_patch", None))
    np.testing.assert_allclose(np.subtract(arrow.xy, arrow.xyann), XI[0] / 2, atol=1e-12)


def test_cover_has_steps():
    """Fig. 6 of the storage report: between two integers P the fraction is constant."""
    ax = draw("storage-6").axes[0]
    y = ax.lines[0].get_ydata()
    assert len(np.unique(y)) < 25


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
