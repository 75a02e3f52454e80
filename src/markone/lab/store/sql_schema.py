"""The tables of a store."""

import sqlite3

from markone.errors import StoreError

# "MK01": identifies the file as a store.
APPLICATION = 0x4D4B3031
# Format 4 has no rows of several points: it is read, and it becomes 5 when it is opened to write.
VERSION, FORMER = 5, 4

# `tally` holds the number of rows and the sum of their checksums, which detect a lost row. `started` holds
# the running tasks: after a crash they are the suspects.
TABLES = """
CREATE TABLE declarations (digest TEXT PRIMARY KEY, name TEXT, text TEXT, total INTEGER, added TEXT);
CREATE TABLE sessions (id INTEGER PRIMARY KEY, started TEXT, code TEXT);
CREATE TABLE questions (
    id INTEGER PRIMARY KEY, scenario TEXT, version INTEGER, seed INTEGER, parameters TEXT,
    UNIQUE (scenario, version, seed, parameters)
);
CREATE TABLE points (
    id INTEGER PRIMARY KEY, point BLOB NOT NULL UNIQUE, question INTEGER NOT NULL REFERENCES questions,
    parameters TEXT NOT NULL
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
    error TEXT NOT NULL, seconds NOT NULL, worker INTEGER NOT NULL REFERENCES workers,
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


def is_new_store(connection: sqlite3.Connection) -> bool:
    """True if there is no table yet: an empty file, or a process killed before it wrote the first one."""
    return (
        read_pragma(connection, "application_id") == 0
        and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    )


def check_store_format(connection: sqlite3.Connection, path: str) -> None:
    """Raise unless this is a markone store of a known version."""
    if read_pragma(connection, "application_id") != APPLICATION:
        raise StoreError(f"{path} is a database, but not a markone store: give another file.")
    version = read_pragma(connection, "user_version")
    if version > VERSION:
        raise StoreError(f"{path} was written by a newer markone: update with pip install -U markone.")
    if version not in (VERSION, FORMER):
        raise StoreError(f"{path} has format {version}, which this markone cannot read: it needs {VERSION}.")


def create_tables(connection: sqlite3.Connection, path: str) -> None:
    """Create the tables of a new store, or check its format; in one transaction: a kill leaves no part."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        if is_new_store(connection):
            for statement in _split_statements(TABLES):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        else:
            check_store_format(connection, path)
        if read_pragma(connection, "user_version") != VERSION:
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def read_pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _split_statements(script: str) -> list[str]:
    """Split a script into statements: `executescript` would commit before the first."""
    found, current = [], ""
    for line in script.strip().splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
