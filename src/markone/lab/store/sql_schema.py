"""The tables of a store, and how older ones become new."""

import sqlite3
from collections.abc import Callable

from markone.errors import StoreError

# "MK01": the file says whose it is.
APPLICATION = 0x4D4B3031
VERSION = 2

TABLES = """
CREATE TABLE declarations (digest TEXT PRIMARY KEY, name TEXT, text TEXT, total INTEGER, added TEXT);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, started TEXT, code TEXT);
CREATE TABLE points (point TEXT PRIMARY KEY, scenario TEXT, version INTEGER, parameters TEXT, seed INTEGER);
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY, task TEXT NOT NULL, point TEXT NOT NULL REFERENCES points,
    start INTEGER NOT NULL, stop INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
    error TEXT NOT NULL, seconds REAL, worker TEXT, session INTEGER REFERENCES sessions, finished TEXT,
    cpu INTEGER REFERENCES cpus
);
CREATE TABLE cpus (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE);
CREATE TABLE results (
    attempt INTEGER NOT NULL REFERENCES attempts, measure TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (attempt, measure)
) WITHOUT ROWID;
CREATE INDEX attempts_of_point ON attempts (point);
CREATE INDEX attempts_of_task ON attempts (task);
CREATE UNIQUE INDEX done_once ON attempts (task) WHERE status = 'done';
CREATE TRIGGER keep_attempts BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER hold_attempts BEFORE DELETE ON attempts BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER keep_results BEFORE UPDATE ON results BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
CREATE TRIGGER hold_results BEFORE DELETE ON results BEGIN SELECT RAISE(ABORT, 'results only grow'); END;
"""


def record_cpus(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE cpus (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE)")
    connection.execute("ALTER TABLE attempts ADD COLUMN cpu INTEGER REFERENCES cpus")


# From version k to k + 1, one function each; a store is brought up to date when it is opened to write.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: record_cpus}


def is_new(connection: sqlite3.Connection) -> bool:
    """No table yet: an empty file, or a process killed before it wrote the first one."""
    return (
        pragma(connection, "application_id") == 0
        and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    )


def check(connection: sqlite3.Connection, path: str) -> None:
    """A markone store of a version that this code can read."""
    if pragma(connection, "application_id") != APPLICATION:
        raise StoreError(f"{path} is a database, but not a markone store: give another file.")
    if pragma(connection, "user_version") > VERSION:
        raise StoreError(f"{path} was written by a newer markone: update with pip install -U markone.")


def create_or_migrate(connection: sqlite3.Connection, path: str) -> None:
    """All or nothing, in one transaction: a kill leaves the old state."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if is_new(connection):
            for statement in split(TABLES):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        else:
            check(connection, path)
            migrate(connection, path)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def migrate(connection: sqlite3.Connection, path: str) -> None:
    for version in range(pragma(connection, "user_version"), VERSION):
        if version not in MIGRATIONS:
            raise StoreError(f"{path} has format {version}, which this markone cannot bring up to {VERSION}.")
        MIGRATIONS[version](connection)


def split(script: str) -> list[str]:
    """Statement by statement: `executescript` would commit on its own before the first."""
    statements, current = [], ""
    for line in script.strip().splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements


def pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
