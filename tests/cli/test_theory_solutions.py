"""`markone theory --loss ...`: printed, drawn in the terminal and into a file, refused with a sentence."""

import json

import numpy as np
import pytest

from markone import theory
from markone.cli.theory.solutions import show_theory, text_plot


def test_a_solution_is_printed_and_drawn(capsys, tmp_path):
    options = ["max(0,1-E)", "--teacher", "probit", "--alpha", "0:2:0.5", "--noise=0.1", "--l2", "0.3"]
    show_theory("--loss", options, tmp_path / "curve.svg", False)
    printed = capsys.readouterr().out
    c = theory.solve(2.0, "hinge", 0.3, "probit", 0.1)
    assert f"alpha = 2        {float(c.epsilon_g):.6g}" in printed
    assert printed.count("|") >= 16
    assert "<svg" in (tmp_path / "curve.svg").read_text()


def test_numbers_for_a_program(capsys):
    show_theory(None, ["--f", "expit(-E)", "--alpha", "1,3", "--noise", "0.1", "--show", "R"], None, True)
    record = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(record["values"], [0.549970463, 0.765089908], atol=1e-8)


def test_reasons_are_printed(capsys):
    show_theory(None, ["--loss", "logistic", "--l2", "0", "--noise", "0.1", "--alpha", "2,4"], None, False)
    assert "nan: separable" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--loss", "hinge"], "values of alpha"),
        (["--loss", "hinge", "--alpha", "1", "--lambda", "2"], "'--lambda'"),
        (["--loss", "hinge", "--alpha", "1", "--l2", "x"], "not a number"),
        (["--loss", "hinge", "--alpha", "1", "--show", "nothing"], "no value of a solution"),
        (["--loss", "E**3", "--alpha", "1"], "not convex"),
    ],
)
def test_bad_options_get_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        show_theory(None, options, None, False)


def test_a_drawing_of_text_has_its_ends():
    drawn = text_plot(np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.3, 0.1])).splitlines()
    assert drawn[0].startswith("0.5 |.")
    assert drawn[-1].split() == ["0", "2"]
    assert text_plot(np.array([1.0]), np.array([0.5])) == ""
