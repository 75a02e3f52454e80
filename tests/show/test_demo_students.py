"""Every demo student can be animated."""

import numpy as np
import pytest

from markone.base import registry
from markone.show import animate
from markone.show.demo_students import STUDENTS, memory_patterns, train_demo


@pytest.mark.parametrize("name", STUDENTS)
def test_each_can_be_animated(name):
    model, title = train_demo(name, "easy", 12)
    film = animate(model, title=title).film
    assert film["title"] == title
    assert len(film["frames"]) > 1
    assert film["series"]


def test_all_recording_students_have_a_demo():
    recording = {
        name for name, cls in registry.public_estimators().items() if "record" in cls._get_param_names()
    }
    assert recording | {"Hopfield"} == {kind for kind, _ in STUDENTS.values()}


def test_memory_patterns_differ():
    overlaps = memory_patterns() @ memory_patterns().T / memory_patterns().shape[1]
    assert np.abs(overlaps[np.triu_indices(3, 1)]).max() < 0.5


def test_unknown_names_get_help():
    with pytest.raises(ValueError, match="lvq1"):
        train_demo("lvq11", "easy")


@pytest.mark.parametrize("name", ["committee", "parity", "kernel_adatron", "tiling"])
def test_a_strip_shows_the_regions_of_the_answers(name):
    model, _ = train_demo(name, "easy", 12)
    film = animate(model)
    for ax in film.strip().axes:
        (regions,) = ax.images
        assert set(np.unique(regions.get_array())) <= {-1, 1}
    # At the end the examples lie in regions of their own label.
    left, right, bottom, top = film.film["extent"]
    shape = regions.get_array().shape
    for x, y, c in film.film["points"]:
        column, row = int((x - left) / (right - left) * shape[1]), int((top - y) / (top - bottom) * shape[0])
        assert regions.get_array()[row, column] == (1 if c == 0 else -1)
