"""Adaline (2.8-2.10, 3.62-3.66): closed form, sequential, parallel."""

import numpy as np
import pytest
from examples import teacher
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge

from markone.perceptron import Adaline


def book_sequential(xi, S, eta, epochs):
    P, N = xi.shape
    x, C = np.zeros(P), (xi * S[:, None]) @ (xi * S[:, None]).T / N
    for _ in range(epochs):
        for mu in range(P):
            x[mu] += eta * (1 - C[mu] @ x) / C[mu, mu]
    return xi.T @ (x * S) / N, x


def test_pseudo_inverse():
    for P, N in ((20, 30), (60, 30)):
        xi, S = teacher(P, N)
        student = Adaline(fit_intercept=False).fit(xi, S)
        np.testing.assert_allclose(student.coef_[0], np.linalg.pinv(xi) @ S, atol=1e-10)


@pytest.mark.parametrize(("P", "N"), [(20, 30), (60, 30)])
def test_ridge_equals_scikit_learn_and_its_strengths_rebuild_it(P, N):
    xi, S = teacher(P, N)
    student = Adaline(ridge=3.0, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], Ridge(alpha=3.0, fit_intercept=False).fit(xi, S).coef_)
    np.testing.assert_allclose(xi.T @ (student.embedding_ * S) / N, student.coef_[0], atol=1e-10)


def test_collinear_columns_give_the_solution_of_least_norm():
    X, y = [[1, 1], [5, 5], [0, 0], [4, 4], [0, 0], [0, 0], [0, 0]], np.array([1, -1, 1, 1, -1, -1, 1])
    student = Adaline().fit(X, y)
    A = np.hstack([X, np.ones((7, 1))])
    np.testing.assert_allclose(
        np.append(student.coef_, student.intercept_), np.linalg.pinv(A) @ y, atol=1e-12
    )


def test_sequential_equals_the_book():
    xi, S = teacher(15, 25)
    w, x = book_sequential(xi, S, 0.7, 7)
    with pytest.warns(ConvergenceWarning, match=r"\|1 - E\| up to"):
        student = Adaline(solver="sequential", eta=0.7, max_iter=7, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], w, atol=1e-12)
    np.testing.assert_allclose(student.embedding_, x, atol=1e-12)


@pytest.mark.parametrize("solver", ["sequential", "parallel"])
def test_where_all_potentials_can_be_one_it_is_the_solution_of_least_norm(solver):
    xi, S = teacher(15, 25)
    student = Adaline(solver=solver, max_iter=5000, tol=1e-10, fit_intercept=False).fit(xi, S)
    assert student.converged_
    np.testing.assert_allclose(S * (xi @ student.coef_[0]), 1.0, atol=1e-6)
    np.testing.assert_allclose(student.coef_[0], np.linalg.pinv(xi) @ S, atol=1e-6)


def test_parallel_goes_to_least_squares_where_they_cannot():
    xi, S = teacher(80, 25)
    student = Adaline(solver="parallel", max_iter=5000, tol=1e-12, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], np.linalg.pinv(xi) @ S, atol=1e-8)


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_sparse_equals_dense(ridge):
    rng = np.random.default_rng(0)
    xi = rng.standard_normal((50, 20)) * (rng.random((50, 20)) < 0.3)
    S = rng.choice([-1, 1], 50)
    dense, thin = Adaline(ridge=ridge).fit(xi, S), Adaline(ridge=ridge).fit(sparse.csr_array(xi), S)
    np.testing.assert_allclose(thin.coef_, dense.coef_, atol=1e-8)


def test_options_the_iterative_solvers_do_not_support():
    xi, S = teacher(15, 25)
    with pytest.raises(ValueError, match="use solver='closed'"):
        Adaline(solver="parallel", ridge=1.0).fit(xi, S)
    with pytest.raises(ValueError, match="neither ridge nor weights"):
        Adaline(solver="sequential").fit(xi, S, sample_weight=np.ones(15))
