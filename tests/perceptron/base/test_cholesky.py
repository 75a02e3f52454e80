"""Normal matrices and Cholesky factorisation: against numpy, for all remainders of four and of two."""

import numpy as np
import pytest

from markone.perceptron.base._cholesky import add_outer_products, factorise, solve_factorised

SIZES = [1, 2, 3, 4, 5, 6, 7, 20, 39, 65, 160, 200]


def normal_matrix(N, P, seed=0):
    Z = np.random.default_rng(seed).standard_normal((P, N))
    H = np.zeros((N, N))
    add_outer_products(Z, np.arange(P), 1.0, H)
    return Z, H


@pytest.mark.parametrize("N", SIZES)
def test_outer_products_are_added_and_taken_away(N):
    Z, H = normal_matrix(N, 2 * N + 3)
    np.testing.assert_allclose(np.triu(H), np.triu(Z.T @ Z), rtol=1e-12, atol=1e-11)
    chosen = np.array([0, 2, 3, 4, 1])
    add_outer_products(Z, chosen, -1.0, H)
    left = np.delete(Z, chosen, axis=0)
    np.testing.assert_allclose(np.triu(H), np.triu(left.T @ left), rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("N", SIZES)
@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_the_factor_and_its_solution(N, shift):
    Z, H = normal_matrix(N, 2 * N + 3)
    U, inverse, d = np.full((N, N), np.nan), np.empty(N), np.empty(N)
    assert factorise(H, shift, U, inverse)
    full = Z.T @ Z + shift * np.eye(N)
    np.testing.assert_allclose(np.triu(U), np.linalg.cholesky(full).T, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(inverse * np.diagonal(U), 1.0, rtol=1e-14)
    g = np.random.default_rng(1).standard_normal(N)
    solve_factorised(U, inverse, g, d)
    np.testing.assert_allclose(full @ d, g, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("N", SIZES[1:])
def test_a_matrix_that_is_not_positive_has_no_factor(N):
    _, H = normal_matrix(N, 2 * N + 3)
    lowest = np.linalg.eigvalsh(np.triu(H) + np.triu(H, 1).T)[0]
    U, inverse = np.empty((N, N)), np.empty(N)
    assert factorise(H, -0.9 * lowest, U, inverse)
    assert not factorise(H, -1.1 * lowest, U, inverse)
