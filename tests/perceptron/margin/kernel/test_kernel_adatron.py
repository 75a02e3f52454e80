"""KernelAdaTron the estimator: the textbook loop, the linear student, libsvm."""

import warnings

import numpy as np
import pytest
from examples import random_labels, teacher, three_clusters
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from markone.perceptron import AdaTron, KernelAdaTron


def ring(P=80, seed=0):
    """A disc inside a ring: not separable in the plane."""
    rng = np.random.default_rng(seed)
    y = np.arange(P) % 2
    angle, radius = rng.uniform(0, 2 * np.pi, P), 1.0 + 2.0 * y + 0.3 * rng.standard_normal(P)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y


@pytest.mark.parametrize("C", [np.inf, 0.5])
def test_a_linear_kernel_is_the_linear_student(C):
    xi, S = teacher(60, 20, noise=0.0 if np.isinf(C) else 0.1)
    linear = AdaTron(C=C, intercept_scaling=2.0).fit(xi, S)
    kernel = KernelAdaTron(kernel="linear", C=C, intercept_scaling=2.0).fit(xi, S)
    np.testing.assert_allclose(kernel.decision_function(xi), linear.decision_function(xi), atol=1e-7)
    # Stability in the notes' units is without the 1/N of the strengths.
    assert kernel.stability_ == pytest.approx(linear.stability_, rel=1e-8)
    np.testing.assert_allclose(kernel.embedding_, linear.embedding_ / 21, atol=1e-7)


@pytest.mark.parametrize("C", [np.inf, 2.0])
def test_the_book_and_the_fast_solver_agree(C):
    X, y = ring()
    fast = KernelAdaTron(C=C).fit(X, y)
    book = KernelAdaTron(C=C, solver="sequential", tol=1e-10, max_iter=200_000).fit(X, y)
    np.testing.assert_allclose(book.decision_function(X), fast.decision_function(X), atol=1e-4)
    assert book.stability_ == pytest.approx(fast.stability_, rel=1e-6)
    assert fast.status_ == "exact"


def test_sequential_updates_equal_the_book():
    X, y = ring(30)
    S = np.where(y == 1, 1.0, -1.0)
    G = np.outer(S, S) * rbf_kernel(X, gamma=0.5)
    x = np.zeros(30)
    for _ in range(5):
        for mu in range(30):
            x[mu] = max(0.0, x[mu] + (1 - G[mu] @ x) / G[mu, mu])
    with pytest.warns(ConvergenceWarning, match="after 5 epochs"):
        student = KernelAdaTron(
            gamma=0.5, solver="sequential", order="cyclic", max_iter=5, fit_intercept=False
        ).fit(X, y)
    np.testing.assert_allclose(student.embedding_, x, atol=1e-12)


def test_the_dual_is_no_worse_than_that_of_libsvm():
    """SVC has a free threshold; with its threshold held at zero the two problems are the same for data
    symmetric under xi -> -xi with S -> -S, where the optimal threshold is zero."""
    X, y = ring(60)
    X, S = np.vstack([X, -X]) + 0.0, np.append(np.where(y == 1, 1, -1), np.where(y == 1, -1, 1))
    X = np.column_stack([X, np.append(np.ones(60), -np.ones(60))])
    theirs = SVC(C=3.0, gamma=0.7, tol=1e-8).fit(X, S)
    ours = KernelAdaTron(C=3.0, gamma=0.7, fit_intercept=False).fit(X, S)
    assert theirs.intercept_[0] == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    assert set(ours.support_) == set(theirs.support_)


def test_precomputed_and_callable_are_the_same_student():
    X, y = ring()
    K = rbf_kernel(X, gamma=0.5)
    named = KernelAdaTron(gamma=0.5, C=1.0).fit(X, y)
    matrix = KernelAdaTron(kernel="precomputed", C=1.0).fit(K, y)
    function = KernelAdaTron(kernel=lambda a, b: rbf_kernel(a, b, gamma=0.5), C=1.0).fit(X, y)
    thin = KernelAdaTron(gamma=0.5, C=1.0).fit(sparse.csr_array(X), y)
    new = ring(20, seed=1)[0]
    expected = named.decision_function(new)
    np.testing.assert_allclose(matrix.decision_function(rbf_kernel(new, X, gamma=0.5)), expected, atol=1e-8)
    np.testing.assert_allclose(function.decision_function(new), expected, atol=1e-8)
    np.testing.assert_allclose(thin.decision_function(sparse.csr_array(new)), expected, atol=1e-8)


