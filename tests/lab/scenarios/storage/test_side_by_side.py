"""Separable or not, sets side by side: the answers of one set at a time, of exact numbers and of Cover."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markone.lab.scenarios import find_scenario, separable
from markone.lab.scenarios.separable import decide_storage_sets
from markone.lab.scenarios.storage import _newton, _proofs
from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.lab.scenarios.storage._lane_vectors import LANES
from markone.lab.scenarios.storage._newton import decide_side_by_side
from markone.lab.scenarios.storage._one_set import separate_one_by_one
from markone.perceptron.separable.exact.simplex import decide_exactly
from markone.perceptron.theory.capacity import separable_fraction


def side_by_side(P, N, numbers, seed=1):
    out = np.empty(len(numbers))
    decide_side_by_side(seed, np.asarray(numbers), P, N, out)
    return out


def whole(P, N, number, seed=1):
    Z = np.empty((P, N), np.int32)
    draw_set(seed, number, np.empty(1, np.uint64), Z)
    return Z


def plain(Z):
    """The simplex method in fractions."""
    w, _ = decide_exactly(Z / UNITS)
    return float(w is not None)


@pytest.mark.parametrize(("P", "N"), [(1, 1), (3, 1), (4, 2), (6, 3), (8, 4), (9, 5), (5, 5), (12, 4)])
def test_it_equals_the_plain_twin_in_fractions(P, N):
    numbers = np.arange(40)
    found = side_by_side(P, N, numbers)
    known = ~np.isnan(found)
    assert known.mean() > 0.9
    expected = np.array([plain(whole(P, N, k)) for k in numbers])
    np.testing.assert_array_equal(found[known], expected[known])


SIZES = [(N, alpha) for N in (5, 20, 40) for alpha in (1.2, 1.7, 2.0, 2.3, 3.0)] + [(100, 1.8), (100, 2.2)]


@pytest.mark.parametrize(("N", "alpha"), SIZES)
def test_it_equals_one_set_at_a_time(N, alpha):
    P, numbers = round(alpha * N), np.arange({5: 600, 20: 200, 40: 80, 100: 24}[N])
    found, expected = side_by_side(P, N, numbers), np.empty(len(numbers))
    separate_one_by_one(1, numbers, P, N, expected)
    known = ~np.isnan(found)
    assert known.mean() > 0.8
    np.testing.assert_array_equal(found[known], expected[known])


@pytest.mark.slow
@pytest.mark.parametrize(("N", "sets"), [(5, 40_000), (20, 10_000), (40, 3000), (70, 800), (100, 400)])
@pytest.mark.parametrize("alpha", [1.0, 1.5, 1.9, 2.0, 2.1, 2.5, 4.0])
def test_many_sets_and_cover(N, sets, alpha):
    P, numbers = round(alpha * N), np.arange(sets)
    found, expected = side_by_side(P, N, numbers, seed=7), np.empty(sets)
    separate_one_by_one(7, numbers, P, N, expected)
    known = ~np.isnan(found)
    assert known.mean() > 0.8
    np.testing.assert_array_equal(found[known], expected[known])
    assert not np.isnan(expected).any()
    p = separable_fraction(P, N)
    assert abs(expected.mean() - p) <= 4.5 * np.sqrt(p * (1 - p) / sets) + 1e-12


def test_the_order_of_the_sets_and_their_company_decide_nothing():
    numbers = np.arange(60)
    together = side_by_side(40, 20, numbers)
    turned = side_by_side(40, 20, numbers[::-1])[::-1]
    alone = np.concatenate([side_by_side(40, 20, [k]) for k in numbers])
    np.testing.assert_array_equal(together, turned)
    np.testing.assert_array_equal(together, alone)


def test_what_is_open_is_decided_one_by_one():
    """Whatever the lanes leave, `separate` answers all; learned sets are separable by their own weights."""
    storage = find_scenario("storage")
    for N, alpha in ((5, 2.0), (20, 2.0), (40, 2.1)):
        P, point = round(alpha * N), storage.parameters(N=N, alpha=alpha)
        learned = storage.run(storage.parameters(N=N, alpha=alpha, exact=False), 1, 0, 100)["converged"]
        out, expected = np.empty(100), np.empty(100)
        decide_storage_sets(1, 0, P, N, learned, out)
        separate_one_by_one(1, np.arange(100), P, N, expected)
        np.testing.assert_array_equal(out, expected)
        np.testing.assert_array_equal(storage.run(point, 1, 0, 100)["separable"], expected)


def test_more_examples_than_sums_of_the_finest_scale():
    """1100 examples of few inputs: whole numbers half as fine, the answers are the same."""
    found, expected = side_by_side(1100, 3, np.arange(20)), np.empty(20)
    separate_one_by_one(1, np.arange(20), 1100, 3, expected)
    np.testing.assert_array_equal(found, expected)
    assert not expected.any()


@pytest.mark.parametrize("terms", [1, 1000, 1024, 1025, 4096, _proofs.MOST_TERMS])
def test_sums_of_whole_numbers_fit(terms):
    scale = _proofs.scale_for(terms)
    assert scale <= 2**28
    assert terms * scale * 2**24 <= 2**62
    assert scale == 2**28 or 2 * terms * scale > 2**38


def test_sets_are_decided_by_the_faster_method(monkeypatch):
    """Few inputs side by side, many in float64, and so what is beyond whole numbers. All are answered."""
    sizes = []

    def decide(seed, numbers, P, N, out):
        sizes.append((P, N))
        decide_side_by_side(seed, numbers, P, N, out)

    monkeypatch.setattr(separable, "decide_side_by_side", decide)
    for P, N in ((10, 5), (80, 40), (120, 60), (20_000, 2)):
        out, expected = np.empty(3), np.empty(3)
        decide_storage_sets(1, 0, P, N, np.zeros(3), out)
        separate_one_by_one(1, np.arange(3), P, N, expected)
        np.testing.assert_array_equal(out, expected)
        assert not np.isnan(out).any()
    assert sizes == [(10, 5), (80, 40)]


def lanes_of(Z, M):
    """The same set in all lanes, over 2^20."""
    P, N = Z.shape
    out = np.zeros((P, M, LANES), np.float32)
    out[:, :N] = (Z / UNITS)[:, :, None]
    return out.ravel()


@given(st.integers(1, 24), st.floats(1.0, 4.0), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_the_bound_on_the_eigenvalues_holds(N, alpha, number):
    """Against float64, whose own rounding is a billionth of the bound."""
    P, M = round(alpha * N), (N + _newton.TALL) // _newton.TALL * _newton.TALL
    Z = whole(P, N, number)
    flat, H, R = lanes_of(Z, M), np.zeros(M * M * LANES, np.float32), np.zeros(M * M * LANES, np.float32)
    inverse = np.zeros(M * LANES, np.float32)
    _newton.normal_matrix(flat, flat, P, M, H)
    exact = (Z / UNITS).T @ (Z / UNITS)
    found = np.triu(H.reshape(M, M, LANES)[:N, :N, 0].astype(float))
    found += np.triu(found, 1).T
    bound = 1.1 * (_newton.BLOCK + -(-P // _newton.BLOCK) + N + 16) * 2.0**-24 * np.trace(exact)
    assert np.linalg.norm(found - exact, 2) < bound
    _newton.cholesky(H, N, M, np.full(LANES, -1.25 * bound, np.float32), R, inverse)
    if (inverse.reshape(M, LANES)[:N] > 0).all():
        assert np.linalg.eigvalsh(exact)[0] >= 0.2 * bound


@given(st.integers(0, 10**6), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_no_candidate_proves_what_is_not_true(number, seed):
    """Residuals and weights by lot, some of them nearly right: a proof is only given where it is true."""
    P, N, rng = 7, 3, np.random.default_rng(seed)
    Z = whole(P, N, number)
    truth = plain(Z)
    E, dE = np.zeros(P * LANES, np.float32), rng.normal(0.5, 0.4, P * LANES).astype(np.float32)
    inverse = np.ones(N * LANES, np.float32)
    smallest = float(np.linalg.eigvalsh((Z / UNITS).T @ (Z / UNITS))[0]) * 0.999
    w, d = np.zeros(N * LANES, np.float32), rng.standard_normal(N * LANES).astype(np.float32)
    for lane in range(LANES):
        assert not (truth and _proofs.balances(Z, E, dE, lane, inverse, smallest))
        assert not (truth and _proofs.balances_in_double(Z, E, dE, lane))
        assert truth or not _proofs.separates(Z, w, d, 1.0, lane)


def test_an_exact_balance_is_proven_and_a_spoilt_one_is_not():
    """Four corners of a square: x = 1 balances. Without a pivot, or with an x of 0, nothing is proven."""
    Z = (UNITS * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])).astype(np.int32)
    E, dE, inverse = (
        np.zeros(4 * LANES, np.float32),
        np.zeros(4 * LANES, np.float32),
        np.ones(2 * LANES, np.float32),
    )
    assert _proofs.balances(Z, E, dE, 3, inverse, 1.9)
    assert _proofs.balances_in_double(Z, E, dE, 3)
    inverse[LANES + 3] = 0.0
    assert not _proofs.balances(Z, E, dE, 3, inverse, 1.9)
    inverse[LANES + 3] = 1.0
    dE[3] = 1.0
    assert not _proofs.balances(Z, E, dE, 3, inverse, 1.9)
    assert not _proofs.balances_in_double(Z, E, dE, 3)
    assert not _proofs.to_whole(np.zeros(3), np.empty(3, np.int32))
    assert not _proofs.to_whole(np.array([np.nan, 1.0]), np.empty(2, np.int32))
