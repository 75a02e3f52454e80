"""Checks of X and y and their error messages."""

import re

import numpy as np
import pytest

from markone.base.checks import (
    check_known_labels,
    check_labels,
    check_size,
    distinct_classes,
    sum_of_squares_is_small,
)


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


LABELS = {
    "two numbers": [1, -1, 1],
    "floats": [2.0, -2.0, 2.0],
    "no whole numbers": [0.5, 0.25],
    "with a zero": [0.0, 1.0],
    "zeros of both signs": [0.0, -0.0, 1.0],
    "truth values": [True, False],
    "three": [3, 1, 2, 1],
    "two and a third at the end": [1, 2, 1, 2, 0],
    "infinity": [np.inf, -np.inf],
    "words": ["b", "a"],
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_classes_are_those_that_numpy_finds(labels):
    for dtype in (None, np.int8, np.uint16, np.float32):
        if dtype is not None and np.array(labels).dtype.kind not in "iu":
            continue
        y = np.abs(np.array(labels)).astype(dtype) if dtype is np.uint16 else np.array(labels, dtype=dtype)
        if len(np.unique(y)) > 1:
            found = distinct_classes(y, "Student")
            np.testing.assert_array_equal(found, np.unique(y), strict=True)
            assert (
                np.array_equal(np.signbit(found), np.signbit(np.unique(y))) if y.dtype.kind == "f" else True
            )


def test_a_sum_of_squares_says_that_there_is_nothing_to_refuse():
    for dtype in (np.float64, np.float32):
        assert sum_of_squares_is_small(np.array([[1.0, -2.0]], dtype=dtype))
        for bad in (np.nan, np.inf, 1e16 if dtype is np.float32 else 1e151):
            assert not sum_of_squares_is_small(np.array([[1.0, bad]], dtype=dtype))


def test_a_stream_knows_its_classes_from_the_start():
    check_known_labels(np.array([1, 0]), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match=r"the label 'c', .* seen first: \['a', 'b'\]"):
        check_known_labels(np.array(["c", "a"]), np.array(["a", "b"]))
