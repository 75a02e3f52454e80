"""Pictures that a scenario draws: in a figure, and in both reports."""

import pytest
from generated_points import Declaration, figure, made_up

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import rendered_bytes
from markone.lab.report.content import collect_content
from markone.lab.report.pages import report_html, report_markdown
from markone.lab.scenario import Picture
from markone.show.drawing import DOUBLE

SEEN = []


def dots(drawing, points, seed):
    SEEN.append(([point.parameters for point in points], seed))
    drawing.add_subplot().plot([point.values["kappa"].mean() for point in points], "o")


PICTURES = {"dots": Picture("Dots of the runs", dots, (5.0, 2.0))}
DECLARATION = Declaration(repeats=20, pictures=PICTURES)
POINTS = made_up(DECLARATION)


def picture(**more):
    empty = {"x": "", "lines": (), "measures": (), "theory": ()}
    return figure("dots", **empty, **{"kind": "picture", "picture": "dots", "where": {}} | more)


def test_a_picture_gets_the_points_that_where_leaves_and_the_seed():
    drawn = draw_declared_figure(DECLARATION, POINTS, picture(where={"N": 20, "alpha_max": 1.0}))
    assert SEEN.pop() == ([{"N": 20, "alpha": 0.5}, {"N": 20, "alpha": 1.0}], 1)
    assert drawn.figure.get_size_inches().tolist() == [5.0, 2.0]
    wide = draw_declared_figure(DECLARATION, POINTS, picture(), width=DOUBLE)
    assert wide.figure.get_size_inches().tolist() == pytest.approx([7.0, 2.8])
    for suffix, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert rendered_bytes(drawn, suffix).startswith(start)


def test_a_picture_speaks_as_all_figures_do():
    def named(drawing, points, seed):
        axes = drawing.add_subplot(title="knn, alpha = 2")
        axes.plot([0, 1], label="pseudo_inverse")
        axes.legend()

    declaration = Declaration(repeats=20, pictures={"dots": Picture("Dots", named, (5.0, 2.0))})
    (axes,) = draw_declared_figure(declaration, made_up(declaration), picture()).figure.axes
    assert axes.get_title() == "k-NN, α = 2"
    assert axes.get_legend().get_texts()[0].get_text() == "pseudo-inverse"


def test_without_points_a_picture_says_so():
    SEEN.clear()
    drawn = draw_declared_figure(DECLARATION, POINTS, picture(where={"N": 11}))
    assert SEEN == []
    assert [text.get_text() for text in drawn.figure.texts] == ["nothing has been measured here"]


def test_a_picture_is_in_both_reports_with_its_title_and_without_a_table():
    declaration = Declaration(repeats=20, pictures=PICTURES, figures=[picture(where={"N": 20})])
    content = collect_content(declaration, POINTS, {})
    html, markdown = report_html(content), report_markdown(content)
    assert "Dots of the runs (N = 20)." in html
    assert "![dots](figures/dots.svg)\n\nDots of the runs (N = 20)." in markdown
    assert "The numbers of figure" not in html
