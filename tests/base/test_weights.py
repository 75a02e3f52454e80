"""sample_weight times class_weight."""

import numpy as np
import pytest

from markone.base.weights import example_weights

X, Y, CLASSES = np.zeros((4, 1)), np.array(["a", "b", "b", "b"]), np.array(["a", "b"])


def test_no_weights_are_none():
    assert example_weights(X, Y, CLASSES, None, None) is None


def test_the_two_are_multiplied():
    found = example_weights(X, Y, CLASSES, [1.0, 2.0, 3.0, 0.0], {"a": 10.0})
    np.testing.assert_array_equal(found, [10, 2, 3, 0])


def test_balanced_counts_weights_so_that_twice_the_weight_is_twice_the_example():
    twice = example_weights(X, Y, CLASSES, [2.0, 1.0, 1.0, 1.0], "balanced")
    given_twice = example_weights(np.zeros((5, 1)), np.array([*"aabbb"]), CLASSES, None, "balanced")
    assert twice[0] == pytest.approx(2 * given_twice[0])
    assert twice[1] == pytest.approx(given_twice[2])


def test_weights_must_leave_two_classes_or_one_in_a_batch():
    alone = [1.0, 0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match=r"Two classes at least .* leave 1 class\(es\)"):
        example_weights(X, Y, CLASSES, alone, None)
    np.testing.assert_array_equal(example_weights(X, Y, CLASSES, alone, None, least=1), alone)
    with pytest.raises(ValueError, match=r"One class at least .* leave 0 class\(es\)"):
        example_weights(X, Y, CLASSES, alone, {"a": 0.0}, least=1)


def test_balanced_leaves_out_a_class_without_weight_as_if_it_were_not_there():
    y, weights = np.array([*"aabbbc"]), np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    found = example_weights(np.zeros((6, 1)), y, np.array([*"abc"]), weights, "balanced")
    without = example_weights(np.zeros((5, 1)), y[:5], CLASSES, None, "balanced")
    np.testing.assert_array_equal(found, [*without, 0.0])


@pytest.mark.parametrize("weight", [-1.0, float("nan")])
def test_a_negative_class_weight_is_refused_also_where_two_classes_remain(weight):
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 2, 2])
    with pytest.raises(ValueError, match=rf"class_weight has {weight:g}: weights must be 0 or larger"):
        example_weights(X, y, np.unique(y), None, {0: weight})
