"""A threshold that is not part of |W| in feature space: the student of SVC, its bounds, bad input."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from markone import AdaTron, KernelAdaTron
from markone.perceptron import verify
from markone.perceptron.margin.kernel.box_newton import solve_balanced_box
from markone.perceptron.margin.kernel.kernel_certificate import best_threshold


def curved_clouds(seed, noise=0.0, most=120):
    """Two classes divided by a quadric, some labels flipped."""
    rng = np.random.default_rng(seed)
    P, N = int(rng.integers(10, most)), int(rng.integers(1, 8))
    X, t = rng.standard_normal((P, N)), rng.standard_normal(N)
    y = (X @ t + 0.5 * (X**2).sum(axis=1) - 0.4 * N > 0).astype(int)
    y = np.where(rng.random(P) < noise, 1 - y, y)
    y[:2] = 0, 1
    return X, y


@pytest.mark.parametrize(("sets", "least"), [(30, 16), pytest.param(100, 60, marks=pytest.mark.slow)])
def test_it_is_the_student_of_svc(sets, least):
    near = 0
    for seed in range(sets):
        C = [1.0, 10.0, np.inf, 0.1, 1e3][seed % 5]
        how = {"kernel": ["rbf", "poly", "linear"][seed % 3], "gamma": 0.5, "degree": 2, "coef0": 1.0}
        X, y = curved_clouds(seed, 0.1 * np.isfinite(C))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            student = KernelAdaTron(C=C, fit_intercept="free", **how).fit(X, y)
        if student.status_ == "not_separable":
            assert how["kernel"] != "rbf"
            continue
        assert student.status_ == "exact"
        peer = SVC(C=min(C, 1e10), tol=1e-10, **how).fit(X, y)
        expected = peer.decision_function(X)
        free = peer.support_[np.abs(peer.dual_coef_[0]) < min(C, 1e10)]
        # libsvm keeps kernels in single precision: its own margins tell how far it is from |f| = 1.
        doubt = np.abs(np.abs(expected[free]) - 1).max(initial=0.0)
        off, size = np.abs(student.decision_function(X) - expected).max(), np.abs(expected).max()
        near += off < 1e-6 * size
        assert off < 1e-6 * size + 200 * doubt
    assert near > least


def fixed_point(K, S, C, steps=20_000):
    """Steps on the pair that violates Kuhn-Tucker most, which keep sum x S = 0 (Platt, Keerthi)."""
    x = np.zeros(len(S))
    for _ in range(steps):
        h = S - K @ (S * x)
        up = np.where((x < C) & (S > 0) | (x > 0) & (S < 0), h, -np.inf)
        down = np.where((x < C) & (S < 0) | (x > 0) & (S > 0), h, np.inf)
        i, j = up.argmax(), down.argmin()
        if up[i] - down[j] < 1e-12:
            break
        step = (up[i] - down[j]) / max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
        room = [C[k] - x[k] if sign * S[k] > 0 else x[k] for k, sign in ((i, 1), (j, -1))]
        step = min(step, *room)
        x[i] += S[i] * step
        x[j] -= S[j] * step
    return x


@pytest.mark.parametrize("C", [0.3, 5.0])
def test_the_fixed_point_of_pair_steps(C):
    X, y = curved_clouds(3, 0.1, most=40)
    S, weights = 2.0 * y - 1.0, np.random.default_rng(0).integers(1, 4, len(y))
    student = KernelAdaTron(C=C, gamma=0.5, fit_intercept="free").fit(X, y, sample_weight=weights)
    x = fixed_point(rbf_kernel(X, gamma=0.5), S, C * weights)
    np.testing.assert_allclose(student.embedding_, x, atol=1e-8)
    assert abs(student.embedding_ @ S) < 1e-13


def test_active_sets_from_any_start():
    rng = np.random.default_rng(1)
    for _ in range(20):
        P = int(rng.integers(2, 30))
        X, S, C = rng.standard_normal((P, 3)), rng.choice([-1.0, 1.0], P), rng.uniform(0.1, 3.0, P)
        S[:2] = 1.0, -1.0
        K = rbf_kernel(X, gamma=0.3)
        x, steps = solve_balanced_box(K, S, np.zeros(P), S.copy(), C)
        assert steps < 300
        np.testing.assert_allclose(x, fixed_point(K, S, C), atol=1e-7)


def test_the_threshold_has_the_least_cost():
    rng = np.random.default_rng(2)
    for _ in range(50):
        n = int(rng.integers(2, 12))
        S, v, C = rng.choice([-1.0, 1.0], n), rng.standard_normal(n), rng.uniform(0.1, 2.0, n)
        S[:2] = 1.0, -1.0

        def cost(b, S=S, v=v, C=C):
            return C @ np.maximum(1 - S * (v + b), 0)

        found = cost(best_threshold(S, v, C))
        assert found <= min(cost(b) for b in [*(S - v), *rng.standard_normal(20)]) + 1e-12


def test_a_linear_kernel_is_the_linear_student():
    for seed, C in ((1, 1.0), (4, 10.0), (2, np.inf)):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((40, 6)), np.arange(40) % 2
        X += 3.0 * y[:, None] + 100.0
        a = AdaTron(C=C, fit_intercept="free").fit(X, y)
        b = KernelAdaTron(kernel="linear", C=C, fit_intercept="free").fit(X, y)
        np.testing.assert_allclose(b.decision_function(X), a.decision_function(X), atol=1e-7)
        np.testing.assert_allclose(b.stability_bounds_, a.stability_bounds_, rtol=1e-8)


@pytest.mark.parametrize("how", ["one_vs_rest", "one_vs_one"])
def test_many_classes_sparse_and_precomputed(how):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.standard_normal((90, 2)) + 2.5 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    student = KernelAdaTron(C=1.0, gamma=0.5, fit_intercept="free", multi_class=how)
    expected = student.fit(X, y).decision_function(X)
    assert student.intercept_.shape == (3,)
    assert set(student.status_) == {"exact"}
    np.testing.assert_allclose(student.fit(sparse.csr_array(X), y).decision_function(X), expected, atol=1e-7)
    K = rbf_kernel(X, gamma=0.5)
    np.testing.assert_allclose(
        student.set_params(kernel="precomputed").fit(K, y).decision_function(K), expected, atol=1e-7
    )
    if how == "one_vs_one":
        peer = SVC(C=1.0, gamma=0.5, tol=1e-9).fit(X, y)
        np.testing.assert_array_equal(peer.predict(X), np.argmax(expected, axis=1))


def test_a_constant_added_to_the_kernel_changes_nothing():
    X, y = curved_clouds(5)
    K = rbf_kernel(X, gamma=0.7)
    here, there = (
        KernelAdaTron(kernel="precomputed", fit_intercept="free").fit(Q, y) for Q in (K, K + 1000.0)
    )
    np.testing.assert_allclose(there.embedding_, here.embedding_, rtol=1e-6)
    np.testing.assert_allclose(there.stability_bounds_, here.stability_bounds_, rtol=1e-8)


def test_bounds_are_verified_and_others_refuted():
    for seed in range(12):
        X, y = curved_clouds(20 + seed, most=30)
        how = {"kernel": ["rbf", "poly"][seed % 2], "gamma": 0.5, "degree": 3}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            student = KernelAdaTron(
                fit_intercept=[True, False, "free"][seed % 3], intercept_scaling=0.3, **how
            )
            student.fit(X, y)
        assert verify(X, y, student)
        lower, upper = student.stability_bounds_
        if upper > 0:
            student.stability_bounds_ = (lower + 0.01 * upper, upper)
            assert not verify(X, y, student)
            student.stability_bounds_ = (lower, 0.5 * upper)
            assert not verify(X, y, student)


def test_not_separable_is_verified():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    for how in ({"kernel": "poly", "degree": 2}, {"kernel": "linear"}):
        with pytest.warns(ConvergenceWarning, match="not|linearly"):
            student = KernelAdaTron(fit_intercept="free", gamma=1.0, **how).fit(X, y)
        assert student.status_ == "not_separable"
        assert verify(X, y, student)


def test_bad_input_is_refused_with_a_reason():
    X, y = curved_clouds(0)
    with pytest.raises(ValueError, match="clamped input: set fit_intercept=True, or solver='fast'"):
        KernelAdaTron(fit_intercept="free", solver="sequential").fit(X, y)
    with pytest.raises(ValueError, match="'fit_intercept' parameter of KernelAdaTron"):
        KernelAdaTron(fit_intercept="clamped").fit(X, y)
    three = np.arange(len(y)) % 3
    with pytest.raises(ValueError, match="certificate"):
        verify(X, three, KernelAdaTron(C=1.0).fit(X, three))
