"""The smallest value and its first index, compared with numpy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from markone.numerics._vectors import add_and_find_min, first_index, min_finite
from markone.numerics.compiling import entry


@entry
def smallest(values):
    least = np.inf
    for i in range(values.shape[0]):
        least = min_finite(least, values[i])
    return least, first_index(values, least)


# Few different values: ties are the point.
FEW = arrays(np.float64, st.integers(1, 300), elements=st.sampled_from([-2.5, -1.0, 0.0, 3.0]))


@given(FEW)
def test_equals_argmin(values):
    assert smallest(values) == (values.min(), values.argmin())


@given(FEW)
def test_adds_on_the_way(values):
    before, changes = values.copy(), np.sin(np.arange(len(values)) % 7)
    least, place = add_and_find_min(values, changes)
    np.testing.assert_array_equal(values, before + changes)
    assert (least, place) == (values.min(), values.argmin())


def test_nowhere_is_the_length():
    assert first_index(np.arange(5.0), 7.5) == 5
