"""What X and y must satisfy, and what is said where they do not."""

import re

import numpy as np
import pytest

from markone.base.checks import check_known, check_labels, check_size, distinct_classes


@pytest.mark.parametrize(("dtype", "top"), [(np.float64, 1e151), (np.float32, 1e16)])
def test_values_whose_squares_overflow_are_refused(dtype, top):
    check_size(np.array([[1.0, -2.0]], dtype=dtype))
    for sign in (1, -1):
        with pytest.raises(
            ValueError, match=re.escape(f"X holds values up to {top:.3g}, whose squares overflow")
        ):
            check_size(np.array([[1.0, sign * top]], dtype=dtype))


def test_a_missing_value_neither_counts_nor_hides_a_large_one():
    check_size(np.array([[np.nan, 1.0]]))
    check_size(np.array([[np.nan, np.nan]]))
    with pytest.raises(ValueError, match="up to 1e\\+151"):
        check_size(np.array([[np.nan, -1e151]]))


def test_a_solver_may_be_stricter_and_nothing_is_no_large_value():
    check_size(np.empty(0))
    with pytest.raises(ValueError, match="up to 11,"):
        check_size(np.array([11.0]), largest=10)


def test_labels_are_classes():
    for y in ([0, 1], [True, False], [1.0, -1.0], ["a", "b"]):
        check_labels(np.array(y))
    with pytest.raises(ValueError, match="Unknown label type"):
        check_labels(np.array([0.5, 1.5]))


def test_one_class_is_not_enough_and_is_named_as_the_user_wrote_it():
    assert distinct_classes(["b", "a", "b"], "Student").tolist() == ["a", "b"]
    for y, shown in (([3, 3], "3"), (["x"], "'x'"), ([2.0], "2.0")):
        with pytest.raises(ValueError, match=rf"^Student needs .* only one class: {shown}\.$"):
            distinct_classes(np.array(y), "Student")


def test_a_stream_knows_its_classes_from_the_start():
    check_known(np.array([1, 0]), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match=r"the label 'c', .* seen first: \['a', 'b'\]"):
        check_known(np.array(["c", "a"]), np.array(["a", "b"]))
