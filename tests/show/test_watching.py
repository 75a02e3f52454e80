"""Every student that can be watched by name makes a film."""

import numpy as np
import pytest

from markone.base import registry
from markone.show import animate
from markone.show.watching import STUDENTS, learn, pictures


@pytest.mark.parametrize("name", STUDENTS)
def test_a_film_of_each(name):
    model, title = learn(name, "easy", 12)
    film = animate(model, title=title).film
    assert film["title"] == title
    assert len(film["frames"]) > 1
    assert film["series"]


def test_all_that_record_can_be_watched():
    recording = {name for name, cls in registry.estimators().items() if "record" in cls._get_param_names()}
    assert recording | {"Hopfield"} == {kind for kind, _ in STUDENTS.values()}


def test_three_pictures_that_are_not_alike():
    overlaps = pictures() @ pictures().T / pictures().shape[1]
    assert np.abs(overlaps[np.triu_indices(3, 1)]).max() < 0.5


def test_unknown_names_get_help():
    with pytest.raises(ValueError, match="lvq1"):
        learn("lvq11", "easy")
