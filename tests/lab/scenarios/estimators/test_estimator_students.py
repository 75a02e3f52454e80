"""Classifiers as text: canonical form, and parsing runs no code except constructors."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import markone
from markone.lab.scenarios.estimators import student_expressions
from markone.lab.scenarios.estimators.student_expressions import (
    canonical_expression,
    parse_student,
    write_student,
)

STUDENTS = [
    (Perceptron(), "sklearn.linear_model.Perceptron"),
    (Perceptron(max_iter=5, tol=None), "sklearn.linear_model.Perceptron(max_iter=5, tol=None)"),
    (markone.AdaTron(C=0.5, fit_intercept=False), "AdaTron(C=0.5, fit_intercept=False)"),
    (markone.MinOver(c=np.float64(2.0)), "MinOver(c=2.0)"),
    (
        make_pipeline(StandardScaler(), LogisticRegression(C=2)),
        "sklearn.pipeline.Pipeline(steps=[('standardscaler', sklearn.preprocessing.StandardScaler), "
        "('logisticregression', sklearn.linear_model.LogisticRegression(C=2))])",
    ),
]


@pytest.mark.parametrize(("student", "written"), STUDENTS, ids=[text[:40] for _, text in STUDENTS])
def test_text_and_student_round_trip(student, written):
    assert write_student(student) == written
    assert canonical_expression(written) == written
    assert write_student(parse_student(written)) == written
    assert type(parse_student(written)) is type(student)


def test_other_spellings():
    assert (
        canonical_expression("adatron")
        == canonical_expression("ada_tron")
        == canonical_expression(" AdaTron( ) ")
        == "AdaTron"
    )
    assert canonical_expression("AdaTron(C=inf)") == "AdaTron"
    assert canonical_expression("AdaTron(order='cyclic', C=-1.0)") == "AdaTron(C=-1.0, order='cyclic')"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("perzeptron", "no student of markone 'perzeptron'"),
        ("AdaTron(", "is no student: write a name"),
        ("AdaTron(1.0)", "by their names, as in C=1.0"),
        ("AdaTron(**{'C': 1})", "by their names"),
        ("AdaTron(C=1+1)", r"1 \+ 1 is neither a number"),
        ("AdaTron(D=1)", "unexpected keyword argument 'D'"),
        ("AdaTron(C=open(file='x'))", "no student of markone 'open'"),
        ("[AdaTron][0]", "is no name"),
        ("os.system(command='true')", "code of os"),
        ("sklearn.linear_model.Perceptrons", "has no 'Perceptrons'"),
        ("sklearn.utils.check_array", "is no estimator"),
        ("sklearn.linear_model.Ridge", "is no classifier"),
    ],
)
def test_invalid_students(written, sentence):
    with pytest.raises(ValueError, match=sentence):
        canonical_expression(written)


def test_parameters_that_cannot_be_written():
    with pytest.raises(ValueError, match=r"tol = .* cannot be written in a declaration"):
        write_student(Perceptron(tol=np.zeros(2)))


def test_random_numbers_are_those_of_the_repeat_unless_the_student_has_its_own():
    free = "sklearn.linear_model.SGDClassifier"
    states = [student_expressions.seeded_student(free, 1, k).random_state for k in (0, 0, 1)]
    assert states[0] == states[1] != states[2]
    assert student_expressions.seeded_student(f"{free}(random_state=7)", 1, 0).random_state == 7


def test_the_code_of_a_student_is_that_of_all_its_parts():
    (state,) = student_expressions.student_code_states(STUDENTS[-1][1])
    assert str(state).startswith("sklearn (version ")
    assert [state.package for state in student_expressions.student_code_states("pocket")] == ["markone"]
