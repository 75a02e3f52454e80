"""One row a block of repeats: what it holds, the checksum over all of it, how it is written and read."""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from markone.errors import StoreError

Query = Callable[..., Any]

INSERT = (
    "INSERT OR IGNORE INTO attempts (point, start, stop, status, error, seconds, worker, session, finished, "
    "measures, data, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
TALLY = (
    "UPDATE tally SET done = done + ?, failed = failed + ?, sum = (sum + ?) & 4294967295, last = max(last, ?)"
)
# NOT INDEXED: an index may be damaged, and then it would hide rows.
SCAN = (
    "SELECT lower(hex(p.point)), start, stop, status, error, seconds, worker, session, finished, measures, "
    "data, checksum FROM attempts AS a NOT INDEXED JOIN points AS p ON p.id = a.point"
)
# Seconds are kept as whole millionths where that says the same: a query of them must ask which.
MILLION = 1_000_000
SECONDS = f"CASE typeof(seconds) WHEN 'integer' THEN seconds / {MILLION}.0 ELSE seconds END"


class Origin(NamedTuple):
    """Who computed a row: host:process, markone's version and source hash, the kind of CPU; "" if unknown."""

    name: str
    code: str
    cpu: str


@dataclass(frozen=True, slots=True)
class StoredRow:
    """`data` holds the values of the measures one after the other (packing.py)."""

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

    def checksum(self) -> int:
        """Of all but the number of the session, which is another one after a merge."""
        words = (self.point, self.start, self.stop, self.status, self.error, self.seconds)
        text = f"{words}{tuple(self.worker)}{self.finished} {self.measures}"
        return zlib.crc32(self.data, zlib.crc32(text.encode()))


def number(execute: Query, table: str, columns: str, values: tuple[Any, ...]) -> int:
    """The number of a row of a small table; a new one is entered."""
    marks = ", ".join("?" * len(values))
    wanted = " AND ".join(f"{column} = ?" for column in columns.split(", "))
    found = execute(f"SELECT id FROM {table} WHERE {wanted}", values).fetchone()
    if found:
        return int(found[0])
    return int(execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values).lastrowid)


def insert(
    execute: Query, row: StoredRow, point: int, seconds: Callable[[float], float | int] | None = None
) -> bool:
    """Inside a transaction; `point` is its number. False if this block is done already."""
    worker = number(execute, "workers", "name, code, cpu", tuple(row.worker))
    measures = number(execute, "measures", "names", (row.measures,))
    checksum = row.checksum()
    head = (point, row.start, row.stop, row.status, row.error, (seconds or short)(row.seconds))
    tail = (worker, row.session, row.finished, measures, row.data, signed(checksum))
    added = execute(INSERT, (*head, *tail))
    if not added.rowcount:
        return False
    done = row.status == "done"
    execute(TALLY, (done, not done, checksum, row.finished))
    return True


def short(seconds: float) -> float | int:
    """As it is stored: as a whole number, if that says the same."""
    millionths = round(seconds * MILLION) if abs(seconds) < 1e12 else 0
    return millionths if millionths / MILLION == seconds else seconds


def signed(checksum: int) -> int:
    """As a number of 32 bits with a sign, which SQLite keeps in four bytes."""
    return checksum - (checksum >> 31 << 32)


def scan(execute: Query, query: str = SCAN, values: tuple[Any, ...] = ()) -> Iterator[tuple[StoredRow, bool]]:
    """Rows, and whether they are what was written."""
    workers = {n: Origin(*rest) for n, *rest in execute("SELECT id, name, code, cpu FROM workers").fetchall()}
    measures = dict(execute("SELECT id, names FROM measures").fetchall())
    nobody = Origin("", "", "")
    for *head, seconds, worker, session, finished, names, data, checksum in execute(query, values):
        head.append(seconds / MILLION if isinstance(seconds, int) else seconds)
        tail = workers.get(worker, nobody), session, finished, measures.get(names, "?"), data
        row = StoredRow(*[*head, *tail])
        yield row, row.checksum() == checksum & 0xFFFFFFFF


def sound_rows(execute: Query, path: Any) -> Iterator[StoredRow]:
    """All rows of a store, each checked, and at the end that none was missing.

    In one transaction of its own: what another process adds meanwhile is not seen.
    """
    execute("BEGIN")
    try:
        done, failed, expected = execute("SELECT done, failed, sum FROM tally").fetchone()
        found = total = 0
        for row, sound in scan(execute):
            if not sound:
                raise StoreError(damaged(path))
            found += 1
            total += row.checksum()
            yield row
        if found != done + failed or total & 0xFFFFFFFF != expected:
            raise StoreError(damaged(path))
    finally:
        execute("COMMIT")


def damaged(path: Any) -> str:
    return (
        f"{path} is damaged: rows in it are missing or are not what was written. `markone verify --store "
        f"{path}` says which; with --repair it keeps all that is sound, and a run computes just the rest."
    )


def clean(text: str, most: int = 4000) -> str:
    """A text that every file and terminal can take: no lone surrogates, no NUL, no endless ones."""
    text = text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    return text if len(text) <= most else f"{text[:most]} ... ({len(text)} characters)"


def moment() -> int:
    return int(datetime.now(UTC).timestamp())


def as_text(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
