"""From an older format to the next: 2 knows kinds of CPU, 3 has one row a block, with a checksum, 4 writes
points in few bytes (point_rows.py)."""

import json
import sqlite3
from datetime import datetime
from typing import Any

from markone.lab.store.rows import BETWEEN, Origin, StoredRow, insert, number

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


QUESTION = "scenario, version, seed, keys"
compact = json.JSONEncoder(separators=(",", ":")).encode

# The tables that format 3 brought, and those of format 4.
TABLES_3 = """
CREATE TABLE points (
    id INTEGER PRIMARY KEY, point TEXT NOT NULL UNIQUE,
    scenario TEXT, version INTEGER, parameters TEXT, seed INTEGER
);
CREATE TABLE workers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, code TEXT NOT NULL, cpu TEXT NOT NULL,
    UNIQUE (name, code, cpu)
);
CREATE TABLE measures (id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES points,
    start INTEGER NOT NULL, stop INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    error TEXT NOT NULL, seconds REAL NOT NULL, worker INTEGER NOT NULL REFERENCES workers,
    session INTEGER NOT NULL REFERENCES sessions, finished INTEGER NOT NULL,
    measures INTEGER NOT NULL REFERENCES measures, data BLOB NOT NULL, checksum INTEGER NOT NULL
);
CREATE UNIQUE INDEX done_once ON attempts (point, start, stop) WHERE status = 'done';
CREATE INDEX failed_blocks ON attempts (point, start, stop) WHERE status = 'failed';
CREATE TABLE tally (done INTEGER NOT NULL, failed INTEGER NOT NULL, sum INTEGER NOT NULL, last INTEGER);
INSERT INTO tally VALUES (0, 0, 0, 0);
CREATE TABLE started (task TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER keep_attempts BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER hold_attempts BEFORE DELETE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
"""
POINTS_4 = """
CREATE TABLE questions (
    id INTEGER PRIMARY KEY, scenario TEXT, version INTEGER, seed INTEGER, keys TEXT,
    UNIQUE (scenario, version, seed, keys)
);
CREATE TABLE new_points (
    id INTEGER PRIMARY KEY, point BLOB NOT NULL UNIQUE, question INTEGER NOT NULL REFERENCES questions,
    parameters TEXT NOT NULL
);
"""


def record_cpus(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE cpus (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE)")
    connection.execute("ALTER TABLE attempts ADD COLUMN cpu INTEGER REFERENCES cpus")


def one_row_a_block(connection: sqlite3.Connection) -> None:
    """The values are copied as they are; the checksums are those of what is there now."""
    for thing in HIDDEN:
        connection.execute(f"DROP {thing}")
    for name in OLD:
        connection.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    for statement in statements(TABLES_3):
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


def short_points(connection: sqlite3.Connection) -> None:
    """The points keep their numbers: no row of results is touched, and their checksums hold on."""
    old = connection.execute("SELECT id, point, scenario, version, parameters, seed FROM points ORDER BY id")
    for statement in statements(POINTS_4):
        connection.execute(statement)
    execute, known = connection.execute, dict[tuple[Any, ...], int]()
    try:
        for k, point, scenario, version, parameters, seed in old:
            given = json.loads(parameters)
            question = (scenario, version, seed, compact(list(given)))
            if question not in known:
                known[question] = number(execute, "questions", QUESTION, question)
            row = (k, bytes.fromhex(point), known[question], compact(list(given.values())))
            execute("INSERT INTO new_points VALUES (?, ?, ?, ?)", row)
    except (ValueError, TypeError, AttributeError) as error:
        # Neither a name nor JSON: whoever opens it says so as of any damage.
        raise sqlite3.DatabaseError(f"database disk image is malformed: {error}") from error
    execute("DROP TABLE points")
    execute("ALTER TABLE new_points RENAME TO points")


def statements(script: str) -> list[str]:
    """Statement by statement: `executescript` would commit on its own before the first."""
    found, current = [], ""
    for line in script.strip().splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
