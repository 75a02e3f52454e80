"""Equal rows, compared with row-by-row comparison."""

import numpy as np
import pytest

from markone.tables.findings.evidence import group_equal_rows


def groups_by_comparison(X):
    """The plain way: the first row that equals each one, counted in the order of appearance."""
    first = [next(k for k, other in enumerate(X) if np.array_equal(row, other, equal_nan=True)) for row in X]
    return [sorted(set(first)).index(k) for k in first]


@pytest.mark.parametrize("values", [2, 3, 50, 10**6])
@pytest.mark.parametrize("N", [0, 1, 2, 7])
def test_rows_are_numbered_as_in_the_plain_way(values, N):
    rng = np.random.default_rng(values + N)
    X = rng.integers(values, size=(300, N)) * rng.choice([1.0, 0.1, 2.0**-40])
    X[rng.random(X.shape) < 0.1] = np.nan
    assert group_equal_rows(X).tolist() == groups_by_comparison(X)


def test_both_zeros_are_equal_and_a_repeated_table_has_the_same_groups_twice():
    X = np.random.default_rng(0).normal(size=(12_293, 2))
    assert np.array_equal(group_equal_rows(np.concatenate([X, X])), np.tile(np.arange(len(X)), 2))
    assert group_equal_rows(np.array([[0.0], [-0.0], [1.0]])).tolist() == [0, 0, 1]
