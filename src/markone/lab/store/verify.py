"""Verify a store, and repair it: a new store with all undamaged rows."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from markone.errors import StoreError
from markone.lab.store import database
from markone.lab.store.asked import digest_of
from markone.lab.store.database import translate_errors
from markone.lab.store.migrations import OLD_PLANS
from markone.lab.store.point_names import PointNames
from markone.lab.store.point_rows import ALL, QUESTIONS, Descriptions
from markone.lab.store.results import Store
from markone.lab.store.rows import SCAN, StoredRow, scan
from markone.lab.store.sql_schema import CHECKED, pragma

# In format 3 a point had its whole description, and its name as text.
SCAN_3 = SCAN.replace("lower(hex(p.point))", "p.point")
POINTS_3 = "SELECT point, scenario, version, parameters, seed FROM points"
# Rows read at a time; half as many where that fails.
MANY = 4096
# Prefix of the folder in which a new store is built, beside the old one.
UNDER_WAY = ".repair-"
# A truncated file is padded by at most so many times its size.
MOST = 20


@dataclass
class Findings:
    """Number of undamaged rows, and a sentence for each problem."""

    rows: int = 0
    problems: list[str] = field(default_factory=list)


def examine(path: Path) -> Findings:
    """Check structure, checksums and counts of a store, without changing it."""
    found = Findings()
    with raw(path) as connection:
        try:
            database.intact(connection, path)
        except StoreError:
            found.problems.append("The end of the file is missing.")
        structure = [text for (text,) in asked(connection, "PRAGMA integrity_check(3)")]
        found.problems += [" ".join(text.split()) for text in structure if text != "ok"]
        if pragma(connection, "user_version") < CHECKED:
            found.rows = sum(n for (n,) in asked(connection, "SELECT count(*) FROM attempts"))
            return found
        look_at_rows(connection, found)
        for name, text in asked(connection, "SELECT digest, text FROM declarations"):
            if digest_of(str(text)) != name:
                found.problems.append("A declaration differs from what was written.")
    return found


def look_at_rows(connection: sqlite3.Connection, found: Findings) -> None:
    total = attempts = 0
    for row, described, sound in salvaged(connection):
        attempts += 1
        total += row.checksum()
        found.rows += sound
        if not sound:
            where = f"{described[0]} {described[2]}, " if described else ""
            found.problems.append(f"Wrong checksum: {where}repeats {row.start} to {row.stop - 1}.")
    tally = asked(connection, "SELECT done + failed, sum FROM tally")
    if tally != [(attempts, total & 0xFFFFFFFF)]:
        expected = tally[0][0] if tally else "an unknown number"
        found.problems.append(f"{attempts} rows can be read, {expected} were written.")


def salvaged(connection: sqlite3.Connection) -> Iterator[tuple[StoredRow, tuple[Any, ...], bool]]:
    """Yield every readable row with the description of its point, and True if both are undamaged."""
    described = descriptions(connection)
    names = PointNames(str(code) for (code,) in asked(connection, "SELECT code FROM sessions"))
    last = asked(connection, "SELECT max(id) FROM attempts NOT INDEXED") or [(None,)]
    counted = asked(connection, "SELECT done + failed FROM tally") or [(0,)]
    # Ids count the rows; a damaged one may be anything.
    most = max(min(last[0][0] or 0, 10**9), min(counted[0][0] or 0, 10**9))
    for start in range(0, most + 1, MANY):
        for row, sound in between(connection, start, start + MANY):
            description = described(row.point)
            yield row, description, sound and names.fits(row.point, description)


def descriptions(connection: sqlite3.Connection) -> Callable[[str], tuple[Any, ...]]:
    """Function from the name of a point to its description; () where that cannot be read."""
    if pragma(connection, "user_version") == CHECKED:
        points = {point: tuple(rest) for point, *rest in asked(connection, POINTS_3)}
        return lambda point: points.get(point, ())
    return Descriptions(asked(connection, QUESTIONS), asked(connection, ALL)).__getitem__


def between(connection: sqlite3.Connection, start: int, stop: int) -> Iterator[tuple[StoredRow, bool]]:
    """Rows with these ids, without those on damaged pages."""
    query = SCAN_3 if pragma(connection, "user_version") == CHECKED else SCAN
    try:
        found = list(scan(connection.execute, f"{query} WHERE a.id >= ? AND a.id < ?", (start, stop)))
    except (sqlite3.Error, TypeError, ValueError, UnicodeError):
        if stop - start == 1:
            return
        middle = (start + stop) // 2
        yield from between(connection, start, middle)
        yield from between(connection, middle, stop)
        return
    yield from found


def repair(path: Path) -> tuple[int, Path]:
    """Replace a store by one with all undamaged rows; return their number and the path of the old store."""
    with raw(path) as connection, closing(database.lock(path, 0.0)):
        if pragma(connection, "user_version") < CHECKED:
            raise StoreError(f"{path} has an older format without checksums: take a copy, or run again.")
        _tidy(path)
        folder = Path(mkdtemp(prefix=UNDER_WAY, dir=path.parent))
        try:
            kept = rebuilt(connection, folder / path.name)
            connection.close()  # before its file is replaced
            aside = next(
                p for k in count(1) if not (p := path.with_name(f"{path.name}.damaged-{k}")).exists()
            )
            put_in_place(folder / path.name, path, aside)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return kept, aside


def tidy(path: Path) -> None:
    """Remove the files of a repair that was killed."""
    with closing(database.lock(path, 0.0)):
        _tidy(path)


def _tidy(path: Path) -> None:
    """The same while the lock is held: no other repair is running."""
    for left in path.parent.glob(f"{UNDER_WAY}*"):
        shutil.rmtree(left, ignore_errors=True)


def rebuilt(connection: sqlite3.Connection, path: Path) -> int:
    kept = 0
    with Store(path) as store, store.transaction():
        for entry in asked(connection, "SELECT digest, name, text, total, added FROM declarations"):
            if digest_of(str(entry[2])) == entry[0]:
                store.execute("INSERT OR IGNORE INTO declarations VALUES (?, ?, ?, ?, ?)", entry)
        if pragma(connection, "user_version") == CHECKED:
            store.execute(OLD_PLANS)
        for entry in asked(connection, "SELECT id, started, code FROM sessions"):
            store.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?)", entry)
        for row, described, sound in salvaged(connection):
            kept += bool(sound and store.enter(row, described))
    return kept


def put_in_place(new: Path, path: Path, aside: Path) -> None:
    """Replace the store; the damaged one is copied first, with its log, so that a kill loses nothing."""
    log = path.with_name(path.name + "-wal")
    shutil.copy2(path, aside)
    if log.exists() and log.stat().st_size:
        shutil.copy2(log, aside.with_name(aside.name + "-wal"))
    # Otherwise it would be read as the log of the new store.
    log.unlink(missing_ok=True)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    new.replace(path)


@contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store to read in any state."""
    if not path.is_file():
        raise StoreError(f"There is no store {path}: nothing has been run yet, or the name is another.")
    with TemporaryDirectory() as folder:
        try:
            connection = database.connect_to_read(whole(path, Path(folder)), "mode=ro")
        except sqlite3.Error as error:
            raise StoreError(
                f"Nothing in {path} can be read ({error}). Take a backup, or move it away and run again."
            ) from error
        with translate_errors(path), closing(connection):
            yield connection


def whole(path: Path, folder: Path) -> Path:
    """The file, or if it is truncated a copy padded with empty pages, which SQLite can read."""
    with path.open("rb") as file:
        head = file.read(32)
    size = int.from_bytes(head[16:18], "big")
    missing = int.from_bytes(head[28:32], "big") * (65536 if size == 1 else size) - path.stat().st_size
    # Bounded, since the size in a damaged header is arbitrary.
    if not 0 < missing <= MOST * path.stat().st_size:
        return path
    copy = folder / path.name
    shutil.copyfile(path, copy)
    with suppress(FileNotFoundError):
        shutil.copyfile(path.with_name(path.name + "-wal"), folder / (path.name + "-wal"))
    with copy.open("ab") as file:
        file.truncate(path.stat().st_size + missing)
    return copy


def asked(connection: sqlite3.Connection, query: str) -> list[Any]:
    """The rows of a query up to the first that cannot be read."""
    found: list[Any] = []
    with suppress(sqlite3.Error, UnicodeError):
        for row in connection.execute(query):
            found.append(row)
    return found
