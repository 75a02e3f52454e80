"""From an older format to the next: 2 knows kinds of CPU, 3 has one row a block, with a checksum."""

import sqlite3
from datetime import datetime

from markone.lab.store.rows import BETWEEN, Origin, StoredRow, insert

OLD = ("points", "attempts", "results", "cpus")
HIDDEN = [f"TRIGGER {name}_{table}" for name in ("keep", "hold") for table in ("attempts", "results")]
HIDDEN += ["INDEX attempts_of_point", "INDEX attempts_of_task", "INDEX done_once"]
POINTS = "INSERT INTO points (point, scenario, version, parameters, seed) SELECT * FROM old_points"
ATTEMPTS = (
    "SELECT a.id, a.point, p.id, start, stop, status, error, seconds, worker, session, finished, c.kind "
    "FROM old_attempts AS a JOIN points AS p ON p.point = a.point LEFT JOIN old_cpus AS c ON c.id = a.cpu "
    "ORDER BY a.id"
)
RESULTS = "SELECT measure, data FROM old_results WHERE attempt = ? ORDER BY measure"


def record_cpus(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE cpus (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE)")
    connection.execute("ALTER TABLE attempts ADD COLUMN cpu INTEGER REFERENCES cpus")


def one_row_a_block(connection: sqlite3.Connection, tables: list[str]) -> None:
    """The values are copied as they are; the checksums are those of what is there now."""
    for thing in HIDDEN:
        connection.execute(f"DROP {thing}")
    for name in OLD:
        connection.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    kept = [s for s in tables if not s.startswith(("CREATE TABLE declarations", "CREATE TABLE sessions"))]
    for statement in kept:
        connection.execute(statement)
    connection.execute(POINTS)
    for (
        attempt,
        point,
        k,
        start,
        stop,
        status,
        error,
        seconds,
        worker,
        session,
        finished,
        cpu,
    ) in connection.execute(ATTEMPTS):
        found = connection.execute(RESULTS, (attempt,)).fetchall()
        names, data = BETWEEN.join(name for name, _ in found), b"".join(blob for _, blob in found)
        who = Origin(worker or "", "", cpu or "")
        when = int(datetime.fromisoformat(finished).timestamp())
        row = StoredRow(
            point, start, stop, status, error, seconds or 0.0, who, session or 0, when, names, data
        )
        insert(connection.execute, row, k)
    for name in ("results", "attempts", "cpus", "points"):
        connection.execute(f"DROP TABLE old_{name}")
