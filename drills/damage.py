"""Flipped bits and truncated files: detected or harmless, and repaired to the same values."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from drills.study import done, store
from markone.errors import StoreError
from markone.lab.load import load
from markone.lab.store.results import Store

Outcomes = Iterator[bool]


def filled(folder: Path) -> bytes:
    assert done(folder, "run", "--quiet").returncode == 0
    return store(folder).read_bytes()


def table(folder: Path) -> list[bytes] | None:
    try:
        with Store(store(folder), "r") as results:
            points = results.points(load(folder / "drill.toml"))
    except StoreError:
        return None
    return [point.values[name].tobytes() for point in points for name in sorted(point.values)]


def flipped(folder: Path, tries: int = 200) -> Outcomes:
    """Flip one random bit: the same values, or an error message."""
    data = filled(folder)
    right, places = table(folder), random.Random(1)
    for _ in range(tries):
        bad = bytearray(data)
        bad[places.randrange(len(bad))] ^= 1 << places.randrange(8)
        store(folder).write_bytes(bad)
        yield table(folder) in (right, None)


def cut(folder: Path, tries: int = 200) -> Outcomes:
    """Truncate the file at a random position: refused for reading and for writing."""
    data = filled(folder)
    right, places = table(folder), random.Random(2)
    for _ in range(tries):
        store(folder).write_bytes(data[: places.randrange(1, len(data))])
        good = table(folder) in (right, None)
        try:
            Store(store(folder)).close()
            good = False
        except StoreError:
            pass
        yield good


def repaired(folder: Path, tries: int = 5) -> Outcomes:
    """Truncate, `verify --repair` and run again: the same values as before."""
    data = filled(folder)
    right, places = table(folder), random.Random(3)
    for _ in range(tries):
        shutil.rmtree(store(folder).parent)
        store(folder).parent.mkdir()
        store(folder).write_bytes(data[: places.randrange(len(data) // 2, len(data))])
        mended = done(folder, "verify", "--repair").returncode
        again = done(folder, "run", "--quiet").returncode
        yield (mended, again) == (0, 0) and table(folder) == right


DRILLS = {"a flipped bit": flipped, "a cut file": cut, "repair and run again": repaired}
