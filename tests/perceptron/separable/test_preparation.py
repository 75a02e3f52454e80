"""Preparation of examples and labels, and answers that do not depend on their form."""

import copy
import pickle
from dataclasses import asdict, replace

import numpy as np
import pytest
import scipy.sparse

from markone.numerics._rows import Sparse
from markone.perceptron import verify
from markone.perceptron.separable import separability
from markone.perceptron.separable._scales import compute_scales_entry, fill_signs, largest_magnitude


def some(seed, P, N, spread=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((P, N)) * 10.0 ** rng.uniform(-spread, spread, (1, N))
    return X, rng.permutation(np.arange(P) % 2).astype(float)


@pytest.mark.parametrize(("P", "N"), [(2, 1), (7, 3), (40, 20), (50, 33), (30, 60)])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_scales_bring_rows_and_columns_to_about_one(P, N, form):
    X, _ = some(P, P, N, spread=8)
    X[0, N // 2] = 0.0
    a, c = np.empty(P), np.empty(N)
    table = scipy.sparse.csr_array(X)
    rows = X if form == "dense" else Sparse(table.data, table.indices, table.indptr, N)
    assert compute_scales_entry(rows, a, c, np.empty(P)) == (-1 if N > 1 else 0)
    assert np.array_equal(np.frexp(a)[0], np.full(P, 0.5))
    assert np.array_equal(np.frexp(c)[0], np.full(N, 0.5))
    lengths = np.linalg.norm(X * a[:, None] * c, axis=1)
    assert ((lengths == 0) | ((lengths >= 1) & (lengths < 2))).all()


@pytest.mark.parametrize("value", [1e149, -1e149, 1e-92, 1e-200, 5e-324])
def test_extreme_numbers_are_decided(value):
    X, y = some(0, 9, 4)
    X[8, 3] = value
    result = separability(X, y)
    assert result.separable is not None
    assert verify(X, y, result)


@pytest.mark.parametrize(
    ("labels", "kinds"),
    [
        ([0, 1, 1], 2),
        ([3, 3, 3], 1),
        ([0, 1, 2], 0),
        ([0.5, 1, 1], 0),
        ([0, np.nan, 1], 0),
        ([0, 2**53, 0], 0),
        ([0, np.inf, 0], 0),
    ],
)
def test_labels_are_counted(labels, kinds):
    assert fill_signs(np.array(labels, float), np.empty(3)) == kinds


def test_integers_that_floats_would_round_are_refused():
    times = np.array([[2**53], [2**53 + 1]])
    with pytest.raises(
        ValueError, match=r"integer 9007199254740993, which float64 rounds .* Subtract an offset"
    ):
        separability(times, [0, 1], fit_intercept=True)
    assert separability(times - 2**53, [0, 1], fit_intercept=True).separable is True


def test_labels_above_the_integers_of_floats_stay_different():
    with pytest.raises(ValueError, match="3 classes"):
        separability(np.eye(3), [2**53, 2**53 + 1, 2**53 + 2])
    assert separability(np.eye(2), [2**53, 2**53 + 1]).separable is True


def test_an_empty_row_and_an_empty_column_are_seen():
    X, a, c = np.array([[1.0, 0.0], [0.0, 0.0], [-2.0, 0.0]]), np.empty(3), np.empty(2)
    assert compute_scales_entry(X, a, c, np.empty(3)) == 1
    assert np.isfinite(a).all()
    assert np.isfinite(c).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_the_largest_magnitude_is_nan_if_one_is_not_finite(value):
    assert largest_magnitude(np.array([1.0, -3.0, 2.0])) == 3.0
    assert np.isnan(largest_magnitude(np.array([1.0, value, 2.0])))


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


def test_nearly_equal_pairs_are_separated():
    # Pairs of examples that are nearly equal.
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((150, 50))
        X[75:] = X[:75] + 1e-6 * rng.standard_normal((75, 50))
        y = np.sign(X @ rng.standard_normal(50))
        answer = separability(X, y)
        assert answer.separable is True
        assert (y * (X @ answer.weights)).min() > 0