def test_zero_weight_is_absence():
    X, y = ring()
    K = rbf_kernel(X, gamma=0.5)
    weight = (np.arange(80) % 4 > 0).astype(float)
    some = weight > 0
    absent = KernelAdaTron(gamma=0.5, C=1.0).fit(X[some], y[some])
    weighted = KernelAdaTron(gamma=0.5, C=1.0).fit(X, y, sample_weight=weight)
    matrix = KernelAdaTron(kernel="precomputed", C=1.0).fit(K, y, sample_weight=weight)
    np.testing.assert_allclose(weighted.decision_function(X), absent.decision_function(X), atol=1e-8)
    np.testing.assert_allclose(matrix.decision_function(K), absent.decision_function(X), atol=1e-8)
    assert (weighted.embedding_[~some] == 0).all()
    np.testing.assert_array_equal(weighted.support_, np.flatnonzero(some)[absent.support_])


def test_many_classes_keep_only_their_support_vectors():
    X, y = three_clusters(90)
    student = KernelAdaTron(C=1.0).fit(X, y)
    assert student.score(X, y) > 0.95
    assert student.embedding_.shape == (3, 90)
    kept = student._kernel.X.shape[0]
    assert kept == np.count_nonzero(student.embedding_.any(axis=0)) < 90
    normal = KernelAdaTron(C=1.0, normalize=True).fit(X, y)
    assert normal.score(X, y) > 0.95


def test_the_fraction_of_support_vectors_indicates_overfitting():
    X, y = ring()
    wide, narrow = KernelAdaTron(gamma=0.1).fit(X, y), KernelAdaTron(gamma=1000.0).fit(X, y)
    assert wide.support_fraction_ < 0.3
    assert narrow.support_fraction_ > 0.9


def test_not_separable_is_proven_and_the_best_student_kept():
    xi, S = random_labels(60, 5)
    with pytest.warns(ConvergenceWarning, match="not separable in feature space.*Set C to allow errors"):
        student = KernelAdaTron(kernel="linear", fit_intercept=False).fit(xi, S)
    assert student.status_ == "not_separable"
    assert np.linalg.norm(xi.T @ (student.proof_ * S)) < 1e-6
    assert student.stability_ < 0


def test_a_grid_search_over_a_precomputed_kernel_splits_both_axes():
    X, y = ring()
    search = GridSearchCV(KernelAdaTron(kernel="precomputed"), {"C": [0.1, 1.0]}, cv=3)
    assert search.fit(rbf_kernel(X), y).best_score_ > 0.9


def test_inputs_that_centring_would_make_equal_are_not_called_inseparable():
    """Gaussians of different inputs are independent, however near: separable, if not always by floats."""
    student = KernelAdaTron(gamma=1.0).fit([[0.0], [1.0], [3e17]], [0, 1, 1])
    assert student.status_ == "exact"
    with pytest.warns(ConvergenceWarning, match="are separable in feature space, and proved"):
        student = KernelAdaTron(gamma=1.0).fit([[0.0], [1e-18], [1.0]], [0, 1, 1])
    assert student.status_ == "max_epochs"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_skewed_columns_are_not_refused():
    X = np.array([[0.00014], [0.27], [1.1e6], [0.00024]])
    student = KernelAdaTron().fit(X, [0, 1, 1, 0])
    lower, upper = student.stability_bounds_
    assert lower <= upper
    K = student._kernel.cross_kernel(X)
    distances = (X - X[student.support_].T) ** 2
    np.testing.assert_allclose(K, np.exp(-student._kernel.gamma * distances) + 1.0, rtol=1e-15)


def test_no_lognormal_column_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for seed in range(30):
            rng = np.random.default_rng(seed)
            X, y = np.exp(3 * rng.standard_normal((12, 1))), np.arange(12) % 2
            assert KernelAdaTron().fit(X, y).status_ != "not_separable"


def test_bad_kernels_are_refused_with_a_reason():
    X, y = ring(20)
    with pytest.raises(ValueError, match="not positive semi-definite: its most negative eigenvalue"):
        KernelAdaTron(kernel="precomputed").fit(-np.eye(20) - 1, y)
    with pytest.raises(ValueError, match="must be square"):
        KernelAdaTron(kernel="precomputed").fit(X, y)
    with pytest.raises(ValueError, match="'kernel' parameter of KernelAdaTron"):
        KernelAdaTron(kernel="gaussian").fit(X, y)
