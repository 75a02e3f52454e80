"""Separable or not, one set at a time in float32: the answers of exact numbers, of float64 and of Cover."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markone.lab.scenarios import separable
from markone.lab.scenarios.storage import _proofs
from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.lab.scenarios.storage._one_set import separate_one_by_one
from markone.lab.scenarios.storage.single._balance import balances_in_double
from markone.lab.scenarios.storage.single._decide import decide_one_by_one
from markone.lab.scenarios.storage.single._normal import BLOCK, add_rows, back, cholesky, rounding
from markone.lab.scenarios.storage.single._room import Active, Data, in_double
from markone.lab.scenarios.storage.single._sums import WIDTH
from markone.perceptron.separable.exact.simplex import decide_exactly
from markone.perceptron.theory.capacity import separable_fraction


def answers(P, N, numbers, seed=1):
    out = np.empty(len(numbers))
    decide_one_by_one(seed, np.asarray(numbers), P, N, out)
    return out


def whole(P, N, number, seed=1):
    Z = np.empty((P, N), np.int32)
    draw_set(seed, number, np.empty(1, np.uint64), Z)
    return Z


def plain(Z):
    """The simplex method in fractions."""
    w, _ = decide_exactly(Z / UNITS)
    return float(w is not None)


def padded(Z):
    """Rows of whole vectors, over 2^20, flat; and how many vectors."""
    P, N = Z.shape
    V = (N + WIDTH) // WIDTH
    out = np.zeros((P, V * WIDTH), np.float32)
    out[:, :N] = Z / UNITS
    return out.ravel(), V


def balance_in_double(Z, x, inside):
    """The proof for strengths x of the examples `inside`."""
    P, N = Z.shape
    flat, V = padded(Z)
    data = Data(Z, flat, ((Z / UNITS) ** 2).sum(axis=1).astype(np.float32), V)
    lists = [np.empty(P + 1, np.int64) for _ in range(3)]
    active = Active(lists[0], np.empty(P + 1, np.float32), inside, *lists[1:], x.copy(), np.empty(N))
    return balances_in_double(data, active, in_double(V), np.zeros(V * WIDTH))


SMALL = [(1, 1), (3, 1), (4, 2), (6, 3), (8, 4), (9, 5), (5, 5), (12, 4), (17, 8), (33, 15), (34, 16)]


@pytest.mark.parametrize(("P", "N"), SMALL)
def test_it_equals_the_plain_twin_in_fractions(P, N):
    numbers = np.arange(40 if N < 8 else 20)
    found = answers(P, N, numbers)
    known = ~np.isnan(found)
    assert known.mean() > 0.9
    expected = np.array([plain(whole(P, N, k)) for k in numbers])
    np.testing.assert_array_equal(found[known], expected[known])


SIZES = [(N, alpha) for N in (15, 16, 31, 40, 63, 64) for alpha in (1.2, 1.7, 2.0, 2.3, 3.0)]
SIZES += [(100, 1.8), (100, 2.0), (100, 2.5), (130, 2.0)]


@pytest.mark.parametrize(("N", "alpha"), SIZES)
def test_it_equals_the_way_in_float64(N, alpha):
    P, numbers = round(alpha * N), np.arange(2400 // N)
    found, expected = answers(P, N, numbers), np.empty(len(numbers))
    separate_one_by_one(1, numbers, P, N, expected)
    known = ~np.isnan(found)
    assert known.mean() > 0.9
    np.testing.assert_array_equal(found[known], expected[known])


@pytest.mark.slow
@pytest.mark.parametrize(("N", "sets"), [(5, 20_000), (20, 6000), (40, 3000), (70, 1200), (100, 800)])
@pytest.mark.parametrize("alpha", [1.0, 1.5, 1.9, 2.0, 2.1, 2.5, 4.0])
def test_many_sets_and_cover(N, sets, alpha):
    P, numbers = round(alpha * N), np.arange(sets)
    found, expected = answers(P, N, numbers, seed=7), np.empty(sets)
    separate_one_by_one(7, numbers, P, N, expected)
    known = ~np.isnan(found)
    assert known.mean() > 0.95
    np.testing.assert_array_equal(found[known], expected[known])
    p = separable_fraction(P, N)
    assert abs(expected.mean() - p) <= 4.5 * np.sqrt(p * (1 - p) / sets) + 1e-12


def test_more_examples_than_sums_of_the_finest_scale():
    """1100 examples of few inputs: whole numbers half as fine, the answers are the same."""
    found, expected = answers(1100, 3, np.arange(20)), np.empty(20)
    separate_one_by_one(1, np.arange(20), 1100, 3, expected)
    np.testing.assert_array_equal(found, expected)
    assert not expected.any()


@pytest.mark.parametrize("terms", [1, 1000, 1024, 1025, 4096, _proofs.MOST_TERMS])
def test_sums_of_whole_numbers_fit(terms):
    scale = _proofs.scale_for(terms)
    assert scale <= 2**28
    assert terms * scale * 2**24 <= 2**62
    assert scale == 2**28 or 2 * terms * scale > 2**38


def test_sets_go_the_way_that_is_faster_for_them(monkeypatch):
    """Few inputs side by side, many alone; what is beyond whole numbers in float64. All are answered."""
    taken = []

    def spy(name):
        way = getattr(separable, name)
        monkeypatch.setattr(separable, name, lambda *a: (taken.append(name), way(*a))[1])

    spy("decide_side_by_side")
    spy("decide_one_by_one")
    for P, N in ((10, 5), (80, 40), (20_000, 2)):
        out = np.empty(3)
        separable.decide_storage_sets(1, 0, P, N, np.zeros(3), out)
        assert not np.isnan(out).any()
    assert taken == ["decide_side_by_side", "decide_one_by_one"]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@given(st.integers(1, 70), st.floats(1.0, 3.0), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_the_bound_on_the_eigenvalues_holds(kind, N, alpha, number):
    """With rows that came and went. Float32 against float64; float64 against numpy's own rounding."""
    P = round(alpha * N)
    Z = whole(P, N, number)
    flat, V = padded(Z)
    M, exact = V * WIDTH, Z / UNITS
    H, R, room, inverse = (
        np.zeros(M * M, kind),
        np.zeros(M * M, kind),
        np.zeros(BLOCK * M, kind),
        np.zeros(M, kind),
    )
    g, d = np.zeros(M, kind), np.zeros(M, kind)
    every, gone = np.arange(P), np.arange(P // 3)
    blocks = add_rows(flat, every, P, N, V, room, H, False)
    blocks += add_rows(flat, gone, len(gone), N, V, room, H, True)
    left = exact[len(gone) :]
    expected = left.T @ left
    found = np.triu(H.reshape(M, M)[:N, :N].astype(float))
    found += np.triu(found, 1).T
    size = float((exact**2).sum() + (exact[: len(gone)] ** 2).sum())
    unit = 2.0**-24 if kind is np.float32 else 2.0**-53
    bound = rounding(blocks, N, unit, size)
    assert np.linalg.norm(found - expected, 2) < bound * (1 if kind is np.float32 else 2)
    g[:N] = 1
    if cholesky(H, g, N, V, kind(-1.25 * bound), R, inverse) and kind is np.float32:
        assert np.linalg.eigvalsh(expected)[0] >= 0.2 * bound
    if cholesky(H, g, N, V, kind(0.5), R, inverse):
        back(R, N, V, inverse, d)
        shifted = expected + 0.5 * np.eye(N)
        np.testing.assert_allclose(shifted @ d[:N], g[:N], atol=1e3 * bound)


@given(st.integers(0, 10**6), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_no_candidate_proves_what_is_not_true(number, seed):
    """Strengths by lot, on some of the examples: a proof is only given where it is true."""
    P, N, rng = 7, 3, np.random.default_rng(seed)
    Z = whole(P, N, number)
    truth = plain(Z)
    for _ in range(10):
        inside = rng.random(P) < 0.8
        x = np.where(inside, rng.normal(0.5, 0.4, P), 0.0)
        H = (Z[inside] / UNITS).T @ (Z[inside] / UNITS)
        smallest = 0.999 * float(np.linalg.eigvalsh(H)[0]) if inside.sum() > N else 0.0
        assert not (truth and _proofs.enough(Z, x, inside) < smallest)
        assert not (truth and balance_in_double(Z, x, inside))
        assert truth or not _proofs.all_positive(Z, rng.standard_normal(N))


def test_an_exact_balance_is_proven_and_a_spoilt_one_is_not():
    """Four corners of a square: x = 1 balances. With an x of 0 among them, or one missing, nothing does."""
    Z = (UNITS * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])).astype(np.int32)
    inside, x = np.ones(4, bool), np.ones(4)
    assert _proofs.enough(Z, x, inside) == 0.0
    assert balance_in_double(Z, x, inside)
    assert _proofs.enough(Z, np.array([1.0, 1.0, 1.0, 0.0]), inside) == math.inf
    inside[2] = False
    assert not balance_in_double(Z, np.array([1.0, 1.0, 0.0, 1.0]), inside)
