"""Lossless packing of the values of a row: most measures are counts or booleans."""

from collections.abc import Iterator, Mapping

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


class RowValues(Mapping[str, Floats]):
    """The values of one task of a row, unpacked on access to save memory.

    `places` maps a measure to its index in the row, or to None if it is missing: all NaN then.
    """

    __slots__ = ("k", "places", "row")

    def __init__(self, places: Mapping[str, int | None], row: StoredRow, k: int) -> None:
        self.places, self.row, self.k = places, row, k

    def __getitem__(self, name: str) -> Floats:
        place, row = self.places[name], self.row
        if place is None:
            return np.full(row.stop - row.start, np.nan)
        at, n = 0, (row.stop - row.start) * row.tasks
        for _ in range(place):
            at += 1 + _packed_size(row.data[at : at + 1], n)
        return _unpack_measure(row, at, self.k)

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
    found, at = {}, 0
    for name in row.measures.split(BETWEEN)[1:]:
        found[name] = _unpack_measure(row, at, k)
        at += 1 + _packed_size(row.data[at : at + 1], (row.stop - row.start) * row.tasks)
    return found


def _packed_size(letter: bytes, n: int) -> int:
    """Number of bytes of n values."""
    if letter in SAME:
        return 0
    if letter in (b"c", b"t"):
        return 8 if letter == b"c" else -(-n // 8)
    return n * np.dtype(WHOLE.get(letter, "<f8")).itemsize


def _unpack_measure(row: StoredRow, at: int, k: int) -> Floats:
    """The values of the k-th task of a measure, which is packed from byte `at` on."""
    letter, at, n = row.data[at : at + 1], at + 1, row.stop - row.start
    if letter in SAME:
        return np.full(n, SAME[letter])
    if letter == b"c":
        return np.full(n, np.frombuffer(row.data, "<f8", 1, at)[0])
    if letter == b"t":
        first, skipped = divmod(k * n, 8)
        data = np.frombuffer(row.data, "u1", -(-(skipped + n) // 8), at + first)
        return np.unpackbits(data, count=skipped + n)[skipped:].astype(np.float64)
    kind = np.dtype(WHOLE.get(letter, "<f8"))
    return np.frombuffer(row.data, kind, n, at + k * n * kind.itemsize).astype(np.float64)
