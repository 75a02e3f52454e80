"""Verify a store, and repair it: a new store with all undamaged rows."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, permutations
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from markone.errors import StoreError
from markone.lab.store import database
from markone.lab.store.database import translate_errors
from markone.lab.store.point_rows import QUESTIONS, Described, Descriptions, iterate_point_names
from markone.lab.store.results import Store
from markone.lab.store.rows import SCAN, StoredRow, scan_rows
from markone.lab.store.sql_schema import VERSION, check_store_format, read_pragma
from markone.lab.store.status import text_digest

# Rows read at a time, each with its points; half as many where that fails.
MANY = 64
BETWEEN = f"{SCAN} WHERE a.id >= ? AND a.id < ?"
# Prefix of the folder in which a new store is built, beside the old one.
UNDER_WAY = ".repair-"
# Formats from here on are taken for a damaged header, not for those of a newer markone.
FUTURE = 100
# A truncated file is padded by at most so many times its size.
MOST = 20

# Text of a CodeState: "my_rules (sources 0123456789abcdef)".
STATE = re.compile(r"[\w.]+ \([^()]*\)")
# A point runs code of at most so many packages: a scenario, a student, one inside it.
MOST_PACKAGES = 3


@dataclass
class Findings:
    """Number of undamaged rows, and a sentence for each problem."""

    rows: int = 0
    problems: list[str] = field(default_factory=list)


def examine_store(path: Path) -> Findings:
    """Check structure, checksums and counts of a store, without changing it."""
    found = Findings()
    with _open_raw_store(path) as connection:
        try:
            database.check_file_length(connection, path)
        except StoreError:
            found.problems.append("The end of the file is missing.")
        structure = [text for (text,) in _fetch_readable_rows(connection, "PRAGMA integrity_check(3)")]
        found.problems += [" ".join(text.split()) for text in structure if text != "ok"]
        _examine_rows(connection, found)
        for name, text in _fetch_readable_rows(connection, "SELECT digest, text FROM declarations"):
            if text_digest(str(text)) != name:
                found.problems.append("A declaration differs from what was written.")
    return found


def _examine_rows(connection: sqlite3.Connection, found: Findings) -> None:
    total = attempts = 0
    for row, described, sound in _iterate_readable_rows(connection):
        attempts += row.tasks
        total += row.compute_checksum()
        found.rows += sound * row.tasks
        if not sound:
            points = f"at {row.tasks} points" if row.tasks > 1 else ""
            where = f"{described[0]} {points or json.dumps(described[2])}, " if described else ""
            found.problems.append(f"Wrong checksum: {where}repeats {row.start} to {row.stop - 1}.")
    tally = _fetch_readable_rows(connection, "SELECT done + failed, sum FROM tally")
    if tally != [(attempts, total & 0xFFFFFFFF)]:
        expected = tally[0][0] if tally else "an unknown number"
        found.problems.append(f"{attempts} rows can be read, {expected} were written.")


def _iterate_readable_rows(
    connection: sqlite3.Connection,
) -> Iterator[tuple[StoredRow, tuple[Any, ...], bool]]:
    """Yield every readable row with the description of its point, and True if both are undamaged."""
    descriptions = Descriptions(_fetch_readable_rows(connection, QUESTIONS))
    names = PointNames(str(code) for (code,) in _fetch_readable_rows(connection, "SELECT code FROM sessions"))
    last = _fetch_readable_rows(connection, "SELECT max(id) FROM attempts NOT INDEXED") or [(None,)]
    counted = _fetch_readable_rows(connection, "SELECT done + failed FROM tally") or [(0,)]
    # Ids count the rows; a damaged one may be anything.
    most = max(min(last[0][0] or 0, 10**9), min(counted[0][0] or 0, 10**9))
    for start in range(0, most + 1, MANY):
        for row, sound, columns in _iterate_rows_between(connection, start, start + MANY):
            description = descriptions.describe_point(*columns)
            yield row, description, sound and names.matches_description(row.points, description)


def _iterate_rows_between(
    connection: sqlite3.Connection, start: int, stop: int
) -> Iterator[tuple[StoredRow, bool, Any]]:
    """Rows with these ids and their points, without those on damaged pages."""
    try:
        found = list(scan_rows(connection.execute, BETWEEN, (start, stop)))
    except (sqlite3.Error, TypeError, ValueError, UnicodeError):
        if stop - start == 1:
            return
        middle = (start + stop) // 2
        yield from _iterate_rows_between(connection, start, middle)
        yield from _iterate_rows_between(connection, middle, stop)
        return
    yield from found


def repair_store(path: Path) -> tuple[int, Path]:
    """Replace a store by one with all undamaged rows; return their number and the path of the old store."""
    with _open_raw_store(path) as connection, closing(database.acquire_lock(path, 0.0)):
        _remove_repair_folders(path)
        folder = Path(mkdtemp(prefix=UNDER_WAY, dir=path.parent))
        try:
            kept = _rebuild_store(connection, folder / path.name)
            connection.close()  # before its file is replaced
            aside = next(
                p for k in count(1) if not (p := path.with_name(f"{path.name}.damaged-{k}")).exists()
            )
            _replace_store(folder / path.name, path, aside)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return kept, aside


def remove_stale_repairs(path: Path) -> None:
    """Remove the files of a repair that was killed."""
    with closing(database.acquire_lock(path, 0.0)):
        _remove_repair_folders(path)


def _remove_repair_folders(path: Path) -> None:
    """The same while the lock is held: no other repair is running."""
    for left in path.parent.glob(f"{UNDER_WAY}*"):
        shutil.rmtree(left, ignore_errors=True)


def _rebuild_store(connection: sqlite3.Connection, path: Path) -> int:
    kept = 0
    with Store(path) as store, store.transaction():
        for entry in _fetch_readable_rows(
            connection, "SELECT digest, name, text, total, added FROM declarations"
        ):
            if text_digest(str(entry[2])) == entry[0]:
                store.execute("INSERT OR IGNORE INTO declarations VALUES (?, ?, ?, ?, ?)", entry)
        for entry in _fetch_readable_rows(connection, "SELECT id, started, code FROM sessions"):
            store.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?)", entry)
        for row, described, sound in _iterate_readable_rows(connection):
            kept += row.tasks * bool(sound and store.insert_row(row, described))
    return kept


def _replace_store(new: Path, path: Path, aside: Path) -> None:
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
def _open_raw_store(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store to read in any state."""
    if not path.is_file():
        raise StoreError(f"There is no store {path}: nothing has been run yet, or the name is another.")
    with TemporaryDirectory() as folder:
        with translate_errors(path):
            connection = _connect_to_any(path, Path(folder))
        with translate_errors(path), closing(connection):
            # A damaged header may hold any other number.
            version = read_pragma(connection, "user_version")
            if 0 < version < VERSION + FUTURE:
                check_store_format(connection, str(path))
            yield connection


