"""The scenario `estimator`: arbitrary block boundaries, definitions of inputs and teachers, theory."""

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import error_of_ones, in_pieces, same

from markone.lab.scenarios.estimators.estimator import SCENARIO, Parameters, draw_world
from markone.lab.scenarios.estimators.worlds import INPUTS, TEACHERS

POINT = {"N": 10, "alpha": 3.0, "student": "Hebb(fit_intercept=False)"}


def point(**changes):
    return Parameters(**POINT | changes)


@pytest.mark.parametrize("student", ["Hebb", "sklearn.linear_model.Perceptron", "sklearn.svm.SVC"])
def test_blocks_may_be_cut_anywhere(student):
    same(
        SCENARIO.run(point(student=student), 3, 0, 5),
        in_pieces(SCENARIO, point(student=student), 3, [0, 2, 3, 5]),
    )


@pytest.mark.parametrize("teacher", TEACHERS)
@pytest.mark.parametrize("inputs", INPUTS)
def test_all_teachers_and_inputs_run(teacher, inputs):
    values = SCENARIO.run(point(teacher=teacher, inputs=inputs, noise=0.1, input_noise=0.2), 1, 0, 2)
    assert set(values) == set(SCENARIO.measures)
    assert np.all((values["epsilon_g"] >= 0) & (values["epsilon_g"] <= 1))


@pytest.mark.parametrize("inputs", INPUTS)
def test_inputs_have_variance_one(inputs):
    rng = np.random.default_rng(0)
    p = point(N=20, inputs=inputs, separation=0.0)
    xi = INPUTS[inputs](rng, p, 4000)
    assert np.abs(xi.mean(axis=0)).max() < 5 / np.sqrt(4000)
    assert xi.var() == pytest.approx(1.0, abs=0.05)


def test_correlations_and_clusters_are_as_declared():
    rng = np.random.default_rng(1)
    xi = INPUTS["correlated"](rng, point(N=4, correlation=0.6), 40_000)
    expected = 0.6 ** np.abs(np.subtract.outer(range(4), range(4)))
    np.testing.assert_allclose(np.corrcoef(xi.T), expected, atol=0.03)
    axis = np.array([1, -1, 1, -1]) / 2
    far = INPUTS["clustered"](rng, point(N=4, separation=12.0), 4000) @ axis
    assert np.abs(far).mean() == pytest.approx(6.0, abs=0.1)
    assert np.mean(INPUTS["sparse"](rng, point(N=50, activity=0.2), 1000) != 0) == pytest.approx(
        0.2, abs=0.01
    )


def test_labels_are_those_of_the_teacher():
    for k in range(3):
        xi, S, teacher = draw_world(point(), 5, k)
        assert np.array_equal(S, np.sign(xi @ teacher.w_star))
        _, noisy, _ = draw_world(point(noise=0.5), 5, k)
        assert not np.array_equal(S, noisy)
    _, S, teacher = draw_world(point(teacher="low_dimensional", relevant=3), 5, 0)
    assert np.count_nonzero(teacher.w_star) == 3
    xi, S, teacher = draw_world(point(alpha=200.0, teacher="drifting", drift=0.05), 5, 0)
    right = teacher.answers(xi) == S
    assert right[-50:].mean() > 0.9
    assert right[:-600].mean() < 0.7
    xi, S, teacher = draw_world(point(alpha=400.0, teacher="soft", gain=1.0), 5, 0)
    sure = np.abs(xi @ teacher.w_star) > 1.5
    right = teacher.answers(xi) == S
    assert right[sure].mean() > 0.94
    assert right[~sure].mean() < 0.8


def test_data_do_not_depend_on_the_student():
    a, b = (draw_world(point(student=s), 2, 1) for s in ("Hebb", "sklearn.svm.SVC"))
    assert np.array_equal(a[0], b[0])
    assert np.array_equal(a[1], b[1])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"teacher": "comittee"}, "Did you mean 'committee'"),
        ({"teacher": "committee", "K": 2}, "odd number"),
        ({"teacher": "low_dimensional", "relevant": 11}, "more than the N = 10"),
        ({"inputs": "images"}, "no kind of inputs 'images'"),
    ],
)
def test_bad_parameters(change, sentence):
    with pytest.raises(ValidationError, match=sentence):
        point(**change)


def test_theory_where_there_is_one():
    theory, bayes = SCENARIO.theories["epsilon_g"].function, SCENARIO.theories["bayes"].function
    asked = POINT | {"teacher": "perceptron", "inputs": "gaussian", "noise": 0.0, "input_noise": 0.0}
    assert theory(asked) == pytest.approx(np.arctan(np.sqrt(np.pi / 6)) / np.pi)
    assert 0 < bayes(asked) < theory(asked)
    for change in ({"teacher": "parity"}, {"inputs": "binary"}, {"input_noise": 0.1}, {"student": "Hebb"}):
        assert np.isnan(theory(asked | change))
    assert np.isnan(theory(asked | {"student": "AdaTron(C=1.0, fit_intercept=False)"}))


def test_hebb_meets_its_theory_with_its_term_in_one_over_N():
    p = point(N=100, alpha=2.0)
    error = SCENARIO.run(p, 1, 0, 60)["epsilon_g"]
    off = error.mean() - SCENARIO.theories["epsilon_g"].function(p.model_dump())
    assert abs(off) < 4 * error.std() / np.sqrt(60) + 0.3 / 100


def test_parity_is_a_guess_for_a_linear_student():
    error = SCENARIO.run(point(teacher="parity", K=2, alpha=2.0, tests=500), 1, 0, 60)["epsilon_g"]
    assert abs(error.mean() - 0.5) < 4 * error.std() / np.sqrt(60)


@pytest.mark.parametrize("teacher", TEACHERS)
@pytest.mark.parametrize("inputs", INPUTS)
def test_a_student_that_ignores_the_data_is_wrong_half_of_the_time(teacher, inputs, monkeypatch):
    # Also where many inputs are all zero: the labels there are random.
    world = {"teacher": teacher, "inputs": inputs, "activity": 0.1, "tests": 500}
    assert abs(error_of_ones(SCENARIO, POINT | world, monkeypatch)) < 4.5
