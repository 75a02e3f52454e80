"""The values of a grid axis."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from markone.lab.ranges import axis_values

numbers = st.integers(-1000, 1000) | st.floats(-100, 100).map(lambda x: round(x, 3))


@given(numbers, st.integers(0, 40), st.integers(1, 50) | st.floats(0.01, 5).map(lambda x: round(x, 2)))
def test_a_range_includes_its_stop(start, n, step):
    values = axis_values({"start": start, "stop": round(start + n * step, 10), "step": step})
    assert len(values) == n + 1
    np.testing.assert_allclose(values, [start + k * step for k in range(n + 1)], atol=1e-9)
    whole = isinstance(start, int) and isinstance(step, int)
    assert all(isinstance(v, int) == whole for v in values) or n * step != int(n * step)
