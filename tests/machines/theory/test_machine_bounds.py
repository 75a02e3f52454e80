"""The bound of Mitchison and Durbin: exact integers, limits."""

from math import comb, log2

import mpmath as mp
import numpy as np
import pytest

from markone.machines.theory import bounds


def count(P, n):
    return 2 * sum(comb(P - 1, i) for i in range(n))


def test_log_count_against_integers():
    for P, n in ((1, 1), (7, 3), (30, 30), (31, 30), (200, 60), (500, 7)):
        assert bounds.log_count(P, n) == pytest.approx(float(mp.log(count(P, n))), rel=1e-13)


@pytest.mark.parametrize("K", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("n", [1, 2, 5, 13])
def test_largest_storage_against_integers(K, n):
    P = bounds.largest_storage(K, n)
    assert count(P, n) ** K >= 2**P
    assert count(P + 1, n) ** K < 2 ** (P + 1)


def test_the_entropy_equation_at_25_digits():
    with mp.workdps(25):
        for K in (2, 3, 10, 1000, 10**9):
            x = 1 / (K * mp.mpf(bounds.capacity_bound(K)))
            h2 = -(x * mp.log(x, 2) + (1 - x) * mp.log(1 - x, 2))
            assert float(h2 * K) == pytest.approx(1, rel=1e-12)


def test_limits():
    assert bounds.capacity_bound(1) == 2
    values = [bounds.capacity_bound(K) for K in (1, 2, 3, 5, 10, 100, 1000)]
    assert np.all(np.diff(values) > 0)
    # log2 K, slowly
    ratio = [bounds.capacity_bound(K) / log2(K) for K in (10**3, 10**6, 10**12, 10**100)]
    assert np.all(np.diff(ratio) < 0)
    assert ratio[-1] < 1.05


@pytest.mark.parametrize("K", [2, 3, 5])
def test_finite_size_tends_to_the_bound(K):
    gaps = [bounds.capacity_bound(K) - bounds.largest_storage(K, n) / (K * n) for n in (50, 500, 5000)]
    assert gaps[0] > gaps[1] > gaps[2] > 0
    assert gaps[2] < 0.01


def test_nonsense():
    with pytest.raises(ValueError, match="K must be a whole number, at least 1, not 0"):
        bounds.capacity_bound(0)
    with pytest.raises(ValueError, match=r"n must be a whole number, at least 1, not 1\.5"):
        bounds.largest_storage(2, 1.5)
