"""The vector loops equal their plain twins."""

import numba
import numpy as np
import pytest

from markone.lab.scenarios.storage import _vector_code
from markone.lab.scenarios.storage._inputs import UNITS
from markone.lab.scenarios.storage._vector_code import LANES


def compiled(loop):
    """For a call from Python, where an intrinsic cannot be called."""
    return numba.njit(lambda *args: loop(*args))


@pytest.mark.parametrize(("N", "P", "groups"), [(1, 2, 1), (2, 3, 2), (5, 4, 2), (20, 7, 1), (33, 5, 1)])
def test_an_example_is_presented_as_by_the_twin(N, P, groups):
    """Small whole numbers: sums in float32 are exact, in any order."""
    rng, lanes = np.random.default_rng(N), groups * LANES
    Z = rng.integers(-99, 99, groups * P * N * LANES).astype(np.int32)
    w = rng.integers(-99, 99, groups * N * LANES).astype(np.int32)
    E, bound = np.zeros(lanes, np.float32), rng.integers(0, 3, lanes).astype(np.float32)
    pending, learning = -rng.integers(0, 2, (2, lanes)).astype(np.int32)
    mistakes = rng.integers(0, 9, lanes).astype(np.int32)
    ours, plain = (
        [array.copy() for array in (Z, w, E, bound, pending, learning, mistakes)] for _ in range(2)
    )
    present = compiled(_vector_code.present_example)
    for group in range(groups):
        for mu in range(P):
            here, before = group * P + mu, group * P + (mu - 1) % P
            first, second = (
                way(a[0], here, before, a[1], N, group, *a[2:])
                for way, a in ((present, ours), (_vector_code.present_example_plain, plain))
            )
            assert first == second
            for array, other in zip(ours, plain, strict=True):
                np.testing.assert_array_equal(array, other)
    assert (ours[6] > mistakes).any()


@pytest.mark.parametrize("group", [0, 1])
def test_labels_are_applied_as_by_the_twin(group):
    rng, N, P = np.random.default_rng(2), 6, 3
    Z = np.rint(UNITS * rng.standard_normal(2 * P * N * LANES)).astype(np.int32)
    turned = -rng.integers(0, 2, P * LANES).astype(np.int32)
    longest = np.zeros(2 * LANES, np.float32)
    longest[::3] = 2.0**45
    apply = compiled(_vector_code.apply_labels)
    other, longest_other = Z.copy(), longest.copy()
    for mu in range(P):
        apply(Z, group * P + mu, N, turned, mu, longest, group)
        _vector_code.apply_labels_plain(other, group * P + mu, N, turned, mu, longest_other, group)
    np.testing.assert_array_equal(Z, other)
    np.testing.assert_allclose(longest, longest_other, rtol=1e-6)
