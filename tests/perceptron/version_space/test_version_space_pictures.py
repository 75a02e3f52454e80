"""Pictures of version space: what is drawn where."""

import matplotlib.colors
import numpy as np
import pytest
from matplotlib.figure import Figure

from markone.perceptron.version_space import (
    draw_circle,
    draw_geometry,
    draw_sphere,
    draw_student_and_teacher,
)
from markone.perceptron.version_space.pictures import CUT, LIGHT


def axes():
    return Figure().add_subplot()


def area(ax, colour):
    """The fraction of the ball that has a colour, whatever its shade."""
    image = ax.images[0].get_array()
    ball = image[..., 3] > 0
    hue = image[..., :3] / image[..., :3].max(axis=-1, keepdims=True)
    wanted = np.array(matplotlib.colors.to_rgb(colour))
    return np.mean(np.abs(hue[ball] - wanted / wanted.max()).max(axis=-1) < 0.01)


def test_the_sphere_shows_version_space_and_its_cut():
    octant = np.eye(3), np.ones(3)
    front = np.ones(3)
    whole = area(draw_sphere(*octant, view=front, ax=axes()), LIGHT)
    cut = draw_sphere(*octant, new=[1.0, -1.0, 0.0], view=front, ax=axes())
    assert 0.2 < whole < 0.5
    assert area(cut, CUT) == pytest.approx(whole / 2, abs=0.01)
    assert area(cut, LIGHT) == pytest.approx(whole / 2, abs=0.01)
    # Three great circles, the new one, the edge.
    assert len(cut.lines) == 5
    dots = draw_sphere(*octant, students=np.eye(3), view=front, ax=axes())
    assert len(dots.lines[3].get_xdata()) == 3


def test_the_circle_shows_the_arc_that_is_left():
    ax = draw_circle(np.eye(2), np.ones(2), students=np.eye(2), ax=axes())
    x, y = ax.lines[1].get_data()
    drawn = np.isfinite(x)
    assert drawn.mean() == pytest.approx(0.25, abs=0.01)
    assert np.all(x[drawn] > 0)
    assert np.all(y[drawn] > 0)


def test_the_disagreement_is_the_angle():
    ax = draw_student_and_teacher([1.0, 0.0, 0.0], [1.0, 1.0, 0.0], ax=axes())
    assert ax.get_title() == "disagreement 0.250"


def test_all_on_one_page():
    figure = Figure(figsize=(9, 6))
    draw_geometry(figure, seed=2)
    assert [ax.get_title() for ax in figure.axes][-1] == "one more: informative"


def test_the_wrong_dimension_is_refused():
    with pytest.raises(ValueError, match=r"each example of 3 inputs, but xi has shape \(2, 2\)"):
        draw_sphere(np.eye(2), np.ones(2), ax=axes())
