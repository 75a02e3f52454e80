"""Sums of products and Cholesky's method, four rows at a time, against numpy."""

import numpy as np
import pytest

from markone.numerics._cholesky import (
    HIGH,
    ROWS,
    add_products_tiled,
    cholesky_tiled,
    padded_columns,
    solve_tiled,
)


def empty(N):
    """H, T, the inverse of its diagonal and a buffer, for N columns."""
    n = padded_columns(N)
    return np.zeros((n, n)), np.zeros((N + HIGH, n)), np.empty(N), np.full((ROWS, n), np.nan)


def added(Z, chosen, N):
    H, T, inverse, buffer = empty(N)
    add_products_tiled(Z, chosen, len(chosen), 1.0, H, buffer)
    return H, T, inverse, buffer


@pytest.mark.parametrize("N", [1, 3, 4, 11, 12, 13, 50, 101])
def test_products_of_chosen_rows_are_added_one_after_the_other(N):
    rng = np.random.default_rng(N)
    # Small whole numbers: every sum is exact.
    Z = rng.integers(-9, 10, (3 * ROWS + 5, N)).astype(float)
    chosen = rng.permutation(len(Z))[: 2 * ROWS + 3]
    H, _, _, buffer = added(Z, chosen, N)
    whole = Z[chosen].T @ Z[chosen]
    assert np.array_equal(np.triu(H[:N, :N]), np.triu(whole))
    add_products_tiled(Z, chosen[5:9], 4, -1.0, H, buffer)
    assert np.array_equal(np.triu(H[:N, :N]), np.triu(whole - Z[chosen[5:9]].T @ Z[chosen[5:9]]))


def test_to_take_rows_away_again_is_as_exact_as_to_add_them():
    Z = np.random.default_rng(0).standard_normal((40, 20))
    some, more = np.arange(30), np.arange(30, 40)
    H, _, _, buffer = added(Z, some, 20)
    before = H.copy()
    add_products_tiled(Z, more, 10, 1.0, H, buffer)
    add_products_tiled(Z, more, 10, -1.0, H, buffer)
    np.testing.assert_allclose(H, before, rtol=0, atol=1e-14 * np.abs(before).max())


@pytest.mark.parametrize("N", [1, 5, 12, 37, 100])
def test_cholesky_and_its_solution(N):
    rng = np.random.default_rng(N)
    Z = rng.standard_normal((2 * N + 3, N))
    H, T, inverse, _ = added(Z, np.arange(len(Z)), N)
    assert cholesky_tiled(H, 0.5, T, inverse)
    whole = Z.T @ Z + 0.5 * np.eye(N)
    found = np.triu(T[:N, :N])
    np.testing.assert_allclose(found.T @ found, whole, atol=1e-13 * np.trace(whole))
    np.testing.assert_allclose(inverse, 1.0 / np.diagonal(found), rtol=1e-14)
    g, d = rng.standard_normal(N), np.empty(N)
    solve_tiled(T, inverse, g, d)
    np.testing.assert_allclose(whole @ d, g, atol=1e-12 * np.linalg.cond(whole))


def test_a_shift_beyond_the_smallest_eigenvalue_is_refused():
    Z = np.random.default_rng(1).standard_normal((60, 30))
    H, T, inverse, _ = added(Z, np.arange(60), 30)
    least = np.linalg.eigvalsh(Z.T @ Z)[0]
    assert cholesky_tiled(H, -0.999 * least, T, inverse)
    assert not cholesky_tiled(H, -1.001 * least, T, inverse)


def test_what_is_not_finite_is_refused():
    H, T, inverse, _ = empty(6)
    H[:6, :6] = np.eye(6)
    H[2, 2] = np.nan
    assert not cholesky_tiled(H, 0.0, T, inverse)
