"""Equal rows by hashes, compared with row-by-row comparison."""

import numpy as np
import pytest

from markone.tables.findings import evidence as module
from markone.tables.findings.evidence import group_equal_rows, group_rows_by_bytes


@pytest.mark.parametrize("values", [2, 3, 50, 10**6])
@pytest.mark.parametrize("N", [0, 1, 2, 7])
def test_rows_are_numbered_as_in_the_plain_way(values, N):
    rng = np.random.default_rng(values + N)
    X = rng.integers(values, size=(300, N)) * rng.choice([1.0, 0.1, 2.0**-40])
    assert np.array_equal(group_equal_rows(X), group_rows_by_bytes(X + 0.0))


def test_more_rows_than_are_mixed_at_a_time():
    X = np.random.default_rng(0).normal(size=(3 * module.ROWS_AT_A_TIME + 5, 2))
    assert np.array_equal(group_equal_rows(X), np.arange(len(X)))
    twice = np.concatenate([X, X])
    assert np.array_equal(group_equal_rows(twice), np.tile(np.arange(len(X)), 2))


def test_two_rows_of_one_fingerprint_are_told_apart(monkeypatch):
    monkeypatch.setattr(module, "hash_rows", lambda bits: np.zeros(len(bits), np.uint64))
    assert group_equal_rows(np.array([[1.0], [2.0], [1.0], [3.0]])).tolist() == [0, 1, 0, 2]


def test_whole_numbers_and_halves_have_different_fingerprints():
    """Their lower bits are all nought: multiplied without mixing, most of them would coincide."""
    grid = np.stack(np.meshgrid(np.arange(300.0), np.arange(300.0) / 2), axis=-1).reshape(-1, 2)
    assert len(np.unique(module.hash_rows(grid.view(np.uint64)))) == len(grid)
