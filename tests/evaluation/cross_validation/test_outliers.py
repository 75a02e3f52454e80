"""Outliers by cross-validation: of leave-one-out, fast and plain, and of repeated folds."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier

from markone.data import gaussian_mixture
from markone.evaluation import outliers
from markone.perceptron import AdaTron


def test_outliers_of_leave_one_out_and_of_repeated_folds():
    X = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2], [0.15]])
    y = np.array(list("aaabbbb"))
    student = KNeighborsClassifier(1)
    for cv in (None, LeaveOneOut(), RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0)):
        found = outliers(student, X, y, cv=cv)
        assert 6 in found.indices
        assert found.answers[list(found.indices).index(6)] == "a"
        assert (found.wrong[found.indices] == found.tested[found.indices]).all()
    assert "is b, taken for a" in str(found)


def test_outliers_by_the_fast_way_are_those_of_the_plain_way():
    two = gaussian_mixture(60, [[-1.0, 0], [1, 0]], seed=3)
    plain = outliers(AdaTron(C=1), two.X, two.y, cv=list(LeaveOneOut().split(two.X)))
    fast = outliers(AdaTron(C=1), two.X, two.y)
    np.testing.assert_array_equal(fast.indices, plain.indices)
    np.testing.assert_array_equal(fast.answers, plain.answers)
    assert fast.share == pytest.approx(len(fast.indices) / 60)


def test_everybody_is_an_outlier_where_the_left_out_class_is_in_the_minority():
    """The artefact of leave-one-out (section 6.2.1): two equal classes and the most frequent label."""
    y = np.repeat([0, 1], 10)
    assert outliers(DummyClassifier(), np.zeros((20, 1)), y).share == 1
