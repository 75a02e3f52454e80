"""MinOver (3.42): the plain twin, stop rules, the limit of optimal stability."""

import numpy as np
import pytest
from examples import random_labels, teacher
from scipy.optimize import nnls
from sklearn.exceptions import ConvergenceWarning

from markone.perceptron import MinOver
from markone.perceptron.base import problem as problem_module


def book(xi, S, updates, min_update=None):
    """Appendix A of the stability report: the weakest example, |dw|/|w| < min_update to stop."""
    P, N = xi.shape
    w, x = np.zeros(N), np.zeros(P)
    for _ in range(updates):
        mu = np.argmin(xi @ w * S)
        old, w = w, w + xi[mu] * S[mu] / N
        x[mu] += 1
        if min_update and np.linalg.norm(w - old) / np.linalg.norm(w) < min_update:
            break
    return w, x, int(x.sum())


def kappa_max(xi, S):
    Z = xi * S[:, None]
    x = nnls(np.vstack([Z.T, np.ones(len(S))]), np.append(np.zeros(xi.shape[1]), 1.0))[0]
    w = Z.T @ x
    return (Z @ w).min() / np.linalg.norm(w)


@pytest.mark.parametrize("rows", [40, 39, 5, 0], ids=["matrix", "all", "some", "none"])
def test_equals_the_book(rows, monkeypatch):
    """With memory for the whole matrix of correlations, for all rows used, for some, for none."""
    monkeypatch.setattr(problem_module, "GRAM_LIMIT_BYTES", 8 * 40 * rows)
    xi, S = teacher(40, 25)
    w, x, _ = book(xi, S, 5 * 40)
    student = MinOver(stop="never", max_iter=5, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(student.coef_[0], w, atol=1e-12)
    np.testing.assert_array_equal(student.embedding_, x)
    assert student.n_updates_ == 200


def test_stop_rule_of_the_appendix():
    xi, S = teacher(40, 25)
    _, x, updates = book(xi, S, 250 * 40, min_update=0.01)
    student = MinOver(stop="weight_change", tol=0.01, max_iter=250, fit_intercept=False).fit(xi, S)
    assert student.n_updates_ == updates < 250 * 40
    np.testing.assert_array_equal(student.embedding_, x)


@pytest.mark.parametrize("stop", ["gap", "angle", "stability_change"])
def test_ends_near_the_optimum_and_inside_its_bounds(stop):
    xi, S = teacher(60, 40, seed=2)
    best = kappa_max(xi, S)
    student = MinOver(stop=stop, fit_intercept=False).fit(xi, S)
    assert student.converged_
    low, high = student.stability_bounds_
    assert 0.98 * best < low <= best * (1 + 1e-12)
    assert best * (1 - 1e-12) <= high
    if stop == "gap":
        assert (high - low) / high <= 0.01


def test_angle_and_stability_change_are_those_of_the_notes():
    """The loop's criteria from E, x, Q alone equal their definition in w."""
    xi, S = teacher(40, 25)
    for stop, tol in (("angle", 1e-3), ("stability_change", 1e-2)):
        student = MinOver(stop=stop, tol=tol, fit_intercept=False).fit(xi, S)
        T = student.n_updates_
        assert T % 40 == 0
        for steps, met in ((T, True), (T - 40, False)):
            now, before = book(xi, S, steps)[0], book(xi, S, steps - 40)[0]
            assert (_change(stop, now, before, xi, S) <= tol) == met


def _change(stop, now, before, xi, S):
    a, b = now / np.linalg.norm(now), before / np.linalg.norm(before)
    return np.arccos(a @ b) / np.pi if stop == "angle" else np.sum((S * (xi @ (a - b))) ** 2)


def test_threshold_c_learns_only_below_it():
    xi, S = teacher(40, 25)
    student = MinOver(c=1.0, stop="never", fit_intercept=False).fit(xi, S)
    assert student.converged_
    assert (S * (xi @ student.coef_[0])).min() > 1.0
    small = MinOver(c=0.0, stop="never", fit_intercept=False).fit(xi, S)
    assert small.n_updates_ < student.n_updates_
    assert small.stability_ > 0


def test_strengths_are_natural_numbers():
    xi, S = teacher(40, 25)
    x = MinOver(fit_intercept=False).fit(xi, S).embedding_
    assert (x >= 0).all()
    np.testing.assert_array_equal(x, np.round(x))


def test_inseparable_data_are_reported_and_the_most_stable_student_kept():
    xi, S = random_labels(60, 10)
    with pytest.warns(ConvergenceWarning, match=r"kappa = -.*may not be separable.*AdaTron\(C=1\)"):
        student = MinOver(max_iter=50, fit_intercept=False).fit(xi, S)
    assert not student.converged_
    last = book(xi, S, 50 * 60)[0]
    assert student.stability_ >= (S * (xi @ last)).min() / np.linalg.norm(last)
