"""The fast path: its preparation, the sets it leaves to the slow path, and the same answers as that."""

import copy
import pickle
from dataclasses import asdict, replace

import numpy as np
import pytest

from markone.perceptron.separable import bounds, separability
from markone.perceptron.separable._prepare import prepare_examples
from markone.perceptron.separable._scales import compute_scales
from markone.perceptron.separable.certify import certify_rows
from markone.perceptron.separable.dense import decide_dense
from markone.perceptron.separable.rows import build_rows


def prepared(X, y):
    P, N = X.shape
    Y, x, of_examples, of_inputs = np.empty((P, N)), np.empty(P), np.zeros((5, P)), np.zeros((4, N))
    answer = prepare_examples(X, y, Y, x, of_examples, of_inputs)
    return answer, Y, x, of_examples, of_inputs


def some(seed, P, N, spread=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((P, N)) * 10.0 ** rng.uniform(-spread, spread, (1, N))
    return X, rng.permutation(np.arange(P) % 2).astype(float)


@pytest.mark.parametrize(("P", "N"), [(2, 1), (7, 3), (40, 20), (50, 33), (30, 60)])
def test_scales_are_those_of_the_slow_path(P, N):
    X, y = some(P, P, N, spread=8)
    X[0, N // 2] = 0.0
    (kinds, top, zero, exact), Y, x, of_examples, of_inputs = prepared(X, y)
    a, c = np.empty(P), np.empty(N)
    assert compute_scales(X, a, c, np.zeros(P), np.zeros(N)) == zero
    assert (kinds, top, exact) == (2, np.abs(X).max(), True)
    S = np.where(y == 1, 1.0, -1.0)
    assert np.array_equal(of_examples[:2], [S, a])
    assert np.array_equal(of_inputs[0], c)
    assert np.array_equal(Y, X * (a * S)[:, None] * c)
    assert (x == 1).all()
    assert not of_examples[2:].any()
    assert not of_inputs[2:].any()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e151, -1e151, 1e-92, 5e-324])
def test_extreme_numbers_are_left_to_the_slow_path(value):
    X, y = some(0, 9, 4)
    X[8, 3] = value
    assert np.isnan(prepared(X, y)[0][1])
    assert decide_dense(X, y, 1e-9, 500) is None


@pytest.mark.parametrize(
    ("labels", "kinds"),
    [([0, 1, 1], 2), ([3, 3, 3], 1), ([0, 1, 2], 0), ([0.5, 1, 1], 0), ([0, np.nan, 1], 0)],
)
def test_labels_are_counted(labels, kinds):
    assert prepared(np.eye(3), np.array(labels, float))[0][0] == kinds


def test_an_empty_row_and_an_empty_column_are_seen():
    X, y = np.array([[1.0, 0.0], [0.0, 0.0], [-2.0, 0.0]]), np.array([0.0, 1, 1])
    (kinds, top, zero, exact), Y, *_ = prepared(X, y)
    assert (kinds, top, zero, exact) == (2, 2.0, 1, True)
    assert np.isfinite(Y).all()


def test_products_too_far_from_one_are_not_called_exact():
    X, y = some(1, 8, 3)
    assert not prepared(X * 2.0**400, y)[0][3]
    assert prepared(X * 2.0**200, y)[0][3]


@pytest.mark.parametrize(("P", "N"), [(40, 20), (24, 12), (120, 60), (9, 30)])
@pytest.mark.parametrize("spread", [0, 5])
def test_bounds_have_the_bits_of_the_slow_path(P, N, spread):
    for seed in range(12):
        X, y = some(seed, P, N, spread)
        found, n_iter = decide_dense(X, y, 1e-9, 500)
        S = np.where(y == 1, 1.0, -1.0)
        rows = build_rows(X, S)
        lower = bounds.lower_stability_bound(rows, found.w)
        if found.separable:
            assert (found.lower, found.upper) == (lower, bounds.upper_stability_bound(rows, found.x))
        else:
            assert (found.lower, found.upper) == (min(lower, 0.0), 0.0)
        slow, steps = certify_rows(X * S[:, None], 1e-9, 500)
        assert slow.separable is found.separable
        assert np.array_equal(slow.w, found.w)
        assert steps == n_iter


def test_plain_arrays_get_the_answer_of_any_others():
    for seed in range(20):
        X, y = some(seed, 24, 12)
        plain = separability(X, y.astype(int), fit_intercept=seed % 2 == 0)
        for other_X, other_y in [
            (X.tolist(), y.tolist()),
            (np.asfortranarray(X), y.astype(bool)),
            (X[:, :], np.where(y == 1, "yes", "no")),
        ]:
            other = separability(other_X, other_y, fit_intercept=seed % 2 == 0)
            assert other.separable is plain.separable
            assert other.stability_bounds == plain.stability_bounds
            assert np.array_equal(other.embedding, plain.embedding)
            assert other.message == plain.message


def test_the_arrays_of_the_caller_stay_as_they_are():
    X, y = some(3, 40, 20)
    before = X.copy(), y.copy()
    answer = separability(X, y)
    assert np.array_equal(X, before[0])
    assert np.array_equal(y, before[1])
    assert not np.shares_memory(answer.embedding, y)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_the_message_is_composed_at_its_first_access(seed):
    X, y = some(seed, 40, 20)
    message = separability(X, y).message
    for made in (copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a)), replace):
        assert made(separability(X, y)).message == message
    assert message in repr(separability(X, y))
    assert asdict(replace(separability(X, y), _proof=None))["message"] == message
    with pytest.raises(AttributeError, match="no attribute 'mesage'"):
        _ = separability(X, y).mesage


def test_more_conjugate_gradients_help_where_newton_stalls():
    # Pairs of examples that are nearly equal: found by the second search, or by the slow path.
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((150, 50))
        X[75:] = X[:75] + 1e-6 * rng.standard_normal((75, 50))
        y = np.sign(X @ rng.standard_normal(50))
        answer = separability(X, y)
        assert answer.separable is True
        assert (y * (X @ answer.weights)).min() > 0