def _connect_to_any(path: Path, folder: Path) -> sqlite3.Connection:
    """Connect to a store that may be damaged, locked, or in a folder that cannot be written to."""
    try:
        copy = _pad_truncated_file(path, folder)
    except PermissionError:
        raise StoreError(f"{path} may not be read by you: nothing is known about its rows.") from None
    try:
        return database.connect_to_read(copy, "mode=ro")
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
            return database.connect_to_read(copy, "mode=ro&immutable=1")
        if not name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            raise
        raise StoreError(
            f"Nothing in {path} can be read ({error}). Take a backup, or move it away and run again."
        ) from error


def _pad_truncated_file(path: Path, folder: Path) -> Path:
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


def _fetch_readable_rows(connection: sqlite3.Connection, query: str) -> list[Any]:
    """The rows of a query up to the first that cannot be read."""
    found: list[Any] = []
    with suppress(sqlite3.Error, UnicodeError):
        for row in connection.execute(query):
            found.append(row)
    return found


class PointNames:
    """`sessions` are the JSON texts of the code that wrote a store."""

    def __init__(self, sessions: Iterable[str]) -> None:
        states = sorted({state for text in sessions for state in session_code_states(text)})
        self.codes = [code for n in range(MOST_PACKAGES + 1) for code in permutations(states, n)]

    def matches_description(self, points: list[str], described: Described) -> bool:
        """True if the names are hashes of this description and of some code of the sessions."""
        with suppress(ValueError, TypeError, AttributeError, KeyError):
            for k, code in enumerate(self.codes):
                if list(iterate_point_names(described, len(points), code)) == points:
                    # Tried first for the next row, which probably has the same.
                    self.codes[0], self.codes[k] = self.codes[k], self.codes[0]
                    return True
        return False


def session_code_states(text: str) -> list[str]:
    """States of the code in one session, including markone's version."""
    with suppress(ValueError, AttributeError, KeyError, TypeError):
        found = json.loads(text)
        return [f"markone (version {found['markone']})", *STATE.findall(found.get("own code", ""))]
    return []
