"""Lossless packing of the values of a row: most measures are counts or booleans."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from markone.lab.store.rows import StoredRow
from markone.numerics.arrays import Floats

# The names of a row's measures are joined to one text, which begins with PACKED.
BETWEEN = "\n"
PACKED = "*"
# Unsigned integers.
WHOLE = {b"b": "<u1", b"h": "<u2", b"i": "<u4"}
# All values equal to this one.
SAME = {b"0": 0.0, b"1": 1.0, b"n": np.nan}


def pack_values(values: Mapping[str, Floats]) -> tuple[str, bytes]:
    """The names of the measures, and their values: for each a letter for the encoding, and the bytes."""
    names = sorted(values)
    if not names:
        return "", b""
    return BETWEEN.join([PACKED, *names]), b"".join(_pack_measure(values[name]) for name in names)


def _pack_measure(values: Floats) -> bytes:
    """The shortest lossless encoding of the values."""
    raw = np.ascontiguousarray(values, dtype="<f8")
    bits = raw.view("<u8")
    if not len(raw) or (bits == bits[0]).all():
        for letter, value in SAME.items():
            if not len(raw) or np.float64(value).tobytes() == raw[:1].tobytes():
                return letter
        return b"c" + raw[:1].tobytes()
    if not np.isfinite(raw).all() or (bits == 1 << 63).any():  # -0.0 has no integer code
        return b"d" + raw.tobytes()
    low, high = raw.min(), raw.max()
    if low >= 0 and high < 2**32 and (raw == np.rint(raw)).all():
        if high == 1:
            return b"t" + np.packbits(raw.astype(bool)).tobytes()
        letter = b"b" if high < 2**8 else b"h" if high < 2**16 else b"i"
        return letter + raw.astype(WHOLE[letter]).tobytes()
    return b"d" + raw.tobytes()


class PackedRow(NamedTuple):
    """The part of a stored row that holds values: repeats start .. stop-1 of each of its tasks."""

    start: int
    stop: int
    tasks: int
    measures: str
    data: memoryview


AnyRow = StoredRow | PackedRow


class RowValues(Mapping[str, Floats]):
    """The values of one task of a row, unpacked on access to save memory.

    `places` maps a measure to its index in the row, or to None if it is missing: all NaN then.
    """

    __slots__ = ("k", "places", "row")

    def __init__(self, places: Mapping[str, int | None], row: AnyRow, k: int) -> None:
        self.places, self.row, self.k = places, row, k

    def __getitem__(self, name: str) -> Floats:
        n = self.row.stop - self.row.start
        return unpack_measure(self.row, self.places[name], self.k * n, n)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def measure_positions(names: str, measures: Mapping[str, str]) -> dict[str, int | None]:
    """`places` of `RowValues`; `measures` maps stored names to present ones. Missing measures come first."""
    _, *stored = names.split(BETWEEN)
    found = {measures.get(name, name): place for place, name in enumerate(stored)}
    missing: dict[str, int | None] = {name: None for name in measures.values() if name not in found}
    return missing | found


def unpack_row(row: StoredRow, k: int = 0) -> dict[str, Floats]:
    """The values of each measure of the k-th task of a row."""
    return dict(RowValues(measure_positions(row.measures, {}), row, k))


def unpack_measure(row: AnyRow, place: int | None, first: int, n: int) -> Floats:
    """n values of the measure at a place of a row, from the first-th on; the tasks follow each other."""
    if place is None:
        return np.full(n, np.nan)
    at, whole = 0, (row.stop - row.start) * row.tasks
    for _ in range(place):
        at += 1 + _packed_size(bytes(row.data[at : at + 1]), whole)
    letter, at = bytes(row.data[at : at + 1]), at + 1
    if letter in SAME:
        return np.full(n, SAME[letter])
    if letter == b"c":
        return np.full(n, np.frombuffer(row.data, "<f8", 1, at)[0])
    if letter == b"t":
        begin, skipped = divmod(first, 8)
        data = np.frombuffer(row.data, "u1", -(-(skipped + n) // 8), at + begin)
        return np.unpackbits(data, count=skipped + n)[skipped:].astype(np.float64)
    kind = np.dtype(WHOLE.get(letter, "<f8"))
    return np.frombuffer(row.data, kind, n, at + first * kind.itemsize).astype(np.float64)


def _packed_size(letter: bytes, n: int) -> int:
    """Number of bytes of n values."""
    if letter in SAME:
        return 0
    if letter in (b"c", b"t"):
        return 8 if letter == b"c" else -(-n // 8)
    return n * np.dtype(WHOLE.get(letter, "<f8")).itemsize
