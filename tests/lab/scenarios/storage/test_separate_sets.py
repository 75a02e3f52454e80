"""Separable or not: the answers of exact numbers and of Cover."""

import numpy as np
import pytest

from markone.lab.scenarios import find_scenario
from markone.lab.scenarios.separable import decide_storage_sets
from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.lab.scenarios.storage._one_set import scale_to_length_two, separate_sets
from markone.perceptron.separable.exact.simplex import decide_exactly
from markone.perceptron.theory.capacity import separable_fraction


def separate(P, N, numbers, seed=1):
    out = np.empty(len(numbers))
    separate_sets(seed, np.asarray(numbers), P, N, out)
    return out


def whole(P, N, number, seed=1):
    Z = np.empty((P, N), np.int32)
    draw_set(seed, number, np.empty(1, np.uint64), Z)
    return Z


def plain(Z):
    """The simplex method in fractions."""
    w, _ = decide_exactly(Z / UNITS)
    return float(w is not None)


@pytest.mark.parametrize(
    ("P", "N"), [(1, 1), (3, 1), (4, 2), (6, 3), (8, 4), (9, 5), (5, 5), (12, 4), (24, 12)]
)
def test_it_equals_the_plain_twin_in_fractions(P, N):
    numbers = np.arange(40)
    found = separate(P, N, numbers)
    known = ~np.isnan(found)
    assert known.mean() > 0.9
    expected = np.array([plain(whole(P, N, k)) for k in numbers])
    np.testing.assert_array_equal(found[known], expected[known])


@pytest.mark.slow
@pytest.mark.parametrize(("N", "sets"), [(5, 40_000), (20, 10_000), (40, 3000), (70, 800), (100, 400)])
@pytest.mark.parametrize("alpha", [1.0, 1.5, 1.9, 2.0, 2.1, 2.5, 4.0])
def test_many_sets_and_cover(N, sets, alpha):
    P, found = round(alpha * N), np.empty(sets)
    decide_storage_sets(7, 0, P, N, np.zeros(sets), found)
    assert not np.isnan(found).any()
    p = separable_fraction(P, N)
    assert abs(found.mean() - p) <= 4.5 * np.sqrt(p * (1 - p) / sets) + 1e-12


def test_the_order_of_the_sets_decides_nothing():
    numbers = np.arange(60)
    together = separate(40, 20, numbers)
    np.testing.assert_array_equal(together, separate(40, 20, numbers[::-1])[::-1])
    np.testing.assert_array_equal(together, np.concatenate([separate(40, 20, [k]) for k in numbers]))


def test_sets_that_are_learned_are_separable_by_their_weights():
    storage = find_scenario("storage")
    for N, alpha in ((5, 2.0), (20, 2.0), (40, 2.1)):
        P, point = round(alpha * N), storage.parameters(N=N, alpha=alpha)
        expected = np.empty(100)
        decide_storage_sets(1, 0, P, N, np.zeros(100), expected)
        assert not np.isnan(expected).any()
        np.testing.assert_array_equal(storage.run(point, 1, 0, 100)["separable"], expected)


def test_sets_of_many_examples_are_decided():
    for P, N in ((1100, 3), (20_000, 2)):
        np.testing.assert_array_equal(separate(P, N, np.arange(5)), np.zeros(5))


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e3])
def test_the_scale_is_a_power_of_two(factor):
    Y = factor * np.random.default_rng(0).standard_normal((7, 5))
    scaled = Y.copy()
    scale_to_length_two(scaled)
    ratio = scaled[0, 0] / Y[0, 0]
    assert np.log2(ratio) == round(np.log2(ratio))
    np.testing.assert_array_equal(scaled, ratio * Y)
    assert 0.5 <= np.linalg.norm(scaled, axis=1).max() <= 2.0
