"""Batch by batch: what a stream may bring, the same for prototypes with and without a cost."""

import numpy as np
import pytest
from labelled import scaled
from sklearn.base import clone

from markone.lvq import GLVQ, GMLVQ, LVQ1, OLVQ1, RSLVQ, MatrixLVQ1

X, y = scaled("iris")
NAMES = np.array(["a", "b", "c"])[y]
STUDENTS = [GLVQ(), GMLVQ(), RSLVQ(), LVQ1(), OLVQ1(), MatrixLVQ1()]
every = pytest.mark.parametrize("student", STUDENTS, ids=lambda student: type(student).__name__)


def started(student, **parameters):
    student = clone(student).set_params(random_state=0, **parameters)
    return student.partial_fit(X, NAMES, classes=["a", "b", "c"])


@every
def test_a_batch_of_one_class_counts_with_weights_as_without(student):
    with_weights, without = started(student), started(student)
    with_weights.partial_fit(X[:10], NAMES[:10], sample_weight=np.ones(10))
    without.partial_fit(X[:10], NAMES[:10])
    np.testing.assert_allclose(with_weights.prototypes_, without.prototypes_, rtol=1e-12)


@pytest.mark.parametrize("student", STUDENTS[:3], ids=lambda student: type(student).__name__)
def test_class_weights_are_weights_of_the_examples(student):
    prices = {"a": 1.0, "b": 2.0, "c": 0.5}
    weighed = started(student, class_weight=prices).partial_fit(X[:60], NAMES[:60])
    given = clone(student).set_params(random_state=0)
    given.partial_fit(X, NAMES, classes=["a", "b", "c"], sample_weight=[prices[label] for label in NAMES])
    given.partial_fit(X[:60], NAMES[:60], sample_weight=[prices[label] for label in NAMES[:60]])
    np.testing.assert_allclose(weighed.prototypes_, given.prototypes_, rtol=1e-10)


@every
def test_a_refused_first_batch_leaves_nothing_behind(student):
    refused = clone(student).set_params(random_state=0)
    with pytest.raises(ValueError, match="The first batch holds no example of class 'c'"):
        refused.partial_fit(X[:100], NAMES[:100], classes=["a", "b", "c"])
    refused.partial_fit(X, NAMES)
    np.testing.assert_array_equal(refused.prototypes_, started(student).prototypes_)


@every
def test_labels_never_announced_are_refused(student):
    with pytest.raises(ValueError, match="'d', which is not among the classes seen first"):
        started(student).partial_fit(X[:2], ["a", "d"])
