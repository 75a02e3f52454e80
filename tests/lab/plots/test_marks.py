"""Thresholds on the x axis."""

import math

from generated_points import SIZES, Declaration, figure, made_up

from markone.lab.plots.draw import draw_declared_figure
from markone.lab.scenario import Mark
from markone.lab.scenarios.plane import lms
from markone.lab.scenarios.rule import stability, teacher_student
from markone.lab.scenarios.storage import storage
from markone.perceptron.theory.max_stability import alpha_c
from markone.show.drawing import COLOURS, GREY


def places(function, **more):
    declaration = Declaration(repeats=5, marks={"m": Mark("a threshold", function)})
    drawn = draw_declared_figure(declaration, made_up(declaration), figure(theory=[], marks=["m"], **more))
    lines = drawn.figure.axes[0].lines
    upright = [line for line in lines if len(line.get_xdata()) == 2 and len(set(line.get_xdata())) == 1]
    return drawn, [(line.get_xdata()[0], line.get_color()) for line in upright]


def test_a_mark_stands_at_each_line_in_its_colour():
    drawn, found = places(lambda parameters: 20 / parameters["N"])
    assert found == [(2.0, COLOURS[0]), (1.0, COLOURS[1]), (0.5, COLOURS[2])]
    assert [(place.label, place.x) for place in drawn.marks] == [(f"N = {N}", 20 / N) for N in SIZES]
    texts = [text.get_text() for legend in [drawn.figure.axes[0].get_legend(), *drawn.figure.legends]
             if legend for text in legend.get_texts()]  # fmt: skip
    assert "a threshold" in texts


def test_a_mark_that_is_the_same_for_all_is_drawn_once_and_one_that_is_nowhere_not_at_all():
    assert places(lambda parameters: 2.0)[1] == [(2.0, GREY)]
    for nowhere in (math.nan, math.inf, 3.5, 0.1):
        drawn, found = places(lambda parameters, x=nowhere: x)
        assert (found, drawn.marks) == ([], [])


def test_the_thresholds():
    assert teacher_student.SCENARIO.marks["separability"].function({"noise": 0.2}) == alpha_c(0.2)
    assert teacher_student.SCENARIO.marks["separability"].function({"noise": 0.0}) == math.inf
    assert math.isnan(teacher_student.SCENARIO.marks["separability"].function({"noise": 0.5}))
    own = stability.SCENARIO.marks["separability"].function
    assert own({"labels": "random"}) == own({"labels": "teacher", "noise": 0.5}) == 2.0
    assert own({"labels": "teacher", "noise": 0.1}) == alpha_c(0.1)
    assert storage.SCENARIO.marks["capacity"].function({"N": 5}) == 2.0


def parameters(**more):
    return lms.Parameters(**{"data": "dense", "eta": 3.0, "eta_unit": "sum", "iterations": 30} | more)
