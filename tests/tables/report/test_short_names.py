"""Shortened names stay distinct."""

from hypothesis import given
from hypothesis import strategies as st

from markone.tables.report.formats import shorten_name, shorten_names


def test_a_family_that_differs_in_the_middle_shows_the_middle():
    names = [f"a rather long name of a class, number {k} (Verkehrsbetriebe)" for k in range(12)]
    made = shorten_names(names, 16)
    assert len(set(made)) == 12
    assert all(len(name) <= 16 for name in made)
    assert "umber 7" in made[7]


def test_what_cannot_be_told_apart_is_numbered():
    core = "".join(map(chr, range(97, 123))) * 2
    names = [core[:20] + "x" + core + "y" + core, core[:20] + "y" + core + "y" + core, core]
    assert len(set(shorten_names(names, 12))) == 3


@given(st.lists(st.text(max_size=60), min_size=1, max_size=20, unique=True), st.integers(9, 44))
def test_different_names_stay_different_and_short(names, most):
    made = shorten_names(names, most)
    assert len(set(made)) == len(names)
    assert all(len(name) <= max(most, 9) for name in made)


def test_short_names_stay_as_they_are():
    assert shorten_name("iris", 20) == "iris"
    assert shorten_names(["iris", "wine"], 20) == ["iris", "wine"]
