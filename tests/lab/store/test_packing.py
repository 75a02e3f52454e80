"""Packing is lossless and short."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from markone.lab.store.packing import RowValues, measure_positions, pack_values, unpack_row
from markone.lab.store.rows import Origin, StoredRow

ODD = st.floats(allow_nan=True, allow_infinity=True, allow_subnormal=True)
VALUES = st.one_of(
    arrays.arrays(np.float64, st.integers(1, 20), elements=ODD),
    arrays.arrays(np.float64, st.integers(1, 20), elements=st.sampled_from([0.0, 1.0, -0.0, np.nan])),
    arrays.arrays(np.float64, st.integers(1, 20), elements=st.integers(0, 2**33).map(float)),
)


def stored_row(names, data, repeats, tasks=1):
    points = "0123456789abcdef0123" * tasks
    return StoredRow(points, 0, repeats, "done", "", 0.0, Origin("", "", ""), 1, 0, names, data)


@given(VALUES, ODD)
def test_every_bit_comes_back(first, value):
    n = len(first)
    values = {"a": first, "b": np.full(n, value), "c": np.zeros(n), "d": np.ones(n), "e": np.arange(n) + 0.0}
    names, data = pack_values(values)
    row = stored_row(names, data, n)
    found = unpack_row(row)
    lazy = RowValues(measure_positions(names, {"a": "a", "b": "beta", "f": "f"}), row, 0)
    assert list(found) == list(values)
    assert list(lazy) == ["f", "a", "beta", "c", "d", "e"]
    assert np.isnan(lazy["f"]).all()
    for name, asked in values.items():
        assert found[name].tobytes() == asked.tobytes()
        assert lazy["beta" if name == "b" else name].tobytes() == asked.tobytes()


@pytest.mark.parametrize(
    ("values", "size"),
    [
        (np.zeros(1000), 1),
        (np.ones(1000), 1),
        (np.full(1000, np.nan), 1),
        (np.full(1000, 0.1), 9),
        (np.arange(1000) % 2 + 0.0, 126),
        (np.arange(1000) % 200 + 0.0, 1001),
        (np.arange(1000) + 0.0, 2001),
        (np.arange(1000) * 1e6, 4001),
        (np.arange(1000) * 1e7, 8001),
        (np.arange(1000) + 0.5, 8001),
        (-np.arange(1000.0), 8001),
    ],
)
def test_counts_and_truth_values_are_short(values, size):
    names, data = pack_values({"x": values})
    assert len(data) == size
    for tasks in (1, 8, 1000):
        row, n = stored_row(names, data, 1000 // tasks, tasks), 1000 // tasks
        for k in range(tasks):
            assert unpack_row(row, k)["x"].tobytes() == values[k * n : (k + 1) * n].tobytes()


def test_nothing_is_nothing():
    assert pack_values({}) == ("", b"")
    assert unpack_row(stored_row("", b"", 5)) == {}
