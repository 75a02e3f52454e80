"""Loops over rows and vectors, compared with numpy at any width and number of rows."""

import numpy as np
import pytest

from markone.numerics._vectors import (
    LANES,
    add_combination,
    add_outer,
    add_scaled,
    combine_rows,
    dot_padded,
    multiply_rows,
    padded_width,
    write_scaled,
)
from markone.numerics.compiling import entry

SIZES = [(1, 1), (2, 7), (3, 8), (4, 9), (5, 16), (7, 23), (13, 40), (0, 5)]


@entry
def all_of_them(A, rows, count, width, b, c):
    multiply_rows(A, rows, count, width, b, c[0])
    combine_rows(A, rows, count, width, b, c[1])
    add_combination(A, rows, count, width, b, c[2])
    write_scaled(2.0, b, c[3], width)
    add_scaled(-3.0, b, c[4], width)
    total = dot_padded(b, b, width)
    add_outer(A, rows, count, width, b, c[5])
    return total


@pytest.mark.parametrize(("count", "width"), SIZES)
def test_they_are_what_numpy_makes_of_the_same_rows(count, width):
    rng = np.random.default_rng(count)
    A = np.zeros((20, padded_width(width)))
    A[:, :width] = rng.standard_normal((20, width))
    # As long as the longest of what is read or written, with zeros beyond.
    b, c = np.zeros(64), np.zeros((6, 64))
    b[: max(count, width)] = rng.standard_normal(max(count, width))
    b[width : padded_width(width)] = 0.0
    c[:, :width] = rng.standard_normal((6, width))
    rows, before, table = rng.permutation(20), c.copy(), A.copy()
    total = all_of_them(A, rows, count, width, b, c)
    chosen = table[rows[:count]]
    np.testing.assert_allclose(c[0, :count], chosen @ b[: padded_width(width)], atol=1e-13)
    np.testing.assert_allclose(c[1, : padded_width(width)], b[:count] @ chosen, atol=1e-13)
    np.testing.assert_allclose(
        c[2, : padded_width(width)] - before[2, : padded_width(width)], b[:count] @ chosen, atol=1e-13
    )
    np.testing.assert_array_equal(c[3, :width], 2 * b[:width])
    np.testing.assert_allclose(c[4, :width] - before[4, :width], -3 * b[:width], atol=1e-13)
    assert total == pytest.approx(b[:width] @ b[:width], abs=1e-13)
    table[rows[:count]] += b[:count, None] * before[5, : padded_width(width)]
    np.testing.assert_allclose(A, table, atol=1e-13)


def test_behind_the_products_are_eight_zeros_and_nothing_else_is_touched():
    A, b, c = np.ones((5, 8)), np.ones(24), np.full((6, 40), 7.0)
    all_of_them(A, np.arange(5), 5, 8, b, c)
    np.testing.assert_array_equal(c[0], [8.0] * 5 + [0.0] * LANES + [7.0] * 27)
    np.testing.assert_array_equal(c[1:5, 8:], 7.0)


def test_a_row_is_as_long_as_whole_vectors():
    assert [padded_width(N) for N in (0, 1, 8, 9, 40)] == [0, 8, 8, 16, 40]
