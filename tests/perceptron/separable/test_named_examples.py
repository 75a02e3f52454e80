"""Regression tests for sets that were once answered wrongly, and invariance under shifts and scales."""

import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from exact import nearest_point, square
from hypothesis import given, settings
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from markone import MinimalErrors, Pocket, Rosenblatt
from markone.perceptron import Adaline, AdaTron, KernelAdaTron, MinOver, separability, verify

LABELS = np.array([0, 0, 1, 1])
YEARS = np.array([[2000.0], [2001], [2002], [2003]])
KELVIN = np.array([[300.15], [300.16], [300.17], [300.18]])
FAR = np.array([[2e5], [2e5 + 1], [2e5 + 2], [2e5 + 3]])


def kappa_squared(X, y, constant=1.0):
    S = np.where(np.asarray(y) == np.max(y), 1, -1)
    p = nearest_point(S[:, None] * np.column_stack([X, np.full(len(X), constant)]))
    return sum(v * v for v in p)


def fitted(student, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return student.fit(X, y)


@pytest.mark.parametrize("X", [YEARS, KELVIN, FAR], ids=["years", "kelvin", "far"])
@pytest.mark.parametrize("student", [AdaTron(random_state=0), KernelAdaTron(kernel="linear", random_state=0)])
def test_columns_far_from_zero_are_solved(X, student):
    student.fit(X, LABELS)
    low, high = student.stability_bounds_
    assert square(low) <= kappa_squared(X, LABELS) <= square(high)
    assert high - low <= 1e-9 * high
    assert student.score(X, LABELS) == 1
    assert separability(X, LABELS, fit_intercept=True).separable is True


@pytest.mark.parametrize("shift", [1e3, 1e4, 1e5])
def test_normal_points_far_from_zero(shift):
    rng = np.random.default_rng(0)
    for _ in range(30):
        X, y = rng.standard_normal((10, 3)) + shift, rng.permutation(np.arange(10) % 2)
        student, truth = fitted(AdaTron(random_state=0), X, y), kappa_squared(X, y)
        low, high = student.stability_bounds_
        assert square(low) <= truth <= square(high)
        assert student.converged_ == (truth > 0)
        assert (student.status_ == "not_separable") == (truth == 0)


def test_a_slope_of_rounding_errors_divides_by_nothing():
    X = [[0.0, 0, 1, 0, 0], [1, 1, 1, 0, 1], [0, 1, 0, 0, 1]]
    assert separability(X, [-1, 1, -1]).separable is True


def test_the_smallest_number_is_a_number():
    result = separability([[1.0, 2.0], [0.0, 5e-324]], [0, 1])
    assert result.separable is True
    w = result.witness
    assert w[0] + 2 * w[1] < 0 < w[1]


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1.0, 1e30, 1e149])
def test_scales_change_nothing(scale):
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((12, 5)), np.arange(12) % 2
    answer, best = separability(X * scale, y), fitted(AdaTron(fit_intercept=False), X * scale, y)
    S = np.where(y, 1, -1)
    truth = sum(v * v for v in nearest_point(S[:, None] * (X * scale)))
    assert answer.separable is (truth > 0)
    for low, high in (answer.stability_bounds, best.stability_bounds_):
        assert square(low) <= truth <= square(high)


@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_kernel_bounds_hold_on_thin_sets(kernel):
    rng = np.random.default_rng(3)
    for k in range(40):
        X = np.round(rng.standard_normal((6, 1 + k % 2)), 1) + 10.0 ** (k % 4)
        y = rng.permutation(np.arange(6) % 2)
        student = fitted(KernelAdaTron(kernel=kernel, degree=1, gamma=1.0, random_state=0), X, y)
        # (xi . xi' + 1) + 1 is the scalar product with a constant input of square two.
        features = X if kernel == "linear" else np.column_stack([X, np.ones(6)])
        truth, (low, high) = kappa_squared(features, y), student.stability_bounds_
        assert square(low) <= truth <= square(high)
        if student.status_ == "not_separable":
            assert truth == 0


def test_adaline_in_random_order_converges_only_where_it_has():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((2, 5)), np.array([0, 1])
        student = fitted(Adaline(solver="sequential", order="random", max_iter=200, random_state=seed), X, y)
        if student.converged_:
            S = np.array([-1, 1])
            assert np.abs(1 - S * student.decision_function(X)).max() < 1e-6


def test_minover_reports_proven_bounds_only():
    student = fitted(MinOver(max_iter=50), YEARS, LABELS)
    low, high = student.stability_bounds_
    assert square(low) <= kappa_squared(YEARS, LABELS) <= square(high)
    assert not student.converged_ or high - low <= 0.0101 * high


@given(seed=st.integers(0, 10**6), N=st.integers(1, 3), power=st.integers(0, 40))
@settings(max_examples=80)
def test_a_shift_never_makes_a_separable_set_inseparable(seed, N, power):
    # Multiples of 1/8 below 8 and a whole shift below 2^46: no sum is rounded, the set is the same one.
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-64, 65, (8, N)) / 8, rng.permutation(np.arange(8) % 2)
    before = separability(X, y, fit_intercept=True).separable
    after = separability(X + 2.0**power, y, fit_intercept=True).separable
    scaled = separability(X * 2.0 ** (power - 20), y, fit_intercept=True).separable
    assert before is not None
    assert before is after
    assert before is scaled
    shifted = fitted(AdaTron(random_state=0), X + 2.0**power, y)
    assert not (before and shifted.status_ == "not_separable")


@pytest.mark.parametrize("order", [2, 4, 8])
def test_thin_cross_polytopes_turned_by_a_hadamard_matrix(order):
    """Rows +-e_j turned, the first column 2^-k: exactly dependent, and as thin as one likes."""
    H = np.array([[1.0]])
    while len(H) < order:
        H = np.block([[H, H], [H, -H]])
    rng = np.random.default_rng(order)
    for k in range(0, 1000, 50):
        X = np.vstack([H, -H])[rng.permutation(2 * order)]
        X[:, 0] = np.ldexp(X[:, 0], -k)
        y = rng.permutation(np.arange(2 * order) % 2)
        answer = separability(X, y, fit_intercept=True)
        assert answer.separable is not None
        assert verify(X, y.tolist(), answer)


@pytest.mark.parametrize(
    "student", [AdaTron(), KernelAdaTron(), Rosenblatt(), Pocket(), MinimalErrors()], ids=str
)
def test_integers_and_labels_beyond_the_floats(student):
    """Time stamps in nanoseconds are refused, labels of 64 bits are kept apart."""
    X = 2**53 + np.arange(3)[:, None]
    for inputs in (X, X.tolist(), sparse.csr_array(X)):
        with pytest.raises(ValueError, match=r"integer 9007199254740993, which float64 rounds to"):
            clone(student).fit(inputs, [0, 0, 1])
    assert fitted(clone(student), X - 2**53, [0, 0, 1]).n_features_in_ == 1
    labels = fitted(clone(student), [[0.0], [1.0], [3.0]], X.ravel()).classes_
    assert labels.tolist() == X.ravel().tolist()
