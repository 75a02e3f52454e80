"""Hebb: the sum of the examples by fit, by partial_fit and with weights."""

import numpy as np
import pytest
from examples import teacher

from markone.perceptron import Hebb


def test_equals_the_book():
    xi, S = teacher(30, 20)
    w = sum(xi[mu] * S[mu] for mu in range(30)) / 20
    student = Hebb(fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], w)
    np.testing.assert_array_equal(student.embedding_, np.ones(30))
    assert student.stability_bounds_[1] == pytest.approx(np.linalg.norm(xi.T @ S) / 30)


def test_a_stream_adds_up():
    xi, S = teacher(30, 20)
    stream = Hebb()
    for part in np.array_split(np.arange(30), 4):
        stream.partial_fit(xi[part], S[part], classes=[-1, 1])
    np.testing.assert_allclose(stream.coef_, Hebb().fit(xi, S).coef_)
    np.testing.assert_allclose(stream.intercept_, Hebb().fit(xi, S).intercept_)


def test_weight_two_is_twice_and_weight_zero_is_never():
    xi, S = teacher(6, 4)
    twice = Hebb().fit(np.vstack([xi[:5], xi[:1]]), np.append(S[:5], S[:1]))
    weighted = Hebb().fit(xi, S, sample_weight=[2, 1, 1, 1, 1, 0])
    np.testing.assert_allclose(weighted.coef_, twice.coef_)


def test_a_stream_has_no_class_weight():
    with pytest.raises(ValueError, match="a stream has no class frequencies"):
        Hebb(class_weight="balanced").partial_fit([[1.0]], [1], classes=[0, 1])


def test_a_new_label_in_a_stream():
    stream = Hebb().partial_fit([[1.0], [2.0]], [0, 1], classes=[0, 1])
    with pytest.raises(ValueError, match=r"label .*2.* not among the classes seen first"):
        stream.partial_fit([[1.0]], [2])
