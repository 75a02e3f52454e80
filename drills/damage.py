"""Flipped bits and truncated files: detected or harmless, and repaired to the same values."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from drills.experiment import drill_store, run_drill
from markone.errors import StoreError
from markone.lab.load import load_declaration
from markone.lab.store.results import Store

Outcomes = Iterator[bool]


def fill_store(folder: Path) -> bytes:
    assert run_drill(folder, "run", "--quiet").returncode == 0
    return drill_store(folder).read_bytes()


def read_values(folder: Path) -> list[bytes] | None:
    try:
        with Store(drill_store(folder), "r") as results:
            points = results.points(load_declaration(folder / "drill.toml"))
    except StoreError:
        return None
    return [point.values[name].tobytes() for point in points for name in sorted(point.values)]


def flip_bits(folder: Path, tries: int = 200) -> Outcomes:
    """Flip one random bit: the same values, or an error message."""
    data = fill_store(folder)
    right, places = read_values(folder), random.Random(1)
    for _ in range(tries):
        bad = bytearray(data)
        bad[places.randrange(len(bad))] ^= 1 << places.randrange(8)
        drill_store(folder).write_bytes(bad)
        yield read_values(folder) in (right, None)


def truncate_files(folder: Path, tries: int = 200) -> Outcomes:
    """Truncate the file at a random position: refused for reading and for writing."""
    data = fill_store(folder)
    right, places = read_values(folder), random.Random(2)
    for _ in range(tries):
        drill_store(folder).write_bytes(data[: places.randrange(1, len(data))])
        good = read_values(folder) in (right, None)
        try:
            Store(drill_store(folder)).close()
            good = False
        except StoreError:
            pass
        yield good


def repair_files(folder: Path, tries: int = 5) -> Outcomes:
    """Truncate, `verify --repair` and run again: the same values as before."""
    data = fill_store(folder)
    right, places = read_values(folder), random.Random(3)
    for _ in range(tries):
        shutil.rmtree(drill_store(folder).parent)
        drill_store(folder).parent.mkdir()
        drill_store(folder).write_bytes(data[: places.randrange(len(data) // 2, len(data))])
        mended = run_drill(folder, "verify", "--repair").returncode
        again = run_drill(folder, "run", "--quiet").returncode
        yield (mended, again) == (0, 0) and read_values(folder) == right


DRILLS = {"a flipped bit": flip_bits, "a cut file": truncate_files, "repair and run again": repair_files}
