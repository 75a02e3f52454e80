"""From an older format to the next: 2 knows kinds of CPU, 3 has one row a block, with a checksum, 4 writes
the same in fewer bytes (point_rows.py, packing.py)."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from markone.lab.store.rows import Origin, Query, StoredRow, enter_shared_row, insert_attempt

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


QUESTION = "scenario, version, seed, parameters"
encode_compact_json = json.JSONEncoder(separators=(",", ":")).encode

# The tables that format 3 brought.
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
TABLES_4 = """
CREATE TABLE questions (
    id INTEGER PRIMARY KEY, scenario TEXT, version INTEGER, seed INTEGER, parameters TEXT,
    UNIQUE (scenario, version, seed, parameters)
);
CREATE TABLE new_points (
    id INTEGER PRIMARY KEY, point BLOB NOT NULL UNIQUE, question INTEGER NOT NULL REFERENCES questions,
    parameters TEXT NOT NULL
);
CREATE TABLE new_attempts (
    id INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES points,
    start INTEGER NOT NULL, stop INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    error TEXT NOT NULL, seconds NOT NULL, worker INTEGER NOT NULL REFERENCES workers,
    session INTEGER NOT NULL REFERENCES sessions, finished INTEGER NOT NULL,
    measures INTEGER NOT NULL REFERENCES measures, data BLOB NOT NULL, checksum INTEGER NOT NULL
);
"""
AFTER_4 = "".join(line for line in TABLES_3.splitlines(keepends=True) if "_blocks" in line or "_once" in line)
AFTER_4 += "".join(line for line in TABLES_3.splitlines(keepends=True) if line.startswith("CREATE TRIGGER"))
HIDDEN_3 = ["TRIGGER keep_attempts", "TRIGGER hold_attempts", "INDEX done_once", "INDEX failed_blocks"]
# Tasks were counted before points that come to the same numbers shared theirs: `status` counts anew.
OLD_PLANS = "UPDATE declarations SET total = -total WHERE total > 0"
POINTS_3 = "SELECT id, point, scenario, version, parameters, seed FROM points ORDER BY id"


def record_cpus(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE cpus (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE)")
    connection.execute("ALTER TABLE attempts ADD COLUMN cpu INTEGER REFERENCES cpus")


def one_row_a_block(connection: sqlite3.Connection) -> None:
    """The values are copied as they are; the checksums are those of what is there now."""
    for thing in HIDDEN:
        connection.execute(f"DROP {thing}")
    for name in OLD:
        connection.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    for statement in split_statements(TABLES_3):
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
        names, data = "\n".join(name for name, _ in found), b"".join(blob for _, blob in found)
        origin = Origin(worker or "", "", cpu or "")
        when = int(datetime.fromisoformat(finished).timestamp())
        row = StoredRow(
            point, start, stop, status, error, seconds or 0.0, origin, session or 0, when, names, data
        )
        insert_attempt(connection.execute, row, k, seconds=float)
    for name in ("results", "attempts", "cpus", "points"):
        connection.execute(f"DROP TABLE old_{name}")


def short_rows(connection: sqlite3.Connection) -> None:
    """Points and rows keep their numbers, and the latter what they say: their checksums hold on."""
    execute = connection.execute
    for statement in split_statements(TABLES_4):
        execute(statement)
    try:
        for k, point, *described in execute(POINTS_3):
            execute(
                "INSERT INTO new_points VALUES (?, ?, ?, ?)", (k, *encode_point(execute, point, described))
            )
    except (ValueError, TypeError, AttributeError) as error:
        # Neither a name nor JSON: whoever opens the store says so as of any damage.
        raise sqlite3.DatabaseError(f"database disk image is malformed: {error}") from error
    execute("INSERT INTO new_attempts SELECT * FROM attempts")
    for thing in HIDDEN_3:
        execute(f"DROP {thing}")
    for name in ("attempts", "points"):
        execute(f"DROP TABLE {name}")
        execute(f"ALTER TABLE new_{name} RENAME TO {name}")
    for statement in split_statements(AFTER_4):
        execute(statement)
    execute(OLD_PLANS)


def encode_point(execute: Query, point: str, described: Sequence[Any]) -> tuple[bytes, int, str]:
    """Name, question id and numeric values of a point. Non-numeric values and the names of the parameters are
    part of the question."""
    scenario, version, parameters, seed = described
    given = json.loads(parameters)
    shared = {key: None if _is_numeric_parameter(value) else value for key, value in given.items()}
    question = enter_shared_row(
        execute, "questions", QUESTION, (scenario, version, seed, encode_compact_json(shared))
    )
    return (
        bytes.fromhex(point),
        question,
        encode_compact_json([v for v in given.values() if _is_numeric_parameter(v)])[1:-1],
    )


def _is_numeric_parameter(value: Any) -> bool:
    """True for numbers and None, which is the placeholder of a number in a question."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def split_statements(script: str) -> list[str]:
    """Split a script into statements: `executescript` would commit before the first."""
    found, current = [], ""
    for line in script.strip().splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
