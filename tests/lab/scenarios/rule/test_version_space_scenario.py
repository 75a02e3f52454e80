"""The scenario `version_space`: shared data sets, arbitrary block boundaries, theory with a 1/N term."""

import math

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import examples, far, in_pieces, same

from markone.lab.scenarios.rule import teacher_student
from markone.lab.scenarios.rule.version_space import SCENARIO, Parameters
from markone.perceptron.version_space import VersionSpace

STUDENTS = ["gibbs", "bayes", "adatron", "rosenblatt", "hebb"]


@pytest.mark.parametrize("student", STUDENTS)
def test_blocks_may_be_cut_anywhere(student):
    point = {"N": 12, "alpha": 2.0, "noise": 0.1, "student": student, "students": 10, "levels": 3, "turns": 4}
    whole = SCENARIO.run(point, 7, 0, 6)
    same(whole, in_pieces(SCENARIO, point, 7, [0, 2, 3, 6]))
    assert set(whole) == set(SCENARIO.measures)
    assert len(set(whole["R"])) == 6
    assert SCENARIO.cost(point) > 0


def test_the_chosen_students_are_those_of_teacher_student():
    point = {"N": 20, "alpha": 1.5, "student": "adatron"}
    values, others = SCENARIO.run(point, 1, 0, 3), teacher_student.SCENARIO.run(point, 1, 0, 3)
    np.testing.assert_allclose(values["R"], others["R"], atol=1e-4)


def test_it_samples_the_version_space_of_the_named_data():
    point = {"N": 10, "alpha": 4.0, "student": "gibbs", "students": 4000, "levels": 12, "turns": 1000}
    values = SCENARIO.run(point, 3, 5, 6)
    xi, S = examples(3, 10, 40, 5)
    space = VersionSpace(xi, S)
    sample, log = space.sample(4000, seed=0), space.log_volume(1000, seed=0)
    assert values["q"][0] == pytest.approx(sample.overlap, abs=0.01)
    assert values["R"][0] == pytest.approx(sample.centre.sum() / math.sqrt(10), abs=0.01)
    assert values["log_volume"][0] == pytest.approx(log.log / 10, abs=3.5 * 1.5 * log.error / 10)
    centre = SCENARIO.run(point | {"student": "bayes"}, 3, 5, 6)
    R = sample.centre.sum() / math.sqrt(10 * sample.overlap)
    assert centre["R"][0] == pytest.approx(R, abs=0.005)


@pytest.mark.parametrize(("alpha", "noise"), [(1.0, 0.0), (3.0, 0.0), (2.0, 0.1)])
def test_the_means_meet_the_theory(alpha, noise):
    # b/N with |b| < 0.4 for errors and overlaps, 1.5 for ln V: measured at N = 25 .. 100.
    for student in ("gibbs", "bayes"):
        point = {"N": 40, "alpha": alpha, "noise": noise, "student": student, "students": 60, "levels": 8}
        values = SCENARIO.run(point, 2, 0, 60)
        for name in ("R", "epsilon_g", "q", "log_volume"):
            expected = SCENARIO.theories[name].function(point)
            if np.isfinite(expected):
                assert far(values[name], expected, (1.5 if name == "log_volume" else 0.4) / 40) < 4, name


def test_theories_exist_for_some_students():
    point = {"N": 10, "alpha": 2.0, "student": "rosenblatt"}
    assert np.isnan(SCENARIO.theories["epsilon_g"].function(point | {"noise": 0.0}))
    assert SCENARIO.theories["epsilon_g"].function(
        point | {"student": "bayes", "noise": 0.0}
    ) == pytest.approx(0.174534, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"student": "newton"}, "'gibbs', 'bayes'"),
        ({"noise": 0.5}, "less than 0.5"),
        ({"N": 9000}, "all pairs of its P = alpha N = 9000 examples"),
        ({"students": 2}, "greater than or equal to 4"),
    ],
)
def test_nonsense_is_refused(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        Parameters.model_validate({"N": 10, "alpha": 1.0, "student": "gibbs"} | change)
