"""Mercer kernels: the formulas of the notes, scikit-learn's meaning of the parameters, refusals."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import pairwise_kernels

from markone import KernelAdaTron, KernelGLVQ
from markone.perceptron.margin.kernel.mercer import make_kernel

rng = np.random.default_rng(0)
X = rng.standard_normal((7, 3))
NEW = rng.standard_normal((4, 3))
ALL = np.arange(7)


def quadratic_features(xi):
    """(4.30) spelled out: 1, sqrt2 xi_j, xi_j xi_k."""
    return np.concatenate([[1.0], math.sqrt(2) * xi, np.outer(xi, xi).ravel()])


def test_the_quadratic_kernel_is_the_scalar_product_of_its_features():
    kernel = make_kernel("poly", X, degree=2, gamma=1.0, coef0=1.0)
    Psi = np.array([quadratic_features(xi) for xi in X])
    np.testing.assert_allclose(kernel.rows(ALL), Psi @ Psi.T, rtol=1e-13, atol=1e-13)


def test_rbf_is_the_formula_of_the_notes():
    sigma = 1.7
    kernel = make_kernel("rbf", X, gamma=1 / (2 * sigma**2))
    plain = [[math.exp(-sum((a - b) ** 2) / (2 * sigma**2)) for b in X] for a in X]
    np.testing.assert_allclose(kernel.rows(ALL), plain, rtol=1e-13)


@pytest.mark.parametrize("name", ["linear", "poly", "rbf"])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix, lambda X: X.astype(np.float32)])
def test_rows_cross_and_diagonal_are_those_of_scikit_learn(name, make):
    options = {} if name == "linear" else {"gamma": 0.3}
    more = {"degree": 3, "coef0": 0.5} if name == "poly" else {}
    kernel = make_kernel(name, make(X), gamma=0.3, degree=3, coef0=0.5)
    single = make(X).dtype == np.float32
    inputs, new = (X.astype(np.float32), NEW.astype(np.float32)) if single else (X, NEW)
    inputs, new = inputs.astype(float), new.astype(float)
    expected = pairwise_kernels(inputs, metric=name, **options, **more)
    np.testing.assert_allclose(kernel.rows(np.array([2, 5])), expected[[2, 5]], rtol=1e-12)
    np.testing.assert_allclose(
        kernel.kernel_block(np.array([2, 5]), np.array([1])), expected[[2, 5], 1:2], rtol=1e-12
    )
    np.testing.assert_allclose(kernel.kernel_diagonal(), np.diagonal(expected), rtol=1e-12)
    across = pairwise_kernels(new, inputs, metric=name, **options, **more)
    np.testing.assert_allclose(kernel.cross_kernel(make(NEW)), across, rtol=1e-12)
    np.testing.assert_allclose(kernel.cross_kernel(make(NEW), np.array([3])), across[:, [3]], rtol=1e-12)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "precomputed", lambda X, Y: X @ Y.T])
def test_clamp_adds_a_constant_everywhere(kernel):
    inputs, new = (X @ X.T, NEW @ X.T) if kernel == "precomputed" else (X, NEW)
    plain, clamped = make_kernel(kernel, inputs), make_kernel(kernel, inputs, clamp=2.0)
    np.testing.assert_allclose(clamped.rows(ALL), plain.rows(ALL) + 2.0)
    np.testing.assert_allclose(clamped.cross_kernel(new), plain.cross_kernel(new) + 2.0)
    np.testing.assert_allclose(clamped.kernel_diagonal(), plain.kernel_diagonal() + 2.0)


def test_gamma_scale_and_auto_are_those_of_svc():
    assert make_kernel("rbf", X, gamma="scale").gamma == pytest.approx(1 / (3 * X.var()))
    assert make_kernel("rbf", sp.csr_matrix(X), gamma="scale").gamma == pytest.approx(1 / (3 * X.var()))
    assert make_kernel("rbf", X, gamma="auto").gamma == pytest.approx(1 / 3)
    assert make_kernel("rbf", np.ones((2, 3)), gamma="scale").gamma == 1.0


def test_a_common_shift_of_all_inputs_costs_no_digits():
    far = X + 1e6
    exact = np.exp(-0.5 * ((far[:, None] - far) ** 2).sum(axis=2))
    np.testing.assert_allclose(make_kernel("rbf", far, gamma=0.5).rows(ALL), exact, rtol=1e-8)


def test_distances_beyond_the_range_of_exp_give_zero():
    K = make_kernel("rbf", np.array([[0.0], [1e3]]), gamma=1.0).rows(np.arange(2))
    np.testing.assert_array_equal(K, np.eye(2))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kernel": lambda X, Y: X[0] @ Y.T}, r"returned the shape \(7,\) for 7 and 7 inputs"),
        ({"kernel": lambda X, Y: X[:, :1] - Y[:, :1].T}, "The kernel function is not symmetric"),
        ({"kernel": lambda X, Y: -X @ Y.T}, "The kernel function is not positive semi-definite"),
        ({"kernel": lambda X, Y: X @ Y.T * np.nan}, "contains NaN or infinity"),
    ],
)
def test_bad_kernels_are_refused_with_a_reason(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_kernel(X=X, **options)


def test_a_precomputed_kernel_must_be_a_square_symmetric_scalar_product():
    with pytest.raises(ValueError, match=r"has the shape \(7, 3\). It must be square"):
        make_kernel("precomputed", X)
    with pytest.raises(ValueError, match=r"not symmetric: .* reaches 1"):
        make_kernel("precomputed", np.array([[2.0, 1.0], [0.0, 2.0]]))
    with pytest.raises(ValueError, match=r"most negative eigenvalue is -1\."):
        make_kernel("precomputed", np.array([[1.0, 2.0], [2.0, 1.0]]))
    np.testing.assert_array_equal(make_kernel("precomputed", np.eye(3)).rows(np.arange(3)), np.eye(3))


def test_a_large_precomputed_kernel_is_searched_for_two_examples_that_contradict_it():
    K = np.eye(2001)
    K[1500, 7] = K[7, 1500] = 3.0
    with pytest.raises(ValueError, match="most negative eigenvalue is -2 or less"):
        make_kernel("precomputed", K)


def test_float32_rounding_of_a_precomputed_kernel_is_accepted():
    Z = rng.standard_normal((50, 3))
    kernel = make_kernel("precomputed", (Z @ Z.T).astype(np.float32))
    assert kernel.rows(np.arange(2)).dtype == float


@pytest.mark.parametrize("student", [KernelAdaTron, KernelGLVQ])
@pytest.mark.parametrize(
    "options",
    [{"kernel": "sigmoid"}, {"gamma": "large"}, {"gamma": -1.0}, {"gamma": math.nan}, {"gamma": math.inf},
     {"degree": 2.5}, {"degree": 0}, {"coef0": -1.0}, {"coef0": math.inf}],
)  # fmt: skip
def test_bad_parameters_are_refused_by_the_estimators(student, options):
    ((name, value),) = options.items()
    sentence = rf"'{name}' parameter of {student.__name__} must be .+ Got {value!r} instead"
    with pytest.raises(ValueError, match=sentence):
        student(**options).fit(X, np.arange(len(X)) % 2)
