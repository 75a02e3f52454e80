"""Formatting of numbers, counts and names for messages."""

from markone.numerics.text import count, did_you_mean, listed, nearest_name, nearest_names, no_such, number

NAMES = ["max_stability", "max_stability.alpha_c", "hebb", "Bayes"]


def test_numbers_and_counts():
    assert [number(value) for value in (1.23456, 3, True, "x", 1e-9)] == ["1.235", "3", "True", "x", "1e-09"]
    assert [count(n, "run") for n in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]


def test_the_nearest_name_whatever_its_case():
    assert nearest_name("bayes", NAMES) == "Bayes"
    assert nearest_name("zzz", NAMES) is None
    assert nearest_names("maxstability", NAMES) == ["max_stability", "max_stability.alpha_c"]
    assert nearest_names("maxstability", NAMES, most=1) == ["max_stability"]


def test_sentences():
    assert did_you_mean("heb", NAMES) == " Did you mean 'hebb'?"
    assert did_you_mean("zzz", NAMES) == ""
    assert no_such("curve", "heb", NAMES) == "There is no curve 'heb'. Did you mean 'hebb'?"
    assert no_such("curve", "zzz", ["b", "a"]) == "There is no curve 'zzz'. There are: a, b."
    assert no_such("curve", "x", []) == "There is no curve 'x'. There are: none."


def test_long_lists_are_cut():
    assert listed(["a", "b"]) == "'a', 'b'"
    assert listed(range(10), most=2) == "'0', '1' and 8 more"
