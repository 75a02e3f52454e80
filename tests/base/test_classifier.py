"""Base of all classifiers: outcomes of the problems, scores, labels, warnings."""

from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning

from markone import Rosenblatt
from markone.base.classifier import Classifier, collect_values, structured_tables
from markone.base.scores import as_scores, replace_zeros, round_to_dtype, winning_labels


def test_one_problem_is_its_value_many_an_array_or_a_list():
    assert collect_values([3.5]) == 3.5
    np.testing.assert_array_equal(collect_values([1, 2]), [1, 2])
    assert collect_values([(1.0, 2.0), (3.0, 4.0)]).shape == (2, 2)
    assert [len(one) for one in collect_values([np.arange(2), np.arange(3)])] == [2, 3]


def test_tables_of_one_problem_and_of_many():
    dtype = np.dtype([("epoch", int), ("error", float)])
    alone = structured_tables([[(1, 0.5)]], dtype)
    assert type(alone) is np.ndarray
    assert alone["error"].tolist() == [0.5]
    assert [table["epoch"].tolist() for table in structured_tables([[(1, 0.5)], []], dtype)] == [[1], []]


def test_a_potential_of_zero_is_the_second_class():
    scores = as_scores(np.array([[-1.0], [0.0], [2.0]]))
    assert (scores > 0).tolist() == [False, True, True]
    assert winning_labels(scores, np.array(["a", "b"])).tolist() == ["a", "b", "b"]
    np.testing.assert_array_equal(replace_zeros(np.array([-1.0, 2.0])), [-1.0, 2.0])


def test_of_many_classes_the_largest_wins_and_the_first_of_equals():
    potentials = np.array([[0.0, 1.0, -1.0], [2.0, 2.0, 0.0]])
    assert as_scores(potentials) is potentials
    assert winning_labels(potentials, np.array([*"abc"])).tolist() == ["b", "a"]


@dataclass
class Ended:
    message: str = ""


def warned(outcomes):
    student = Classifier()
    student.classes_ = np.array(["a", "b", "c"])
    student._warn(outcomes)


def test_a_training_that_ended_well_is_not_talked_about(recwarn):
    warned([Ended(), Ended(), Ended()])
    assert not recwarn.list


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        (["stopped."], r"^Classifier stopped\.$"),
        (["", "stopped.", ""], r"^Classifier \(class 'b' against the rest\) stopped\.$"),
        (
            ["", "stopped.", "x"],
            r"^Classifier \(class 'b' against the rest; 2 of 3 classes alike\) stopped\.$",
        ),
    ],
)
def test_one_sentence_for_all_problems(messages, sentence):
    with pytest.warns(ConvergenceWarning, match=sentence):
        warned([Ended(message) for message in messages])


def test_rounding_to_float32_changes_no_answer():
    potentials = np.array([[-1e-50], [1e-50], [0.0], [1e300], [-0.5]])
    scores = as_scores(potentials, np.float32)
    assert scores.dtype == np.float32
    assert (scores > 0).tolist() == [False, True, True, True, False]
    assert np.isfinite(scores).all()
    assert round_to_dtype(potentials, np.float64) is potentials


def test_names_of_parameters_are_those_that_scikit_learn_reads():
    class Wider(Rosenblatt):
        def __init__(self, *, width=1.0):
            self.width = width

    for student in (Rosenblatt, Wider, Rosenblatt):
        for _ in range(2):
            names = student._get_param_names()
            assert names == BaseEstimator._get_param_names.__func__(student)
            names.append("a list of the caller's own")
    assert clone(Wider(width=2.0)).get_params() == {"width": 2.0}
