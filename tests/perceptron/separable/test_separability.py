"""Separable or not: against HiGHS, against exact arithmetic, against Cover's count."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from scipy.optimize import linprog
from scipy.stats import ortho_group

from markone.perceptron.separable import separability
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, UNDECIDED, decide_separable
from markone.perceptron.separable.certify import newton_by_svd, reduce_columns
from markone.perceptron.separable.exact import elimination, nearest, simplex


def lp_margin(Z):
    """max m with Z w >= m, |w_j| <= 1, m <= 1: positive if and only if separable. Posed as Z w >= 1
    HiGHS fails on some sets."""
    Z = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    P, N = Z.shape
    cost = np.append(np.zeros(N), -1.0)
    bounds = [(-1, 1)] * N + [(None, 1)]
    result = linprog(cost, A_ub=np.hstack([-Z, np.ones((P, 1))]), b_ub=np.zeros(P), bounds=bounds)
    assert result.status == 0
    return -result.fun


@pytest.mark.parametrize(
    "labels", [[False, True], [0, 1], [2.0, 7.0], ["a", "b"]], ids=["truth", "whole", "floats", "words"]
)
@pytest.mark.parametrize("kind", [list, np.array])
def test_labels_of_any_kind(labels, kind):
    result = separability([[0.0], [1.0]], kind(labels), fit_intercept=True)
    assert result.separable
    assert result.weights[0] > 0


def signed(X, y, constant=None):
    S = np.where(y == np.max(y), 1.0, -1.0)
    X = np.asarray(X, float)
    return S[:, None] * (X if constant is None else np.column_stack([X, np.full(len(X), constant)]))


def verify(result, Z):
    """Check the certificate without the code that made it."""
    lower, upper = result.stability_bounds
    lengths = np.linalg.norm(Z, axis=1)
    x = result.embedding
    assert x.shape == (len(Z),)
    assert x.min() >= 0
    assert x.sum() > 0
    assert lower <= upper
    if result.separable:
        w = (
            result.weights
            if len(result.weights) == Z.shape[1]
            else np.append(result.weights, result.intercept)
        )
        E = Z @ w
        assert lower == pytest.approx(E.min() / np.linalg.norm(w), rel=1e-9, abs=1e-14 * lengths.max())
        assert upper == pytest.approx(np.linalg.norm(Z.T @ x) / x.sum(), rel=1e-12, abs=1e-14 * lengths.max())
    else:
        assert result.weights is None
        assert upper == 0
        assert np.linalg.norm(Z.T @ x) <= 1e-9 * (x @ lengths)


def gaussian(rng, P, N):
    return rng.standard_normal((P, N))


def duplicates(rng, P, N):
    X = rng.standard_normal((P, N))
    X[P // 2 :] = X[rng.integers(0, P // 2, P - P // 2)]
    return X


def collinear(rng, P, N):
    return rng.standard_normal((P, 1)) * rng.standard_normal(N) + (rng.random((P, 1)) < 0.3)


def pixels(rng, P, N):
    X = rng.integers(0, 2, (P, N)).astype(float)
    X[X.sum(axis=1) == 0, 0] = 1
    return X


def flat(rng, P, N):
    rank = max(1, N - 2)
    return rng.standard_normal((P, rank)) @ rng.standard_normal((rank, N))


def badly_scaled(rng, P, N):
    return rng.standard_normal((P, N)) * 10.0 ** rng.uniform(-6, 6, (P, 1))


KINDS = [gaussian, gaussian, gaussian, duplicates, collinear, pixels, flat, badly_scaled]


# Multiples of 16: all kinds, with and without threshold.
@pytest.mark.parametrize("share", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("N", "n_sets"), [(2, 160), (5, 160), (20, 160), (50, 48)])
def test_the_linear_program_agrees(N, n_sets, share):
    rng = np.random.default_rng(N)
    undecided = 0
    for k in range(share * n_sets):
        P = max(2, round(N * rng.uniform(1.5, 2.5)))
        X, y = KINDS[k % len(KINDS)](rng, P, N), rng.permutation(np.arange(P) % 2)
        threshold = bool(k % 16 >= 8)
        Z = signed(X, y, 1.0 if threshold else None)
        result = separability(X, y, fit_intercept=threshold)
        undecided += result.separable is None
        verify(result, Z)
        # The linear program has a tolerance; where the rows are rounded to near balance, we have none.
        margin = lp_margin(Z)
        assert result.separable == (margin > 0) or margin < 1e-9, (k, result)
        assert not (margin > 1e-9 and not result.separable), (k, result)
    assert undecided == 0


def solve_exactly(Z):
    """Separable or not by Fourier-Motzkin elimination in rational numbers, all Z w > 0."""
    rows = [[Fraction(int(v)) for v in row] for row in Z]
    for _ in range(len(rows[0])):
        positive, negative = [r for r in rows if r[0] > 0], [r for r in rows if r[0] < 0]
        rest = [r[1:] for r in rows if r[0] == 0]
        for p in positive:
            for q in negative:
                rest.append([b / p[0] - d / q[0] for b, d in zip(p[1:], q[1:], strict=True)])
        rows = list(map(list, set(map(tuple, rest))))
    return not rows


def test_exact_rational_arithmetic_agrees_on_small_integers():
    rng = np.random.default_rng(3)
    answers = []
    for _ in range(150):
        X, y = rng.integers(-2, 3, (7, 3)), np.array([0, 1, 0, 1, 0, 1, 1])
        result = separability(X, y)
        answers.append(result.separable)
        assert result.separable == solve_exactly(signed(X, y))
        if result.separable:
            w = [Fraction(v) for v in result.weights]
            assert all(sum(Fraction(z) * v for z, v in zip(row, w, strict=True)) > 0 for row in signed(X, y))
    assert 30 < sum(answers) < 120


def plain_newton(Z, max_iter=200):
    """The method of the compiled code without its warm start, scaling and updates."""
    P, N = Z.shape
    Z = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    w = np.zeros(N)
    for n in range(max_iter):
        E = Z @ w
        r = np.maximum(1 - E, 0)
        active = r > 0
        H = Z[active].T @ Z[active]
        d = np.linalg.solve(H + 1e-13 * P * np.eye(N), Z.T @ r)
        y = np.where(active, r - Z @ d, 0)
        if y.min() >= 0 and np.linalg.norm(Z.T @ y) < 1e-9 * y.sum():
            return False, n
        crossings = np.unique(np.append((1 - E) / (Z @ d), 1.0))
        ts = np.append(crossings[crossings > 0], 2 * crossings.max() + 1)
        slopes = [-(Z @ d) @ np.maximum(1 - E - t * (Z @ d), 0) for t in np.append(0.0, ts)]
        k = int(np.searchsorted(slopes, 0.0))
        low, high = np.append(0.0, ts)[max(k - 1, 0)], ts[min(max(k - 1, 0), len(ts) - 1)]
        rise = slopes[min(k, len(ts))] - slopes[max(k - 1, 0)]
        t = low - slopes[max(k - 1, 0)] * (high - low) / rise if rise > 0 else high
        w = w + t * d
        if (Z @ w).min() > 0:
            return True, n
    return None, max_iter


@pytest.mark.parametrize("N", [3, 10, 70, 200])
def test_the_plain_twin_agrees(N):
    # 200 inputs: the panels by BLAS.
    rng = np.random.default_rng(N)
    for _ in range(40 if N < 50 else 6):
        Z = rng.standard_normal((2 * N, N))
        w, x = np.empty(N), np.empty(2 * N)
        status, _ = decide_separable(Z, w, x, 1e-9, 500)
        assert status != UNDECIDED
        assert (status == SEPARABLE) == plain_newton(Z)[0]


def test_cover_counts_half_at_twice_as_many_examples_as_inputs():
    rng = np.random.default_rng(11)
    n = 2000
    w, x = np.empty(5), np.empty(10)
    yes = sum(
        decide_separable(rng.standard_normal((10, 5)), w, x, 1e-9, 100)[0] == SEPARABLE for _ in range(n)
    )
    assert abs(yes / n - 0.5) < 4 * 0.5 / np.sqrt(n)


small = st.integers(0, 10**6)


@given(seed=small, N=st.integers(1, 8), P=st.integers(2, 16))
@settings(max_examples=60)
def test_scaling_rotation_order_and_relabelling_change_nothing(seed, N, P):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((P, N)), rng.permutation(np.arange(P) % 2)
    answer = separability(X, y).separable
    assert answer is not None
    turn = ortho_group.rvs(N, random_state=rng) if N > 1 else -np.eye(1)
    order = rng.permutation(P)
    assert separability(X * 10.0 ** rng.uniform(-8, 8, (P, 1)), y).separable == answer
    assert separability(X * 10.0 ** rng.uniform(-5, 5, N), y).separable == answer
    assert separability(X @ turn, y).separable == answer
    assert separability(X[order], y[order]).separable == answer
    assert separability(X, -y).separable == answer
    assert separability(X.astype(np.float32), np.where(y, "b", "a")).separable == answer


@pytest.mark.parametrize(("P", "N", "density"), [(40, 20, 0.3), (30, 100, 0.2), (60, 200, 0.01)])
def test_sparse_equals_dense(P, N, density):
    rng = np.random.default_rng(P)
    for k in range(15):
        X = rng.standard_normal((P, N)) * (rng.random((P, N)) < density)
        y = np.arange(P) % 2
        if k % 3 == 0:
            X[1] = 2 * X[0]
        dense = separability(X, y, fit_intercept=k % 2 == 0)
        verify(dense, signed(X, y, 1.0 if k % 2 == 0 else None))
        for form in (scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array):
            sparse = separability(form(X), y, fit_intercept=k % 2 == 0)
            assert sparse.separable == dense.separable
            verify(sparse, signed(X, y, 1.0 if k % 2 == 0 else None))


def test_few_examples_in_general_position_are_separable():
    rng = np.random.default_rng(0)
    for P, N in [(2, 1000), (20, 20), (50, 300)]:
        X = rng.standard_normal((P, N))
        result = separability(X, np.arange(P) % 2)
        assert result.separable is True
        verify(result, signed(X, np.arange(P) % 2))


@pytest.mark.parametrize("N", [3, 40])
def test_contradictory_duplicates_are_not_separable(N):
    X = np.random.default_rng(1).standard_normal((20, N))
    y = np.arange(20) % 2
    X[7] = 4 * X[4]  # three times would round: another direction, and separable
    result = separability(X, y)
    assert result.separable is False
    assert not result
    verify(result, signed(X, y))


def test_a_zero_example_is_never_separable_without_threshold():
    X, y = np.array([[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]]), [1, 1, 0]
    result = separability(X, y)
    assert result.separable is False
    assert "example 1 is zero" in result.message
    assert result.stability_bounds[1] == 0
    assert separability(scipy.sparse.csr_array(X), y).separable is False
    assert separability(X, y, fit_intercept=True).separable is True


@pytest.mark.parametrize("gap", [1e-4, 1e-7, 1e-10, 1e-11])
@pytest.mark.parametrize("N", [5, 30])
def test_a_narrow_gap_is_found(gap, N):
    rng = np.random.default_rng(N)
    X = rng.standard_normal((20, N))
    X[:, 0] = np.where(np.arange(20) % 2, 1, -1) * (1 + rng.random(20))
    X[1] = X[0]
    X[:2, 0] = -gap / 2, gap / 2
    result = separability(X, np.arange(20) % 2)
    assert result.separable is True
    verify(result, signed(X, np.arange(20) % 2))


def test_a_gap_of_the_last_bit_is_a_gap():
    X = np.array([[1.0, 1e-15], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]])
    result = separability(X, [1, 0, 0, 1])
    assert result.separable is True
    assert 0 < result.stability_bounds[0] <= result.stability_bounds[1] < 1e-14


def test_the_degenerate_solver_decides_alone():
    rng = np.random.default_rng(8)
    for _ in range(20):
        Z = rng.standard_normal((20, 10))
        Z /= np.linalg.norm(Z, axis=1, keepdims=True)
        w, x = np.zeros(10), np.ones(20)
        status, _ = newton_by_svd(Z, w, x, 1e-12, 100)
        assert (status == SEPARABLE) == (lp_margin(Z) > 1e-9)
        if status == SEPARABLE:
            assert (Z @ w).min() > 0
        else:
            assert status == NOT_SEPARABLE
            assert np.linalg.norm(Z.T @ x) < 1e-11 * x.sum()


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
def test_narrow_keeps_the_geometry(form):
    Z = np.random.default_rng(2).standard_normal((6, 15))
    Z[5] = Z[0] - Z[1]
    B, back = reduce_columns(form(Z))
    assert B.shape[1] <= 6
    np.testing.assert_allclose(B @ B.T, Z @ Z.T, atol=1e-12)
    v = np.random.default_rng(3).standard_normal(B.shape[1])
    np.testing.assert_allclose(Z @ back(v), B @ v, atol=1e-12)


def test_tol_never_decides():
    X = np.random.default_rng(4).standard_normal((100, 10))
    for tol in (0.0, 1e-9, 0.5):
        assert separability(X, np.arange(100) % 2, tol=tol, max_iter=5).separable is False


def test_an_undecided_result_has_no_truth_value(monkeypatch):
    # Contradictory labels on dependent columns: only exact arithmetic proves it, which is switched off here.
    monkeypatch.setattr(elimination, "_elimination_affordable", lambda *size: False)
    monkeypatch.setattr(nearest, "LONGEST", 0.0)
    monkeypatch.setattr(simplex, "simplex_affordable", lambda *size: False)
    X = np.random.default_rng(4).standard_normal((20, 3)) @ np.ones((3, 5))
    X[1] = X[0]
    result = separability(X, np.arange(20) % 2)
    assert result.separable is None
    assert result.weights is None
    assert result.stability_bounds[0] <= 0 < result.stability_bounds[1]
    with pytest.raises(TypeError, match=r"Not decided after .* Newton steps"):
        bool(result)


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (np.eye(3), [1, 1, 1], "one class 1 only"),
        (np.eye(3), [0, 1, 2], "3 classes, but two are needed"),
        (np.eye(3), [0, 1], "one label for each of the 3 examples"),
        (np.eye(3), [0.5, 1.5, 0.5], "[Uu]nknown label type: continuous"),
        (np.eye(3), [0, 1, np.nan], "y contains NaN"),
        (np.full((2, 2), np.nan), [0, 1], "X contains NaN or infinity"),
        (scipy.sparse.csr_array([[np.inf, 0.0], [0.0, 1.0]]), [0, 1], "X contains NaN or infinity"),
        (np.empty((0, 3)), [], r"X has shape \(0, 3\)"),
        (np.ones(3), [0, 1, 0], r"its shape is \(3,\)"),
        (np.diag([1e200, 1]), [0, 1], "Rescale X"),
    ],
)
def test_bad_input_raises_with_a_message(X, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        separability(X, y)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"tol": -1.0}, "tol must lie"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"fit_intercept": True, "intercept_scaling": 0.0}, "intercept_scaling must be finite and not 0"),
    ],
)
def test_bad_options_raise_with_a_message(option, sentence):
    with pytest.raises(ValueError, match=sentence):
        separability(np.eye(2), [0, 1], **option)
