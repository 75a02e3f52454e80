"""Groups of equal rows of an array, by 64-bit hashes and a sort."""

from __future__ import annotations

import numpy as np

from markone.numerics.arrays import Array

# Rows hashed at a time, so that they stay in the CPU cache.
ROWS_AT_A_TIME = 4096
ODD = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


def group_equal_rows(X: Array) -> Array:
    """Group number of each row: equal rows (NaN included) share one; numbered by first occurrence."""
    same = np.ascontiguousarray(X, dtype=float) + 0.0  # -0.0 is 0.0
    same[np.isnan(same)] = np.nan
    bits = same.view(np.uint64).reshape(same.shape)
    keys = hash_rows(bits)
    order = np.argsort(keys, kind="stable")  # stable: the first of equal rows comes first
    new = np.ones(len(keys), bool)
    new[1:] = keys[order[1:]] != keys[order[:-1]]
    first = np.empty(len(keys), np.intp)
    first[order] = order[np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))]
    if not _rows_match_first(bits, first):
        return group_rows_by_bytes(same)
    return (np.cumsum(first == np.arange(len(first))) - 1)[first]


def hash_rows(bits: Array) -> Array:
    """64-bit hash of each row. Values are mixed before multiplication: the low bits of integers are zero."""
    odd = ODD * np.arange(1, 2 * bits.shape[1], 2, dtype=np.uint64)
    keys = np.empty(len(bits), np.uint64)
    for start in range(0, len(bits), ROWS_AT_A_TIME):
        some = bits[start : start + ROWS_AT_A_TIME]
        for _ in range(2):
            some = (some ^ (some >> HALF)) * ODD
        keys[start : start + ROWS_AT_A_TIME] = ((some ^ (some >> HALF)) * odd).sum(axis=1, dtype=np.uint64)
    return keys


def _rows_match_first(bits: Array, first: Array) -> bool:
    """Return whether all rows equal the first row with the same hash."""
    copies = np.flatnonzero(first != np.arange(len(first)))
    parts = (copies[start : start + ROWS_AT_A_TIME] for start in range(0, len(copies), ROWS_AT_A_TIME))
    return all((bits[part] == bits[first[part]]).all() for part in parts)


def group_rows_by_bytes(same: Array) -> Array:
    """Group rows by their bytes; used if two different rows have the same hash."""
    place: dict[bytes, int] = {}
    return np.array([place.setdefault(row.tobytes(), len(place)) for row in same], dtype=np.intp)
