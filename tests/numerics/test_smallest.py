"""The smallest and its first place, as numpy has it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from markone.numerics._smallest import first_place, lesser
from markone.numerics.compiling import entry


@entry
def smallest(values):
    least = np.inf
    for i in range(values.shape[0]):
        least = lesser(least, values[i])
    return least, first_place(values, least)


# Few different values: ties are the point.
@given(arrays(np.float64, st.integers(1, 70), elements=st.sampled_from([-2.5, -1.0, 0.0, 3.0])))
def test_equals_argmin(values):
    assert smallest(values) == (values.min(), values.argmin())


def test_nowhere_is_the_length():
    assert first_place(np.arange(5.0), 7.5) == 5
