"""Lossless packing of the values of a row: most measures are counts or booleans."""

from collections.abc import Callable, Iterator, Mapping

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
    """The values of one row, unpacked on access to save memory.

    `places` maps a measure to its index in the row, or to None if it is missing: all NaN then.
    """

    __slots__ = ("data", "n", "places")

    def __init__(self, places: Mapping[str, int | None], data: bytes, n: int) -> None:
        self.places, self.data, self.n = places, data, n

    def __getitem__(self, name: str) -> Floats:
        place, n = self.places[name], self.n
        if place is None:
            return np.full(n, np.nan)
        at = 0
        for _ in range(place):
            at += 1 + _value_decoder(self.data[at : at + 1], n)[0]
        size, read = _value_decoder(self.data[at : at + 1], n)
        return read(self.data[at + 1 : at + 1 + size])

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


def unpack_values(names: str, data: bytes, n: int) -> dict[str, Floats]:
    """Dictionary of the n values of each measure."""
    if not names:
        return {}
    _, *rest = names.split(BETWEEN)
    found, at = {}, 0
    for name in rest:
        letter, at = data[at : at + 1], at + 1
        size, read = _value_decoder(letter, n)
        found[name] = read(data[at : at + size])
        at += size
    return found


def unpack_row(row: StoredRow) -> dict[str, Floats]:
    return unpack_values(row.measures, row.data, row.stop - row.start)


def _value_decoder(letter: bytes, n: int) -> tuple[int, Callable[[bytes], Floats]]:
    """Number of bytes of n values, and the function that decodes them."""
    if letter in SAME:
        return 0, lambda _: np.full(n, SAME[letter])
    if letter == b"c":
        return 8, lambda data: np.full(n, np.frombuffer(data, "<f8")[0])
    if letter == b"t":
        return -(-n // 8), lambda data: np.unpackbits(np.frombuffer(data, "u1"), count=n).astype(np.float64)
    kind = np.dtype(WHOLE.get(letter, "<f8"))
    return n * kind.itemsize, lambda data: np.frombuffer(data, kind).astype(np.float64)
