"""Rows of a store: content, checksum, writing and reading.

A row holds one block of repeats of a point, or of several points that were computed together: its point is
then the sequence of their names, its values are those of the first task, then those of the next.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from markone.errors import StoreError
from markone.lab.schedule.grid import NAME_BYTES

Query = Callable[..., Any]

INSERT = (
    "INSERT OR IGNORE INTO attempts (point, start, stop, status, error, seconds, worker, session, finished, "
    "measures, data, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
TALLY = (
    "UPDATE tally SET done = done + ?, failed = failed + ?, sum = (sum + ?) & 4294967295, last = max(last, ?)"
)
# NOT INDEXED: a damaged index would hide rows.
SCAN = (
    "SELECT lower(hex(p.point)), start, stop, status, error, seconds, worker, session, finished, measures, "
    "data, checksum, p.question, p.parameters "
    "FROM attempts AS a NOT INDEXED JOIN points AS p ON p.id = a.point"
)
FOUND = SCAN.replace("NOT INDEXED ", "")
# Hex digits of the name of a point; its number of bytes.
NAME_DIGITS = 2 * NAME_BYTES
# Tasks of a row, in a query that joins the points as p.
TASKS = f"length(p.point) / {NAME_BYTES}"
# Seconds are stored as integer microseconds where that is exact: queries must check the type.
MILLION = 1_000_000
SECONDS = f"CASE typeof(seconds) WHEN 'integer' THEN seconds / {MILLION}.0 ELSE seconds END"


class Origin(NamedTuple):
    """Worker of a row: host:process, markone's version and source hash, the kind of CPU; "" if unknown."""

    name: str
    code: str
    cpu: str


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One block of repeats of each of its points; `data` holds the packed values of the measures
    (packing.py)."""

    point: str
    start: int
    stop: int
    status: str
    error: str
    seconds: float
    worker: Origin
    session: int
    finished: int
    measures: str
    data: bytes

    @property
    def tasks(self) -> int:
        """Number of points."""
        return len(self.point) // NAME_DIGITS

    @property
    def points(self) -> list[str]:
        """The names of its points."""
        return split_names(self.point)

    def compute_checksum(self) -> int:
        """CRC-32 of all fields but the session id, which changes in a merge."""
        words = (self.point, self.start, self.stop, self.status, self.error, self.seconds)
        text = f"{words}{tuple(self.worker)}{self.finished} {self.measures}"
        return zlib.crc32(self.data, zlib.crc32(text.encode()))

    @property
    def stored_checksum(self) -> int:
        """The checksum as a signed 32-bit integer, which SQLite stores in four bytes."""
        checksum = self.compute_checksum()
        return checksum - (checksum >> 31 << 32)


def split_names(joined: str) -> list[str]:
    """The names of the points of a row."""
    return [joined[k : k + NAME_DIGITS] for k in range(0, len(joined), NAME_DIGITS)]


def enter_shared_row(execute: Query, table: str, columns: str, values: tuple[Any, ...]) -> int:
    """Id of a row of a small table; inserted if it is new."""
    marks = ", ".join("?" * len(values))
    wanted = " AND ".join(f"{column} = ?" for column in columns.split(", "))
    found = execute(f"SELECT id FROM {table} WHERE {wanted}", values).fetchone()
    if found:
        return int(found[0])
    return int(execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values).lastrowid)


def insert_attempt(execute: Query, row: StoredRow, point: int) -> bool:
    """Insert a row inside a transaction; `point` is the id. False if this block is done already."""
    worker = enter_shared_row(execute, "workers", "name, code, cpu", tuple(row.worker))
    measures = enter_shared_row(execute, "measures", "names", (row.measures,))
    checksum = row.stored_checksum
    head = (point, row.start, row.stop, row.status, row.error, _compact_seconds(row.seconds))
    tail = (worker, row.session, row.finished, measures, row.data, checksum)
    added = execute(INSERT, (*head, *tail))
    if not added.rowcount:
        return False
    done = row.status == "done"
    execute(TALLY, (done * row.tasks, (not done) * row.tasks, checksum, row.finished))
    return True


def _compact_seconds(seconds: float) -> float | int:
    """Seconds as stored: integer microseconds if that is exact."""
    millionths = round(seconds * MILLION) if abs(seconds) < 1e12 else 0
    return millionths if millionths / MILLION == seconds else seconds


def scan_rows(
    execute: Query, query: str = SCAN, values: tuple[Any, ...] = ()
) -> Iterator[tuple[StoredRow, bool, tuple[Any, Any]]]:
    """Yield rows, True if their checksum is right, and what describes their points in the tables."""
    workers = {n: Origin(*rest) for n, *rest in execute("SELECT id, name, code, cpu FROM workers").fetchall()}
    measures = dict(execute("SELECT id, names FROM measures").fetchall())
    unknown = Origin("", "", "")
    for *head, seconds, worker, session, finished, names, data, checksum, question, parameters in execute(
        query, values
    ):
        head.append(seconds / MILLION if isinstance(seconds, int) else seconds)
        tail = workers.get(worker, unknown), session, finished, measures.get(names, "?"), data
        row = StoredRow(*[*head, *tail])
        yield row, row.compute_checksum() == checksum & 0xFFFFFFFF, (question, parameters)


def iterate_verified_rows(execute: Query, path: Any) -> Iterator[tuple[StoredRow, tuple[Any, Any]]]:
    """Yield all rows of a store and what describes their points; raise StoreError if one is damaged or
    missing.

    In one transaction: rows added by another process meanwhile are not seen.
    """
    execute("BEGIN")
    try:
        done, failed, expected = execute("SELECT done, failed, sum FROM tally").fetchone()
        found = total = 0
        for row, sound, described in scan_rows(execute):
            if not sound:
                raise StoreError(damage_message(path))
            found += row.tasks
            total += row.compute_checksum()
            yield row, described
        if found != done + failed or total & 0xFFFFFFFF != expected:
            raise StoreError(damage_message(path))
    finally:
        execute("COMMIT")


def damage_message(path: Any) -> str:
    return (
        f"{path} is damaged: rows in it are missing or are not what was written. `markone verify --store "
        f"{path}` lists them; with --repair it keeps all undamaged rows, and a run computes the others."
    )


def current_timestamp() -> int:
    return int(datetime.now(UTC).timestamp())


def format_timestamp(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
