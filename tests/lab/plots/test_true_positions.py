"""No mark of a shipped figure is moved along its x axis: the apparent deviation from theory is zero."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from markone.lab import Experiment, Point, catalogue
from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import Drawn
from markone.lab.plots.lines import draw_lines
from markone.lab.schema import FigureSpec

SMALL = 400  # grid points of an experiment; the alphas of larger ones are thinned


def made_up_points(declaration):
    """Random values at all grid points."""
    rng = np.random.default_rng(0)
    every = declaration.points()
    every = every[:: max(1, len(every) // SMALL)]
    measures = declaration.scenario_object.measures
    return [
        Point(parameters, {name: rng.normal(0.5, 0.1, 4) for name in measures}, 4, 0.0, [], np.arange(4))
        for parameters in every
    ]


@pytest.mark.parametrize("name", catalogue.experiment_names())
def test_marks_are_at_their_x(name):
    declaration = Experiment.load(name).declaration
    if declaration.source_data == "semeion" or len(declaration) > 20_000:
        pytest.skip("needs semeion, or has more than 20 000 points, which take long to draw")
    points = made_up_points(declaration)
    for spec in declaration.figures:
        if spec.kind != "lines":
            continue
        bare = FigureSpec.model_validate(spec.model_dump() | {"theory": [], "marks": []})
        drawn = Drawn(spec.name, Figure())
        draw_lines(drawn, declaration, points, bare, None)
        axes = drawn.figure.axes[0]
        for series, bars in zip(drawn.means, axes.containers, strict=True):
            marks = bars.lines[0]
            pixels = marks.get_transform().transform(marks.get_xydata())
            shown = axes.transData.inverted().transform(pixels)[:, 0]
            if isinstance(series.x[0], str):
                np.testing.assert_allclose(shown, np.rint(shown), atol=1e-9)
                continue
            assert largest_shift(series, shown) == 0
            np.testing.assert_allclose(shown, series.x, rtol=1e-9, atol=1e-12)


def largest_shift(series, shown):
    """Largest horizontal distance of a mark from its x, relative to the range of x."""
    x = np.array(series.x, dtype=float)
    return float(np.max(np.abs(shown - x), initial=0.0).round(9) / max(np.ptp(x), 1e-9))


def test_pulls_are_deviations_in_standard_errors():
    students = ["hebb", "rosenblatt", "minover", "ridge", "adatron"]
    experiment = Experiment.load("learning_a_rule").with_(alpha=[0.5, 1.0, 2.0], student=students)
    declaration = experiment.declaration
    points = made_up_points(declaration)
    drawn = draw_declared_figure(declaration, points, declaration.figures[0])
    theory = declaration.scenario_object.theories["epsilon_g"]
    assert len(drawn.figure.axes) == 2
    # Rosenblatt has no theory.
    assert sorted(pull.label for pull in drawn.pulls) == ["adatron", "hebb", "minover", "ridge"]
    for pull in drawn.pulls:
        for x, value in zip(pull.x, pull.mean, strict=True):
            point = next(
                p for p in points if p.parameters["student"] == pull.label and p.parameters["alpha"] == x
            )
            values = point.values["epsilon_g"]
            error = values.std(ddof=1) / np.sqrt(len(values))
            assert value == pytest.approx((values.mean() - theory.function(point.parameters)) / error)


def test_few_lines_have_no_panel_of_pulls():
    declaration = (
        Experiment.load("learning_a_rule").with_(student=["hebb", "adatron"], alpha=[0.5, 1.0]).declaration
    )
    drawn = draw_declared_figure(declaration, made_up_points(declaration), declaration.figures[0])
    assert drawn.pulls == []
    assert len(drawn.figure.axes) == 1
