"""The style of drawings is independent of the user's settings, and labels are not parsed as mathematics."""

import matplotlib
import pytest

from markone.show.drawing import COLOURS, SINGLE, figure_bytes, markone_style, new_axes


def a_figure(label="x"):
    with new_axes((SINGLE, 2.0)) as axes:
        axes.plot([0, 1], [1, 0], label=label)
        axes.set_xticks([0, 1], [label, "b"])
        axes.legend()
    return axes.figure


def test_the_users_style_has_no_effect_and_is_restored():
    plain = figure_bytes(a_figure(), "svg")
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "path"}):
        assert figure_bytes(a_figure(), "svg") == plain
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_equal_figures_give_equal_files(suffix):
    assert figure_bytes(a_figure(), suffix) == figure_bytes(a_figure(), suffix)


@pytest.mark.parametrize("label", ["$x_{$", "$\\frac{1}$", "50 $ or 60 $", "<b>&"])
def test_a_name_from_a_table_is_no_formula(label):
    escaped = label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert escaped.encode() in figure_bytes(a_figure(label), "svg")


def test_the_cycle_of_colours_is_that_of_the_style():
    with markone_style():
        cycle = matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]
    assert [f"#{colour.lstrip('#')}" for colour in cycle] == COLOURS
