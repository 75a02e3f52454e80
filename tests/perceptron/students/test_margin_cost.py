"""H^[k] (section 4.1.1): gradients, minima, and separable data."""

import numpy as np
import pytest
from examples import random_labels, teacher
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from markone.perceptron import MarginCost
from markone.perceptron.students.margin_cost import _rounded_hinge, _squared_hinge


def cost(w, xi, S, k, c):
    return sum(max(0.0, c - S[mu] * (w @ xi[mu])) ** k for mu in range(len(S)))


def test_slopes_are_derivatives():
    gap, step = np.linspace(-2, 2, 41) + 0.003, 1e-6
    for f in (_squared_hinge, lambda g: _rounded_hinge(g, 0.5)):
        numeric = (f(gap + step)[0] - f(gap - step)[0]) / (2 * step)
        np.testing.assert_allclose(f(gap)[1], numeric, atol=1e-5)


def test_the_perceptron_cost_reaches_the_minimum_of_its_linear_program():
    xi, S = random_labels(60, 6)
    P, N = xi.shape
    program = linprog(
        np.r_[np.zeros(N), np.ones(P)],
        A_ub=np.hstack([-xi * S[:, None], -np.eye(P)]),
        b_ub=-np.ones(P),
        bounds=[(None, None)] * N + [(0, None)] * P,
    )
    student = MarginCost(k=1, fit_intercept=False).fit(xi, S)
    assert student.cost_ == pytest.approx(cost(student.coef_[0], xi, S, 1, 1.0))
    assert program.fun - 1e-9 <= student.cost_ <= program.fun * (1 + 1e-4)


def test_the_adatron_cost_is_stationary_and_below_its_neighbours():
    xi, S = random_labels(60, 6)
    student = MarginCost(fit_intercept=False).fit(xi, S)
    w = student.coef_[0]
    gradient = -2 * xi.T @ (S * np.maximum(1 - S * (xi @ w), 0))
    assert np.abs(gradient).max() < 1e-5
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert cost(w + 0.1 * rng.standard_normal(6), xi, S, 2, 1.0) > student.cost_
    assert student.stability_bounds_[1] < 1e-5, "x is the proof that no perceptron is without error"


def test_c_only_sets_the_scale():
    xi, S = random_labels(60, 6)
    a, b = (MarginCost(c=c, fit_intercept=False).fit(xi, S) for c in (1.0, 3.0))
    np.testing.assert_allclose(b.coef_, 3 * a.coef_, rtol=1e-4)
    assert b.cost_ == pytest.approx(9 * a.cost_, rel=1e-6)


@pytest.mark.parametrize("k", [1, 2])
def test_separable_data_cost_nothing(k):
    xi, S = teacher(40, 30)
    student = MarginCost(k=k, fit_intercept=False).fit(xi, S)
    assert student.cost_ < 1e-4
    assert student.n_errors_ == 0
    assert student.stability_ > 0


def test_too_few_iterations_are_reported():
    xi, S = random_labels(60, 6)
    with pytest.warns(ConvergenceWarning, match="max_iter = 2 iterations with H ="):
        MarginCost(max_iter=2).fit(xi, S)
