"""Formatting of numbers, counts and names for messages."""

from markone.numerics.text import (
    escape_controls,
    format_count,
    format_names,
    format_number,
    nearest_name,
    nearest_names,
    suggestion_text,
    unknown_name_text,
)

NAMES = ["max_stability", "max_stability.alpha_c", "hebb", "Bayes"]


def test_numbers_and_counts():
    assert [format_number(value) for value in (1.23456, 3, True, "x", 1e-9)] == [
        "1.235",
        "3",
        "True",
        "x",
        "1e-09",
    ]
    assert [format_count(n, "run") for n in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]


def test_the_nearest_name_whatever_its_case():
    assert nearest_name("bayes", NAMES) == "Bayes"
    assert nearest_name("zzz", NAMES) is None
    assert nearest_names("maxstability", NAMES) == ["max_stability", "max_stability.alpha_c"]
    assert nearest_names("maxstability", NAMES, most=1) == ["max_stability"]


def test_sentences():
    assert suggestion_text("heb", NAMES) == " Did you mean 'hebb'?"
    assert suggestion_text("zzz", NAMES) == ""
    assert unknown_name_text("curve", "heb", NAMES) == "There is no curve 'heb'. Did you mean 'hebb'?"
    assert unknown_name_text("curve", "zzz", ["b", "a"]) == "There is no curve 'zzz'. There are: a, b."
    assert unknown_name_text("curve", "x", []) == "There is no curve 'x'. There are: none."


def test_long_lists_are_cut():
    assert format_names(["a", "b"]) == "'a', 'b'"
    assert format_names(range(10), most=2) == "'0', '1' and 8 more"


def test_a_terminal_neither_obeys_a_text_nor_turns_it_around():
    assert escape_controls("a\x1b]0;x\x07\r\tb\n") == "a\\x1b]0;x\\x07\\x0d\tb\n"
    assert escape_controls("run\u202egnp.exe\u2066") == "run\\u202egnp.exe\\u2066"
    assert escape_controls("α ± 1 – שלום") == "α ± 1 – שלום"
