"""Float32 screening: bitwise the same students as without it."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from markone import Rosenblatt
from markone.perceptron.base.problem import Problem
from markone.perceptron.students import rosenblatt
from markone.perceptron.students.rosenblatt import Float32Copies


def both_ways(X, y, **parameters):
    students = []
    for large in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            patch.setattr(rosenblatt, "MIN_SIZE", large)
            students.append(Rosenblatt(max_iter=30, random_state=1, **parameters).fit(X, y))
    return students


def same(a, b):
    np.testing.assert_array_equal(a.coef_, b.coef_)
    np.testing.assert_array_equal(a.intercept_, b.intercept_)
    np.testing.assert_array_equal(a.embedding_, b.embedding_)
    assert (a.n_iter_, a.n_updates_, a.converged_) == (b.n_iter_, b.n_updates_, b.converged_)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
@pytest.mark.parametrize("c", [0.0, 0.5])
@pytest.mark.parametrize("N", [1, 5, 40])
def test_the_same_student(order, c, N):
    rng = np.random.default_rng(N)
    X = rng.standard_normal((120, N))
    y = np.where(X @ rng.standard_normal(N) + 0.2 * rng.standard_normal(120) > 0, 1, -1)
    same(*both_ways(X, y, order=order, c=c))


@pytest.mark.parametrize("scale", [1e-40, 1e-20, 1e-13, 1e13, 1e40, 1e140])
def test_sizes_beyond_the_range_of_float32(scale):
    rng = np.random.default_rng(0)
    X = scale * rng.standard_normal((60, 8))
    y = np.sign(X @ rng.standard_normal(8))
    same(*both_ways(X, y, fit_intercept=False))


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(1, 6), st.integers(0, 10**6))
def test_whole_numbers_with_potentials_of_exactly_c(P, N, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (P, N)).astype(float)
    y = rng.choice([-1, 1], P)
    y[:2] = -1, 1
    same(*both_ways(X, y, c=float(rng.integers(0, 2))))


def test_examples_next_to_the_boundary():
    """Potentials of 1e-9 of |xi| |w|: far below the resolution of float32."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((200, 10))
    X[:, -1] = 1e-9 * np.sign(rng.standard_normal(200))
    X[:, :-1] = np.repeat(X[:100, :-1], 2, axis=0) * np.tile([1.0, -1.0], 100)[:, None]
    same(*both_ways(X, np.sign(X[:, -1]), fit_intercept=False))


def test_the_slack_is_never_less_than_the_error(monkeypatch):
    monkeypatch.setattr(rosenblatt, "MIN_SIZE", 0)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 33)) * 10.0 ** rng.integers(-6, 6, (50, 33))
    w = rng.standard_normal(33) * 10.0 ** rng.integers(-6, 6, 33)
    found = Float32Copies.of(Problem(X, np.ones(50)))
    w_rough = np.zeros(found.xi.shape[1], np.float32)
    w_rough[:33] = w
    for mu in range(50):
        exact = sum(Fraction(a) * Fraction(b) for a, b in zip(X[mu].tolist(), w.tolist(), strict=True))
        worst = abs(Fraction(float(found.xi[mu] @ w_rough)) - exact)
        assert worst <= Fraction(float(found.slack[mu] * np.linalg.norm(w)))
